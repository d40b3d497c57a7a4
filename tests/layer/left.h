/* SPDX-License-Identifier: MIT */
/*
 * left - what is live while the device is idle: looked at before a walk of faults, and again behind it, for what fails
 * must leave nothing. For programs that use the CUDA runtime; static, since not all of them link it.
 */
#ifndef VPTR_TESTS_LEFT_H
#define VPTR_TESTS_LEFT_H

#include <stdio.h>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "layer/layer.h"

typedef struct left {
  size_t allocations;
  long memory, buffers, events;
} left;

/* layer NULL: the fake device. */
static inline left left_look(vptr_mapper *mapper, const layer_control *layer) {
  vptr__fake_counts counts;
  cudaDeviceSynchronize();
  vptr_trim(mapper, 0);
  vptr__fake_get_counts(&counts);
  if (layer == NULL)
    return (left){ vptr_count(mapper), vptr__memory_live(), (long)counts.buffers, (long)counts.events };
  const layer_objects objects = layer->objects();
  return (left){ vptr_count(mapper), vptr__memory_live(), objects.buffers, objects.events };
}

/* No more than before, which is said if it is not so. Streams give back what they have a moment later. */
static inline bool left_as_before(const char *what, left before, vptr_mapper *mapper, const layer_control *layer) {
  enum { FEW = 4, LOOKS = 5000 };
  left now = left_look(mapper, layer);
  for (int i = 0; i < LOOKS && (now.memory > before.memory + FEW || now.events > before.events + FEW); i++) {
    usleep(1000);
    now = left_look(mapper, layer);
  }
  const bool is = now.allocations == before.allocations && now.buffers <= before.buffers &&
                  now.events <= before.events + FEW && now.memory <= before.memory + FEW;
  if (!is)
    printf("%s: left %zu of %zu allocations, %ld of %ld buffers, %ld of %ld events, %ld of %ld pieces of memory\n",
           what, now.allocations, before.allocations, now.buffers, before.buffers, now.events, before.events,
           now.memory, before.memory);
  return is;
}

#endif
