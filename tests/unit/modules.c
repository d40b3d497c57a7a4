/* SPDX-License-Identifier: MIT */
/* modules - see modules.h. */
#include "unit/modules.h"

#include <string.h>

#include "device/fake.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=table lowered=_ZN1a5tableE size=16 align=4 kind=device "
                           "initial=01000000020000000300000004000000\n"
                           "//vptr variable name=total lowered=total size=4 align=4 kind=managed initial=07000000\n"
                           "//vptr variable name=elsewhere lowered=elsewhere size=16 align=4 kind=device extern=1\n"
                           "//vptr variable name=head lowered=head size=24 align=8 kind=device "
                           "initial=0500000000000000ffffffffffffffffeeeeeeeeeeeeeeee\n"
                           "//vptr variable name=tail lowered=tail size=8 align=8 kind=constant\n"
                           "//vptr variable name=open lowered=open size=8 align=8 kind=device\n"
                           "//vptr variable name=vptr_heap lowered=vptr_heap size=512 align=16 kind=device extern=1\n"
                           "//vptr variable name=vptr_locks lowered=vptr_locks size=16 align=4 kind=device extern=1\n"
                           "//vptr address variable=head at=8 of=tail\n"
                           "//vptr address variable=head at=16 of=_ZN1a5tableE plus=4\n"
                           "//vptr address variable=tail of=head\n"
                           "//vptr address variable=open of=elsewhere\n"
                           "//vptr kernel name=add lowered=_Z3addPii entry=m_add\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr kernel name=read lowered=_Z4readPi entry=m_read\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=variable name=_ZN1a5tableE\n"
                           "//vptr kernel name=read_elsewhere lowered=_Z14read_elsewherePi entry=m_read\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=variable name=elsewhere\n"
                           "//vptr kernel name=read_heap lowered=_Z9read_heapPi entry=m_read\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=variable name=vptr_heap\n"
                           "//vptr kernel name=count lowered=_Z5counti entry=m_count\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=variable name=total\n"
                           "//vptr kernel name=read_locks lowered=_Z10read_locksPi entry=m_read\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=variable name=vptr_locks\n"
                           "//vptr kernel name=count_locks lowered=_Z11count_locksi entry=m_count\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=variable name=vptr_locks\n"
                           "//vptr kernel name=check lowered=_Z5checki entry=m_check\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=status\n"
                           "//vptr kernel name=print lowered=_Z5printii entry=m_print prints=1\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr hidden kind=prints\n"
                           "m_print m_add m_read m_count m_check\n";

atomic_int modules_added;

static int *pointer_at(const vptr__fake_launch *launch, int index) {
  return (int *)((char *)launch->arguments[index] + *(cl_ulong *)launch->arguments[index + 1]);
}

static void run_add(const vptr__fake_launch *launch) {
  *pointer_at(launch, 0) += *(int *)launch->arguments[2];
  atomic_fetch_add(&modules_added, 1);
}

static void run_read(const vptr__fake_launch *launch) {
  memcpy(pointer_at(launch, 0), pointer_at(launch, 2), 16);
}

static void run_count(const vptr__fake_launch *launch) {
  *pointer_at(launch, 1) += *(int *)launch->arguments[0];
}

static void run_check(const vptr__fake_launch *launch) {
  if (*(int *)launch->arguments[0] != 0)
    *pointer_at(launch, 1) = *(int *)launch->arguments[0];
}

/* The words of a record, the first one last; as kernels take them. */
static void write_record(uint32_t *ring, int number) {
  enum { HEAD, TAIL, LOST, WORDS, RECORDS = 16 };
  const uint32_t record[] = { 6, 4, 0, (uint32_t)number, number < 0 ? UINT32_MAX : 0, 0 }, words = 6;
  const uint32_t at = ring[HEAD] & (ring[WORDS] - 1), skip = words > ring[WORDS] - at ? ring[WORDS] - at : 0;
  if (ring[HEAD] - ring[TAIL] + skip + words > ring[WORDS]) {
    ring[LOST]++;
    return;
  }
  if (skip > 0)
    ring[RECORDS + at] = skip | UINT32_C(1) << 31;
  ring[HEAD] += skip;
  uint32_t *to = ring + RECORDS + (ring[HEAD] & (ring[WORDS] - 1));
  memcpy(to, record, sizeof record);
  memcpy(to + 2, "%d\n", 4);
  to[0] |= number < 0 ? UINT32_C(1) << 30 : 0;
  to[1] = 3;
  ring[HEAD] += words;
}

static void run_print(const vptr__fake_launch *launch) {
  const int from = *(int *)launch->arguments[0], count = *(int *)launch->arguments[1];
  for (int i = 0; i < count; i++)
    write_record((uint32_t *)pointer_at(launch, 2), from + i);
}

void modules_define(void) {
  vptr__fake_define("m_print", run_print);
  vptr__fake_define("m_add", run_add);
  vptr__fake_define("m_read", run_read);
  vptr__fake_define("m_count", run_count);
  vptr__fake_define("m_check", run_check);
}

vptr_status modules_load(vptr__module **module_out) {
  return vptr__module_load(text, sizeof text - 1, module_out);
}

vptr_status modules_launch(vptr__stream *stream, vptr__module *module, const char *name, void **arguments) {
  vptr__launch launch = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  return vptr__function_launch(vptr__module_function(module, name), stream, &launch);
}
