/* SPDX-License-Identifier: MIT */
/*
 * injection - the library as a tool of NVTX: what it writes into the tables of a program, and of each of its libraries.
 *
 * It listens where VPTR_VERBOSE asks for lines, and else refuses, so that a call costs its caller no more than without
 * a tool. Functions for objects of OpenCL and for locks of the program's are left as they are: nobody shows those. No
 * data that changes, no locks. Called by programs, and by export.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <vptr/cuda/vptr_nvtx_tool.h>

#include "base/log.h"
#include "base/memory.h"
#include "nvtx/domain.h"
#include "nvtx/injection.h"
#include "nvtx/line.h"
#include "nvtx/range.h"
#include "nvtx/stack.h"

/* ---- marks and ranges ----------------------------------------------------------------------------------- */

static void show_mark(const vptr__nvtx_event *event) {
  vptr__nvtx_line(vptr__nvtx_stack_depth(), "mark %s%s", event->message.bytes, event->details);
}

static vptr__nvtx_event event_of_bytes(const char *message) {
  return vptr__nvtx_event_of_text(vptr__nvtx_text_of_bytes(message));
}

static vptr__nvtx_event event_of_wide(const wchar_t *message) {
  return vptr__nvtx_event_of_text(vptr__nvtx_text_of_wide(message));
}

static void mark_in(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  vptr__nvtx_event event = vptr__nvtx_event_of(domain, attributes);
  show_mark(&event);
}

static void mark_event(const nvtxEventAttributes_t *attributes) {
  mark_in(NULL, attributes);
}

static void mark_bytes(const char *message) {
  vptr__nvtx_event event = event_of_bytes(message);
  show_mark(&event);
}

static void mark_wide(const wchar_t *message) {
  vptr__nvtx_event event = event_of_wide(message);
  show_mark(&event);
}

static nvtxRangeId_t start_in(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  vptr__nvtx_event event = vptr__nvtx_event_of(domain, attributes);
  return vptr__nvtx_range_start(&event);
}

static nvtxRangeId_t start_event(const nvtxEventAttributes_t *attributes) {
  return start_in(NULL, attributes);
}

static nvtxRangeId_t start_bytes(const char *message) {
  vptr__nvtx_event event = event_of_bytes(message);
  return vptr__nvtx_range_start(&event);
}

static nvtxRangeId_t start_wide(const wchar_t *message) {
  vptr__nvtx_event event = event_of_wide(message);
  return vptr__nvtx_range_start(&event);
}

static void stop_in(nvtxDomainHandle_t domain, nvtxRangeId_t number) {
  (void)domain; /* numbers are of all domains */
  vptr__nvtx_range_end(number);
}

static int push_in(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  vptr__nvtx_event event = vptr__nvtx_event_of(domain, attributes);
  return vptr__nvtx_stack_push(domain, &event);
}

static int push_event(const nvtxEventAttributes_t *attributes) {
  return push_in(NULL, attributes);
}

static int push_bytes(const char *message) {
  vptr__nvtx_event event = event_of_bytes(message);
  return vptr__nvtx_stack_push(NULL, &event);
}

static int push_wide(const wchar_t *message) {
  vptr__nvtx_event event = event_of_wide(message);
  return vptr__nvtx_stack_push(NULL, &event);
}

static int pop_default(void) {
  return vptr__nvtx_stack_pop(NULL);
}

/* ---- names ---------------------------------------------------------------------------------------------- */

static void show_name(const char *object, vptr__nvtx_text name) {
  vptr__nvtx_line(vptr__nvtx_stack_depth(), "name of %s: %s", object, name.bytes);
}

static void name_number(const char *kind, long number, vptr__nvtx_text name) {
  char object[64];
  snprintf(object, sizeof object, "%s %ld", kind, number);
  show_name(object, name);
}

static void name_handle(const char *kind, const void *handle, vptr__nvtx_text name) {
  char object[64];
  snprintf(object, sizeof object, "%s %p", kind, handle);
  show_name(object, name);
}

static void name_category(nvtxDomainHandle_t domain, uint32_t category, vptr__nvtx_text name) {
  char object[64 + VPTR__NVTX_TEXT_SIZE];
  const char *domain_name = vptr__nvtx_domain_name(domain);
  vptr__nvtx_category_set_name(domain, category, &name);
  snprintf(object, sizeof object, "category %" PRIu32 "%s%s", category, domain_name != NULL ? " of domain " : "",
           domain_name != NULL ? domain_name : "");
  show_name(object, name);
}

static void name_category_in(nvtxDomainHandle_t domain, uint32_t category, const char *name) {
  name_category(domain, category, vptr__nvtx_text_of_bytes(name));
}

static void name_category_in_wide(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name) {
  name_category(domain, category, vptr__nvtx_text_of_wide(name));
}

static void name_category_bytes(uint32_t category, const char *name) {
  name_category_in(NULL, category, name);
}

static void name_category_wide(uint32_t category, const wchar_t *name) {
  name_category_in_wide(NULL, category, name);
}

static void name_thread(uint32_t thread, vptr__nvtx_text name) {
  vptr__nvtx_thread_set_name(thread, &name);
  name_number("thread", (long)thread, name);
}

static void name_thread_bytes(uint32_t thread, const char *name) {
  name_thread(thread, vptr__nvtx_text_of_bytes(name));
}

static void name_thread_wide(uint32_t thread, const wchar_t *name) {
  name_thread(thread, vptr__nvtx_text_of_wide(name));
}

static void name_device_bytes(int device, const char *name) {
  name_number("device", device, vptr__nvtx_text_of_bytes(name));
}

