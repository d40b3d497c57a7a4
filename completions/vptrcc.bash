# SPDX-License-Identifier: MIT
# bash's completion of vptrcc, and of nvcc where that is vptrcc's link: options from its help, values that are few, files.
_vptrcc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local options
  COMPREPLY=()
  # readline takes '=' for a word of its own
  [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
  word=${word#=}
  case $before in
    -std | --std) mapfile -t COMPREPLY < <(compgen -W 'c++11 c++14 c++17 c++20' -- "$word") && return ;;
    -x | --x) mapfile -t COMPREPLY < <(compgen -W 'cu c c++ none' -- "$word") && return ;;
    -cudart | --cudart) mapfile -t COMPREPLY < <(compgen -W 'none shared static' -- "$word") && return ;;
    -rdc | -fmad) mapfile -t COMPREPLY < <(compgen -W 'true false' -- "$word") && return ;;
    -default-stream | --default-stream) mapfile -t COMPREPLY < <(compgen -W 'legacy null per-thread' -- "$word") && return ;;
    -dump | --dump) # several, with commas
      mapfile -t COMPREPLY < <(compgen -P "${word%"${word##*,}"}" -W 'tree types spaces plan text' -- "${word##*,}") && return ;;
    -arch | --gpu-architecture)
      mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --list-gpu-code 2>/dev/null)" -- "$word") && return ;;
    -time) mapfile -t COMPREPLY < <(compgen -f -- "$word") && return ;;
    -I | -L | -isystem | -odir | -keep-dir | --keep-dir) mapfile -t COMPREPLY < <(compgen -d -- "$word") && return ;;
  esac
  case $word in
    -*)
      options=$("${COMP_WORDS[0]}" --help 2>/dev/null | grep -oE -e '(^  |[ ,])--?[a-zA-Z][a-zA-Z_-]*' | tr -d ' ,')
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}
complete -o filenames -o bashdefault -F _vptrcc vptrcc nvcc
