/* SPDX-License-Identifier: MIT */
/*
 * writer - a surveyed PTX text as a module (module/image.h). No locks: all is a variable of one call's. Used by ptx.c.
 */
#ifndef VPTR_NVIDIA_WRITER_H
#define VPTR_NVIDIA_WRITER_H

#include <stdio.h>

#include "nvidia/survey.h"

/* Errors of the stream are the caller's to ask for; OUT_OF_HOST_MEMORY. */
vptr_status vptr__ptx_write(const vptr__ptx_survey *survey, FILE *out);

#endif
