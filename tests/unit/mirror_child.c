/* SPDX-License-Identifier: MIT */
/* mirror_child - see mirror_child.h. */
#include "mirror_child.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mirror/fault.h"
#include "mirror/userfault.h"
#include "support/support.h"

child mirror_child;

void mirror_child_exits(void (*body)(void), int code) {
  child_run(body, &mirror_child);
  ck_assert_msg(mirror_child.exited && mirror_child.exit_code == code, "exit code %d, signal %d:\n%s",
                mirror_child.exit_code, mirror_child.signal, mirror_child.text);
}

void mirror_child_dies(void (*body)(void), int number) {
  child_run(body, &mirror_child);
  ck_assert_msg(!mirror_child.exited && mirror_child.signal == number, "exit code %d, signal %d:\n%s",
                mirror_child.exit_code, mirror_child.signal, mirror_child.text);
}

static void report_way(void) {
  mirror_child_succeed(vptr__fault_watch());
  _exit(vptr__userfault_is_on());
}

bool mirror_child_has_userfault(void) {
  child told;
  child_run(report_way, &told);
  ck_assert_msg(told.exited && told.exit_code <= 1, "exit code %d:\n%s", told.exit_code, told.text);
  return told.exit_code == 1;
}

void mirror_child_succeed(vptr_status status) {
  child_require(status == VPTR_SUCCESS, vptr_last_error());
}

void mirror_child_begin(void) {
  const struct rlimit none = { 0, 0 };
  setrlimit(RLIMIT_CORE, &none);
  page = (size_t)sysconf(_SC_PAGESIZE);
  mirror_child_succeed(vptr_mapper_create(NULL, &mapper));
  signal(SIGSEGV, SIG_DFL);
}

vptr__mirror *mirror_child_make(void) {
  vptr__mirror *made;
  mirror_child_succeed(vptr__mirror_create(mapper, PAGES * page, &made));
  return made;
}

void mirror_child_fill(vptr__mirror *what, unsigned char byte) {
  vptr__device *device = mapper->device;
  mirror_child_succeed(mirrors_acquire_all(what, VPTR_ACCESS_READ_WRITE));
  mirror_child_succeed(device->ops->transfer.fill(device, vptr__mirror_buffer(what), 0, PAGES * page, &byte, 1));
  vptr__mirror_release(what, 0, NULL);
}

void mirror_child_mirror(void) {
  mirror = mirror_child_make();
  host = vptr__mirror_host(mirror);
  mirror_child_fill(mirror, 5);
}

void mirror_child_check(void) {
  child_require(host[0] == 5, "the host reads what the device wrote");
  host[page] = 6;
  child_require(host[page] == 6, "the host reads what it wrote");
}
