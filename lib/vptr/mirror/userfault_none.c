/* SPDX-License-Identifier: MIT */
/*
 * userfault_none - the functions of userfault.h where the system's headers do not know userfaultfd (before Linux 5.13).
 *
 * vptr__userfault_begin() finds no file to be had, so none of the others is ever called. configure builds this file in
 * place of userfault.c there. Its only data is vptr__userfault_requests, a constant table without functions; there is
 * no lock. Called by fault.c, view.c and trial.c.
 */
#include "mirror/userfault.h"

#include <errno.h>

bool vptr__userfault_begin(void) {
  errno = ENOSYS;
  return false;
}

void vptr__userfault_end(void) {}

bool vptr__userfault_is_on(void) {
  return false;
}

bool vptr__userfault_guard(void *at, size_t size) {
  (void)at, (void)size;
  return false;
}

size_t vptr__userfault_map(void *at, size_t size, bool writes) {
  (void)at, (void)size, (void)writes;
  return 0;
}

bool vptr__userfault_keep_writes_out(void *at, size_t size) {
  (void)at, (void)size;
  return false;
}

bool vptr__userfault_unmap(void *at, size_t size) {
  (void)at, (void)size;
  return false;
}

bool vptr__userfault_wait(int milliseconds) {
  (void)milliseconds;
  return false;
}

const vptr__requests vptr__userfault_requests = { .arrived = NULL };
