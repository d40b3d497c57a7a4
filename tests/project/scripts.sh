#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts - the shell scripts pass shellcheck; setup, bootstrap and the tests as POSIX sh, .ci/run and tests/mutants/run as bash.
cd "$srcdir" || exit 1
command -v shellcheck >/dev/null || { echo 'left out: no shellcheck here'; exit 77; }
# Left out: lists of compiler flags are meant to be split (2086, 2046); what make exports and what stage.sh sets looks
# unset or unused to a reader of one file (2154, 2034).
shellcheck --severity=warning --exclude=SC2086,SC2046,SC2154,SC2034 \
  bootstrap setup .ci/run tests/mutants/run tests/on-opencl tests/*/*.sh
