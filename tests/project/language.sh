#!/bin/sh
# SPDX-License-Identifier: MIT
# language - doc/cuda-language.md is what its rows and the translator's table of functions make; whether the rows are true is
# test_language's to say.
made=$(tests/translate/language_table "$srcdir/doc/cuda-language.txt") || exit 1
printf '%s\n' "$made" | diff -u "$srcdir/doc/cuda-language.md" - ||
  { echo 'the rows and their document differ; run: make update-language'; exit 1; }
