# SPDX-License-Identifier: MIT
# bash's completion of vptr-replay.
_vptr_replay() {
  local words='--list --verify --compare --device= --launch= --repeat= --tolerance= --type=float --type=double --help --version'
  case ${COMP_WORDS[COMP_CWORD]} in
    -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}") ;;
  esac
}
complete -o filenames -F _vptr_replay vptr-replay
