/* SPDX-License-Identifier: MIT */
/* residences - see residences.h. */
#include "residences.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/option.h"
#include "layer/faults.h"
#include "support/support.h"

vptr_mapper *residences_mapper;
unsigned char *many[MANY];
unsigned char seen[SIZE];

void residences_begin(bool oversubscribes) {
  char budget[32];
  snprintf(budget, sizeof budget, "%d", FIT * SIZE + LEFT);
  setenv("VPTR_DEVICE_BYTES", budget, 1);
  setenv("VPTR_OVERSUBSCRIBE", oversubscribes ? "1" : "0", 1);
  vptr__option_reload();
  support_succeed(vptr_mapper_create(NULL, &residences_mapper));
}

void residences_end(void) {
  support_succeed(vptr_check(residences_mapper));
  support_succeed(vptr_mapper_destroy(residences_mapper));
  vptr__store_avoid_memory(false);
  unsetenv("VPTR_DEVICE_BYTES");
  unsetenv("VPTR_OVERSUBSCRIBE");
  unsetenv("VPTR_SPILL_DIR");
  vptr__option_reload();
}

unsigned char *residences_allocate(void) {
  void *ptr;
  support_succeed(vptr_malloc(residences_mapper, SIZE, &ptr));
  return ptr;
}

static unsigned char byte_of(int value, int i) {
  return (unsigned char)(value + i / 5);
}

void residences_write(void *to, int value) {
  static unsigned char bytes[SIZE];
  for (int i = 0; i < SIZE; i++)
    bytes[i] = byte_of(value, i);
  support_succeed(vptr_memcpy(residences_mapper, to, bytes, SIZE));
}

bool residences_match(const unsigned char *host, int value) {
  for (int i = 0; i < SIZE; i++)
    if (host[i] != byte_of(value, i))
      return false;
  return true;
}

void residences_expect(const void *from, int value) {
  memset(seen, 0xaa, SIZE);
  support_succeed(vptr_memcpy(residences_mapper, seen, from, SIZE));
  support_must(residences_match(seen, value));
}

vptr__residence residences_state(const void *ptr) {
  vptr__heap_lock(residences_mapper->heap);
  vptr__residence state = vptr__range_at(residences_mapper->heap, ptr)->residence;
  vptr__heap_unlock(residences_mapper->heap);
  return state;
}

size_t residences_away(void) {
  const vptr__heap_places places = vptr__heap_places_of(residences_mapper->heap);
  ck_assert_uint_eq(places.in_memory + places.in_files, places.away_count * SIZE);
  return places.away_count;
}

void residences_set_up(void) {
  residences_begin(true);
  for (int i = 0; i < MANY; i++)
    residences_write(many[i] = residences_allocate(), i);
}

void residences_tear_down(void) {
  for (int i = 0; i < MANY; i++)
    support_succeed(vptr_free(residences_mapper, many[i]));
  support_succeed(vptr_trim(residences_mapper, 0));
  ck_assert_uint_eq(residences_away(), 0);
  residences_end();
}

/* ---- holding up a move ---------------------------------------------------------------------------------- */

static const vptr__device_ops *true_ops;
static vptr__device_ops ops;
static _Atomic(int) held_step; /* STEPS: none; whoever takes it is held up */
static atomic_bool is_there, may_go;
static bool is_to_fail;

static vptr_status pass(residences_step step) {
  int expected = (int)step;
  if (!atomic_compare_exchange_strong(&held_step, &expected, STEPS))
    return VPTR_SUCCESS;
  bool fails = is_to_fail;
  atomic_store(&is_there, true);
  while (!atomic_load(&may_go))
    usleep(100);
  return fails ? vptr__error(VPTR_ERROR_OPENCL, "refused as the test likes") : VPTR_SUCCESS;
}

static vptr_status finish_held(vptr__device *device) {
  vptr_status status = pass(STEP_FINISH);
  return status == VPTR_SUCCESS ? true_ops->queue.finish_all(device) : status;
}

static vptr_status read_held(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  vptr_status status = pass(STEP_READ);
  return status == VPTR_SUCCESS ? true_ops->transfer.read(device, buffer, offset, to, size) : status;
}

static vptr_status create_held(vptr__device *device, size_t bytes, cl_mem *buffer_out) {
  vptr_status status = pass(STEP_CREATE);
  return status == VPTR_SUCCESS ? true_ops->memory.create(device, bytes, buffer_out) : status;
}

static vptr_status write_held(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size) {
  vptr_status status = pass(STEP_WRITE);
  return status == VPTR_SUCCESS ? true_ops->transfer.write(device, buffer, offset, from, size) : status;
}

static void release_held(vptr__device *device, cl_mem buffer) {
  pass(STEP_RELEASE);
  true_ops->memory.release(device, buffer);
}

void residences_hold_up(residences_step step, bool fails) {
  vptr__device *device = residences_mapper->device;
  true_ops = device->ops;
  ops = *true_ops;
  ops.queue.finish_all = finish_held;
  ops.transfer.read = read_held;
  ops.transfer.write = write_held;
  ops.memory.create = create_held;
  ops.memory.release = release_held;
  is_to_fail = fails;
  atomic_store(&is_there, false);
  atomic_store(&may_go, false);
  atomic_store(&held_step, (int)step);
  device->ops = &ops;
}

void residences_await(void) {
  while (!atomic_load(&is_there))
    usleep(100);
}

void residences_let_go(void) {
  atomic_store(&may_go, true);
}

void residences_undo(void) {
  residences_mapper->device->ops = true_ops;
}

/* ---- faults, threads ------------------------------------------------------------------------------------ */

static void fail_by(long n, cl_int code) {
  if (n > 0)
    faults_plant(n, code);
  else
    faults_pull();
}

void residences_fail_device(long n) {
  fail_by(n, CL_OUT_OF_RESOURCES);
}

void residences_fail_for_room(long n) {
  fail_by(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

/* As nothing that has to do with room. */
void residences_fail_call(long n) {
  fail_by(n, CL_INVALID_OPERATION);
}

bool residences_has_fired(residences_fail *plant) {
  const bool is_of_device =
      plant == residences_fail_device || plant == residences_fail_for_room || plant == residences_fail_call;
  return is_of_device && faults_have_fired();
}

void residences_run_threads(int count, void *(*work)(void *worker)) {
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  residences_worker *workers = calloc((size_t)count, sizeof *workers);
  for (int i = 0; i < count; i++) {
    workers[i].number = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  int failures = 0;
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
    failures += workers[i].failures;
  }
  free(threads);
  free(workers);
  ck_assert_int_eq(failures, 0);
}
