/* SPDX-License-Identifier: MIT */
/* prelude - what every kernel C begins with: short names of types, and functions that CUDA has none for. */
#ifndef KERNELC_PRELUDE_H
#define KERNELC_PRELUDE_H

#include "translate/source/text.h"

extern const vptr__text kc_prelude_texts[]; /* one, which Makefile.am makes of prelude.cu */

#endif
