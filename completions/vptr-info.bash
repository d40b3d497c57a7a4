# SPDX-License-Identifier: MIT
# bash's completion of vptr-info.
_vptr_info() {
  mapfile -t COMPREPLY < <(compgen -W '--json --help --version' -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -F _vptr_info vptr-info
