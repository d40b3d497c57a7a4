/* SPDX-License-Identifier: MIT */
/*
 * event - see event.h.
 *
 * The structure's version and size are not looked at: both versions that NVTX ever had begin with the same members.
 * No data, no locks. Called by injection.c alone.
 */
#include "nvtx/event.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "nvtx/domain.h"

static void append(vptr__nvtx_event *event, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(vptr__nvtx_event *event, const char *format, ...) {
  size_t used = strlen(event->details);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(event->details + used, sizeof event->details - used, format, arguments);
  va_end(arguments);
}

static void append_category(vptr__nvtx_event *event, nvtxDomainHandle_t domain, uint32_t category) {
  vptr__nvtx_text name;
  if (vptr__nvtx_category_name(domain, category, &name))
    append(event, ", category %s", name.bytes);
  else if (category != 0)
    append(event, ", category %" PRIu32, category);
}

static void append_payload(vptr__nvtx_event *event, const nvtxEventAttributes_t *attributes) {
  switch (attributes->payloadType) {
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
    append(event, ", payload %" PRIu64, attributes->payload.ullValue);
    break;
  case NVTX_PAYLOAD_TYPE_INT64:
    append(event, ", payload %" PRId64, attributes->payload.llValue);
    break;
  case NVTX_PAYLOAD_TYPE_DOUBLE:
    append(event, ", payload %g", attributes->payload.dValue);
    break;
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
    append(event, ", payload %" PRIu32, attributes->payload.uiValue);
    break;
  case NVTX_PAYLOAD_TYPE_INT32:
    append(event, ", payload %" PRId32, attributes->payload.iValue);
    break;
  case NVTX_PAYLOAD_TYPE_FLOAT:
    append(event, ", payload %g", (double)attributes->payload.fValue);
    break;
  default:
    break;
  }
}

vptr__nvtx_event vptr__nvtx_event_of_text(vptr__nvtx_text message) {
  return (vptr__nvtx_event){ .message = message };
}

vptr__nvtx_event vptr__nvtx_event_of(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  vptr__nvtx_event event = vptr__nvtx_event_of_text(vptr__nvtx_text_of_bytes(NULL));
  if (domain != NULL)
    append(&event, ", domain %s", vptr__nvtx_domain_name(domain));
  if (attributes == NULL)
    return event;
  event.message = vptr__nvtx_text_of_message(attributes->messageType, attributes->message);
  append_category(&event, domain, attributes->category);
  append_payload(&event, attributes);
  return event;
}
