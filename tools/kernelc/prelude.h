/* SPDX-License-Identifier: MIT */
/*
 * prelude - what every kernel C begins with: short names of types, and functions that CUDA has none for; and a heap,
 * for those that call it.
 */
#ifndef KERNELC_PRELUDE_H
#define KERNELC_PRELUDE_H

#include "translate/source/text.h"

enum { KC_PRELUDE, KC_HEAP };
extern const vptr__text kc_prelude_texts[]; /* by these; Makefile.am makes them of prelude.cu and heap.cu */

#endif
