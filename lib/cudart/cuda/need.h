/* SPDX-License-Identifier: MIT */
/*
 * need - what registering a module or a GPU binary needs that takes the dynamic loader's lock to obtain: the current
 * device, since drivers are opened by dlopen(); libzstd; and the translator of CUDA text.
 *
 * Constructors and destructors of plugins run with the loader's lock held, and take the lock of units (cuda/unit.h). So
 * whoever registers under that lock obtains what is needed first, without it:
 *
 *     vptr__cuda_obtained obtained = { 0 };
 *     vptr__cuda_need_obtain(vptr__cuda_need_of(content), &obtained);
 *     ... take the lock, register with what was obtained, give it back
 *
 * No data, no locks. Used by unit.c, binary.c and registration.c.
 */
#ifndef VPTR_CUDA_NEED_H
#define VPTR_CUDA_NEED_H

#include <vptr/vptr.h>

#include "cuda/content.h"

enum { VPTR__CUDA_NEED_DEVICE = 1, VPTR__CUDA_NEED_ZSTD = 2, VPTR__CUDA_NEED_TRANSLATOR = 4 };

/* Zeros at first. */
typedef struct vptr__cuda_obtained {
  unsigned needs;      /* all that was tried */
  vptr_mapper *mapper; /* of the device that was current then; NULL: not needed, or it could not be opened */
} vptr__cuda_obtained;

/* Of VPTR__CUDA_NEED_*. Reads no more of the content than its headers. */
unsigned vptr__cuda_need_of(const vptr__cuda_content *content);

/* Of a module of a program's: text of CUDA is translated. NULL needs nothing. */
unsigned vptr__cuda_need_of_text(const char *text, size_t length);

/* Obtains what is not obtained yet. What cannot be had is an error of whoever uses it, and none here. The caller holds
 * no lock that constructors or destructors take. */
void vptr__cuda_need_obtain(unsigned needs, vptr__cuda_obtained *obtained);

#endif
