/* SPDX-License-Identifier: MIT */
/* faults - see faults.h. */
#include "layer/faults.h"

#include <stdint.h>
#include <stdlib.h>

#include "device/fake.h"
#include "support/support.h"

static const layer_control *layer; /* NULL: the fake device, or no layer */
static uint64_t operations;        /* of the fake device's, when a fault was planted */
static long planted;               /* 0: none */
static bool has_fired;
static const char *where = "";

void faults_begin(void) {
  if (support_has_opencl())
    layer = layer_install();
}

bool faults_can(void) {
  return layer != NULL || !support_has_opencl();
}

static uint64_t fake_operations(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.operations;
}

void faults_plant_in_a_row(long n, long count, cl_int code) {
  planted = n;
  has_fired = false;
  operations = fake_operations();
  if (layer != NULL)
    layer->inject(LAYER_ANY, n, code);
  else
    vptr__fake_fail_in_a_row(n, count, code);
}

void faults_plant(long n, cl_int code) {
  faults_plant_in_a_row(n, 1, code);
}

bool faults_pull(void) {
  if (planted == 0)
    return has_fired;
  if (layer == NULL) {
    vptr__fake_fail_nth(0, CL_SUCCESS);
    has_fired = fake_operations() - operations >= (uint64_t)planted;
  } else {
    has_fired = layer->fired();
    where = layer->name(layer->fired_in());
    layer->inject(LAYER_ANY, 0, CL_SUCCESS);
  }
  planted = 0;
  return has_fired;
}

bool faults_have_fired(void) {
  return has_fired;
}

const char *faults_where(void) {
  return where;
}

size_t faults_objects(void) {
  if (layer != NULL) {
    const layer_objects held = layer->objects();
    return (size_t)(held.buffers + held.queues + held.contexts);
  }
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.buffers + counts.queues + counts.host_buffers;
}
