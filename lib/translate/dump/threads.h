/* SPDX-License-Identifier: MIT */
/*
 * threads - one function, statement by statement: what the threads of a block do not do together (lower/apart.h), where
 * they meet for drivers' sake (lower/meeting.h), and, where one work-item runs a block, which loop over threads has the
 * statement and where variables are (lower/loops.h). Loops over threads are numbered in the order of the text.
 */
#ifndef VPTR_TRANSLATE_DUMP_THREADS_H
#define VPTR_TRANSLATE_DUMP_THREADS_H

#include "translate/dump/printer.h"
#include "translate/infer/infer.h"

/* Nothing of an instance of which nobody asked this. */
void vptr__threads_print(vptr__printer *printer, const vptr__instance *instance);

/* Of all instances, in the unit's arena. */
const char *vptr__threads_text(const vptr__unit *unit, const vptr__inference *inference);

#endif
