# SPDX-License-Identifier: MIT
# bash's completion of vptr-checkpoint.
_vptr_checkpoint() {
  local words='list verify --help --version'
  case $COMP_CWORD in
    1) mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}") ;;
  esac
}
complete -o filenames -F _vptr_checkpoint vptr-checkpoint
