/* SPDX-License-Identifier: MIT */
/*
 * event - what a mark or a range says of itself: its message, and what stands behind it in its line.
 *
 * Details are the domain, the category by its name or its number, and the payload, as far as there are any. A color is
 * for tools that draw, and is not shown.
 */
#ifndef VPTR_NVTX_EVENT_H
#define VPTR_NVTX_EVENT_H

#include "nvtx/text.h"

typedef struct vptr__nvtx_event {
  vptr__nvtx_text message;
  char details[3 * VPTR__NVTX_TEXT_SIZE]; /* each begins with ", " */
} vptr__nvtx_event;

/* attributes may be NULL. */
vptr__nvtx_event vptr__nvtx_event_of(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes);

/* In the default domain. */
vptr__nvtx_event vptr__nvtx_event_of_text(vptr__nvtx_text message);

#endif
