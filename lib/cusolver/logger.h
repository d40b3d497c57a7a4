/* SPDX-License-Identifier: MIT */
/*
 * logger - cuSOLVER's lines, where a program wants them: one for each call, and one for each that fails.
 *
 * Lock: that of `vptr__solver_log` (library/log.h).
 */
#ifndef VPTR_CUSOLVER_LOGGER_H
#define VPTR_CUSOLVER_LOGGER_H

#include "library/log.h"

extern vptr__library_log vptr__solver_log;

#endif