static void name_device_wide(int device, const wchar_t *name) {
  name_number("device", device, vptr__nvtx_text_of_wide(name));
}

static void name_context_bytes(const void *context, const char *name) {
  name_handle("context", context, vptr__nvtx_text_of_bytes(name));
}

static void name_context_wide(const void *context, const wchar_t *name) {
  name_handle("context", context, vptr__nvtx_text_of_wide(name));
}

static void name_stream_bytes(const void *stream, const char *name) {
  name_handle("stream", stream, vptr__nvtx_text_of_bytes(name));
}

static void name_stream_wide(const void *stream, const wchar_t *name) {
  name_handle("stream", stream, vptr__nvtx_text_of_wide(name));
}

static void name_event_bytes(const void *event, const char *name) {
  name_handle("event", event, vptr__nvtx_text_of_bytes(name));
}

static void name_event_wide(const void *event, const wchar_t *name) {
  name_handle("event", event, vptr__nvtx_text_of_wide(name));
}

/* A handle that is nobody else's: what is known of the resource was shown. */
static nvtxResourceHandle_t create_resource(nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attributes) {
  (void)domain;
  if (attributes != NULL)
    name_handle("resource", attributes->identifier.pValue,
                vptr__nvtx_text_of_message(attributes->messageType, attributes->message));
  return vptr__memory_calloc(1, 1);
}

static void destroy_resource(nvtxResourceHandle_t resource) {
  vptr__memory_free(resource);
}

/* ---- domains and strings -------------------------------------------------------------------------------- */

static nvtxDomainHandle_t create_domain(const char *name) {
  vptr__nvtx_text text = vptr__nvtx_text_of_bytes(name);
  return vptr__nvtx_domain_create(&text);
}

static nvtxDomainHandle_t create_domain_wide(const wchar_t *name) {
  vptr__nvtx_text text = vptr__nvtx_text_of_wide(name);
  return vptr__nvtx_domain_create(&text);
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char *string) {
  vptr__nvtx_text text = vptr__nvtx_text_of_bytes(string);
  return vptr__nvtx_string_register(domain, &text);
}

static nvtxStringHandle_t register_string_wide(nvtxDomainHandle_t domain, const wchar_t *string) {
  vptr__nvtx_text text = vptr__nvtx_text_of_wide(string);
  return vptr__nvtx_string_register(domain, &text);
}

static void initialize(const void *reserved) {
  (void)reserved; /* the first call of any kind has done it */
}

/* ---- tables --------------------------------------------------------------------------------------------- */

#define FUNCTION(name) ((vptr_nvtx_function)(name))

/* In the order of the interface, from 1. */
static const vptr_nvtx_function functions[VPTR_NVTX_GROUPS][VPTR_NVTX_MOST] = {
  [VPTR_NVTX_CORE] = { NULL, FUNCTION(mark_event), FUNCTION(mark_bytes), FUNCTION(mark_wide), FUNCTION(start_event),
                       FUNCTION(start_bytes), FUNCTION(start_wide), FUNCTION(vptr__nvtx_range_end),
                       FUNCTION(push_event), FUNCTION(push_bytes), FUNCTION(push_wide), FUNCTION(pop_default),
                       FUNCTION(name_category_bytes), FUNCTION(name_category_wide), FUNCTION(name_thread_bytes),
                       FUNCTION(name_thread_wide) },
  [VPTR_NVTX_CUDA] = { NULL, FUNCTION(name_device_bytes), FUNCTION(name_device_wide), FUNCTION(name_context_bytes),
                       FUNCTION(name_context_wide), FUNCTION(name_stream_bytes), FUNCTION(name_stream_wide),
                       FUNCTION(name_event_bytes), FUNCTION(name_event_wide) },
  [VPTR_NVTX_CUDART] = { NULL, FUNCTION(name_device_bytes), FUNCTION(name_device_wide), FUNCTION(name_stream_bytes),
                         FUNCTION(name_stream_wide), FUNCTION(name_event_bytes), FUNCTION(name_event_wide) },
  [VPTR_NVTX_DOMAINS] = { NULL, FUNCTION(mark_in), FUNCTION(start_in), FUNCTION(stop_in), FUNCTION(push_in),
                          FUNCTION(vptr__nvtx_stack_pop), FUNCTION(create_resource), FUNCTION(destroy_resource),
                          FUNCTION(name_category_in), FUNCTION(name_category_in_wide), FUNCTION(register_string),
                          FUNCTION(register_string_wide), FUNCTION(create_domain), FUNCTION(create_domain_wide),
                          FUNCTION(vptr__nvtx_domain_destroy), FUNCTION(initialize) },
};

/* A program of an older NVTX may have fewer functions. */
static void fill_group(const struct vptr_nvtx_function_export *groups, int group) {
  vptr_nvtx_function **slots;
  unsigned int count;
  if (!groups->group(group, &slots, &count))
    return;
  for (unsigned int i = 1; i < count && i < VPTR_NVTX_MOST; i++)
    if (slots[i] != NULL && functions[group][i] != NULL)
      *slots[i] = functions[group][i];
}

int InitializeInjectionNvtx2(vptr_nvtx_export tables) {
  const struct vptr_nvtx_function_export *groups = tables(VPTR_NVTX_FUNCTIONS);
  if (groups == NULL || groups->size < sizeof *groups || !vptr__log_wanted(VPTR__NVTX_LOG_LEVEL))
    return 0;
  for (int group = 1; group < VPTR_NVTX_GROUPS; group++)
    fill_group(groups, group);
  return 1;
}
