#!/bin/sh
# SPDX-License-Identifier: MIT
# bootstrap - names what is missing before it makes anything: autoconf-archive has no program that could be looked for.
command -v autoreconf >/dev/null || { echo 'left out: no autoconf here'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/none" "$work/macros"
# one that has looked: its own folder is empty, and nobody goes on behind bootstrap's checks
printf '#!/bin/sh\necho "%s/none"\n' "$work" >"$work/bin/aclocal"
printf '#!/bin/sh\necho made >"%s/made"\n' "$work" >"$work/bin/autoreconf"
chmod +x "$work/bin/aclocal" "$work/bin/autoreconf"
cp "$srcdir/bootstrap" "$work/"
PATH=$work/bin:$PATH
export PATH
status=0
said=$(ACLOCAL_PATH='' "$work/bootstrap" 2>&1) && { echo 'it succeeds without autoconf-archive'; status=1; }
case $said in *autoconf-archive*) ;; *) echo "autoconf-archive is not named: $said"; status=1 ;; esac
[ ! -e "$work/made" ] || { echo 'it goes on without autoconf-archive'; status=1; }
touch "$work/macros/ax_pthread.m4"
said=$(ACLOCAL_PATH="/nowhere:$work/macros" "$work/bootstrap" 2>&1) && [ -e "$work/made" ] ||
  { echo "it does not look in ACLOCAL_PATH: $said"; status=1; }
exit $status
