/* SPDX-License-Identifier: MIT */
/* launched - see launched.h. */
#include "unit/launched.h"

#include <string.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

vptr_mapper *launched_mapper;
vptr__module *launched_module;
vptr__stream *launched_stream;

void launched_begin(const char *text) {
  vptr__fake_report_addresses(true);
  support_succeed(vptr__mapper_for_device(0, &launched_mapper));
  support_succeed(vptr__module_load(text, strlen(text), &launched_module));
  support_succeed(vptr__stream_create(launched_mapper, VPTR__STREAM_NON_BLOCKING, 0, &launched_stream));
}

void launched_end(void) {
  support_succeed(vptr__stream_destroy(launched_stream));
  vptr__module_unload(launched_module);
  support_succeed(vptr_clear(launched_mapper));
  support_succeed(vptr_trim(launched_mapper, 0));
}
