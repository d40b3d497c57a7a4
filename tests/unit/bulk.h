/* SPDX-License-Identifier: MIT */
/*
 * bulk - what the tests of large copies share: a mapper that makes them in pieces, bytes that tell their place.
 *
 * No device here asks for it, so the tests say it does, and that the machine has cores for it.
 */
#ifndef VPTR_TESTS_UNIT_BULK_H
#define VPTR_TESTS_UNIT_BULK_H

#include <vptr/vptr.h>

#include "device/fake.h"
#include "mapper/mapper.h"
#include "support/support.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

enum { BULK_THREADS = 4, BULK_LEAST = 32 << 10 /* bytes of a line, to go in pieces */ };

static inline vptr_mapper *bulk_mapper(void) {
  vptr_mapper *made;
  support_succeed(vptr_mapper_create(NULL, &made));
  made->device->tuning.bulk_bytes = BULK_LEAST;
  return made;
}

static inline bool bulk_is_used(const vptr_mapper *of) {
  return vptr__mapper_state(of, VPTR__SUBSYSTEM_BULK) != NULL;
}

static inline vptr__fake_counts bulk_counts(void) {
  vptr__fake_counts now;
  vptr__fake_get_counts(&now);
  return now;
}

static inline unsigned char bulk_byte(size_t i, unsigned salt) {
  return (unsigned char)((i * 2654435761u >> 13) + i + salt);
}

static inline void bulk_write(unsigned char *to, size_t size, unsigned salt) {
  for (size_t i = 0; i < size; i++)
    to[i] = bulk_byte(i, salt);
}

static inline bool bulk_has(const unsigned char *at, size_t size, unsigned salt) {
  for (size_t i = 0; i < size; i++)
    if (at[i] != bulk_byte(i, salt))
      return false;
  return true;
}

static inline unsigned char *bulk_allocate(vptr_mapper *of, size_t size) {
  void *ptr;
  support_succeed(vptr_malloc(of, size, &ptr));
  return ptr;
}

#endif
