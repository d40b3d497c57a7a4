#!/bin/sh
# SPDX-License-Identifier: MIT
# layering - includes point down only.
#
# A file of lib/ may include the folders that its own stands on, by the table below; space, tree and device are
# strangers to each other; and what stands for a stranger's program sees installed headers alone.
cd "$srcdir" || exit 1

may_include() { # folder -> the folders it may include
  case $1 in
    base) echo base ;;
    space | tree | device) echo "base $1" ;;
    heap) echo base space tree device heap ;;
    mirror) echo base space tree device heap mapper mirror ;;
    mapper | stream | pool | transfer | kernel) echo base space tree device heap mapper mirror stream pool transfer kernel ;;
    pinned) echo base space tree device heap mapper mirror pinned ;;
    managed) echo base space tree device heap mapper mirror stream pinned managed ;;
    cuda) echo base space tree device heap mapper mirror stream pool transfer kernel pinned managed image module usm nvrtc cuda ;; # of nvrtc, how to call it
    image) echo base space tree device heap mapper stream image ;;
    module) echo base space tree device heap mapper mirror stream pool transfer kernel pinned module ;;
    usm) echo base space tree device heap mapper mirror stream pool transfer kernel pinned managed module usm ;;
    translate | translate/*) echo base translate ;;
    nvrtc) echo base translate nvrtc ;;
    cudart_static) echo cudart_static ;;
    driver) echo base device mapper pinned stream transfer module cuda driver ;;
    *) echo "layering.sh: no rule for lib/$1; add one" >&2 ;;
  esac
}

offenders() {
  for directory in lib/*/ lib/*/*/; do
    ls "$directory"*.[ch] > /dev/null 2>&1 || continue
    folder=${directory#lib/}
    folder=${folder%/}
    folder=${folder#vptr/}
    folder=${folder#cudart/} # those of a library are named without it
    allowed=" $(may_include "$folder") "
    grep -n '^ *# *include *"' "$directory"*.[ch] | while IFS= read -r line; do
      header=${line#*\"}
      case $header in
        */*) case $allowed in *" ${header%%/*} "*) ;; *) echo "$line" ;; esac ;;
        *) [ -e "$directory${header%\"*}" ] || echo "$line" ;;
      esac
    done
  done
  # Addresses and order know nothing of OpenCL.
  grep -nE '\b(cl_[a-z]+|cl[A-Z][A-Za-z]+|CL_[A-Z_]+)\b' lib/vptr/space/*.[ch] lib/vptr/tree/*.[ch] | grep -v 'CL/cl.h'
  # Sources are compiled, not included.
  grep -nE '# *include *["<][^">]*\.c[">]' lib/*/*.[ch] lib/*/*/*.[ch] tests/*/*.[ch]
  # vptrcc has the translator in it, and nothing else of the library.
  grep -nH '^ *# *include *"' tools/vptrcc/*.[ch] | while IFS= read -r line; do
    header=${line#*\"}
    case $header in translate/*) ;; *) [ -e "tools/vptrcc/${header%\"*}" ] || echo "$line" ;; esac
  done
  # Installed headers alone: <...>, or a neighbour in the same folder.
  for file in examples/*/*.[ch] tools/*.[ch] bench/*.[ch] bench/*/*.[ch]; do
    [ -e "$file" ] || continue
    grep -nH '^ *# *include *"' "$file" | while IFS= read -r line; do
      header=${line#*\"}
      [ -e "$(dirname "$file")/${header%\"*}" ] || echo "$line"
    done
  done
}

found=$(offenders)
[ -z "$found" ] || { printf 'these reach where they must not:\n%s\n' "$found"; exit 1; }
