#!/bin/sh
# SPDX-License-Identifier: MIT
# spelling - codespell finds nothing in what people read.
cd "$srcdir" || exit 1
command -v codespell >/dev/null || { echo 'left out: no codespell here'; exit 77; }
set -- NEWS README* CONTRIBUTING* configure.ac Makefile.am bootstrap setup .ci/run include lib tests doc man
for folder in examples tools bench; do [ ! -d $folder ] || set -- "$@" $folder; done
# "occured" is CUDA's own spelling, in a text that programs may compare; Nd and Fo are words of mdoc(7); daa is a signature;
# COO is a format, matA an argument; joe-kuo-6.txt is numbers, written in letters.
codespell --quiet-level=3 --ignore-words-list=occured,coo,mata,matc,nd,fo,parms,daa --skip='*.mtx,*/joe-kuo-6.txt,*.o,*.lo,*.la,*.log,*.trs,.libs,.deps' "$@"
