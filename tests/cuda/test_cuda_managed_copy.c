/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_managed_copy - copies and sets with memory of cudaMallocManaged() at their ends: every kind, any pages, in
 * order with kernels, and what failed has cost nothing.
 *
 * What must be there is kept in plain arrays beside. Launches and frees are in test_cuda_managed.c.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "managed.h"

enum { ROOM = 5 * 4096 + 777, PLACES = 5, ROUNDS = 400, MOST_OPERATIONS = 40 };

/* Memory of each kind: two that are managed, and one of the device, of the host, and of the host and pinned. */
typedef struct place {
  unsigned char *memory, model[ROOM];
  bool is_managed, is_host;
} place;

static place places[PLACES];
static uint64_t seed;

static void setup(void) {
  managed_setup();
  seed = 5;
  succeed(cudaMallocManaged((void **)&places[0].memory, ROOM, cudaMemAttachGlobal));
  succeed(cudaMallocManaged((void **)&places[1].memory, ROOM, cudaMemAttachGlobal));
  places[2].memory = (unsigned char *)device_memory(ROOM);
  places[3].memory = malloc(ROOM);
  succeed(cudaMallocHost((void **)&places[4].memory, ROOM));
  for (int i = 0; i < PLACES; i++) {
    places[i].is_managed = i < 2;
    places[i].is_host = i > 2;
    for (size_t at = 0; at < ROOM; at++)
      places[i].model[at] = (unsigned char)support_random(&seed);
    succeed(cudaMemcpy(places[i].memory, places[i].model, ROOM, cudaMemcpyDefault));
  }
}

static void teardown(void) {
  succeed(cudaFree(places[0].memory));
  succeed(cudaFree(places[1].memory));
  succeed(cudaFree(places[2].memory));
  free(places[3].memory);
  succeed(cudaFreeHost(places[4].memory));
  managed_teardown();
}

static void expect_place(const place *it) {
  unsigned char seen[ROOM];
  if (it->is_managed || it->is_host)
    support_must(memcmp(it->memory, it->model, ROOM) == 0);
  succeed(cudaMemcpy(seen, it->memory, ROOM, cudaMemcpyDefault));
  support_must(memcmp(seen, it->model, ROOM) == 0);
}

static void expect_all(void) {
  succeed(cudaDeviceSynchronize());
  for (int i = 0; i < PLACES; i++)
    expect_place(&places[i]);
}

/* The device has all of it, and the host nothing; from here on until it is looked at. */
static void use_on_device(place *it) {
  const int n = ROOM / (int)sizeof(int);
  int *numbers = (int *)(void *)it->memory;
  succeed(managed_run_add(numbers, n, 0x01010101, NULL));
  for (int i = 0, number; i < n; i++) {
    memcpy(&number, it->model + 4 * i, sizeof number);
    number = (int)((unsigned)number + 0x01010101u);
    memcpy(it->model + 4 * i, &number, sizeof number);
  }
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

typedef struct end {
  place *of;
  size_t at, row, rows; /* rows: of a slice */
} end;

static bool random_end(place *of, struct cudaExtent region, end *end_out) {
  end made = { of, 0, region.width + support_below(&seed, 2) * support_below(&seed, 3000),
               region.height + support_below(&seed, 2) * support_below(&seed, 3) };
  size_t reach = ((region.depth - 1) * made.rows + region.height - 1) * made.row + region.width;
  if (reach > ROOM)
    return false;
  made.at = support_below(&seed, 4) == 0 ? 0 : support_below(&seed, ROOM - reach + 1);
  *end_out = made;
  return true;
}

static struct cudaExtent random_region(void) {
  size_t lines = support_below(&seed, 3);
  return make_cudaExtent(1 + support_below(&seed, lines == 0 ? ROOM : 900),
                         lines > 0 ? 1 + support_below(&seed, 6) : 1, lines > 1 ? 1 + support_below(&seed, 3) : 1);
}

static size_t offset_of(const end *it, size_t y, size_t z) {
  return it->at + (z * it->rows + y) * it->row;
}

static void copy_model(const end *to, const end *from, struct cudaExtent region) {
  for (size_t z = 0; z < region.depth; z++)
    for (size_t y = 0; y < region.height; y++)
      memcpy(to->of->model + offset_of(to, y, z), from->of->model + offset_of(from, y, z), region.width);
}

static void set_model(const end *to, unsigned char value, struct cudaExtent region) {
  for (size_t z = 0; z < region.depth; z++)
    for (size_t y = 0; y < region.height; y++)
      memset(to->of->model + offset_of(to, y, z), value, region.width);
}

static struct cudaPitchedPtr pointer_of(const end *it, struct cudaExtent region) {
  return make_cudaPitchedPtr(it->of->memory + it->at, it->row, region.width, it->rows);
}

/* Managed memory is what the kind wants it to be. */
static enum cudaMemcpyKind random_kind(const end *to, const end *from) {
  bool to_host = to->of->is_host || (to->of->is_managed && support_below(&seed, 2) == 0);
  bool from_host = from->of->is_host || (from->of->is_managed && support_below(&seed, 2) == 0);
  if (support_below(&seed, 2) == 0)
    return cudaMemcpyDefault;
  return to_host ? (from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost)
                 : (from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice);
}

static cudaError_t copy_rect(const end *to, const end *from, struct cudaExtent region, cudaStream_t stream) {
  struct cudaMemcpy3DParms p = { .kind = random_kind(to, from), .extent = region };
  p.dstPtr = pointer_of(to, region);
  p.srcPtr = pointer_of(from, region);
  bool waits = support_below(&seed, 2) == 0;
  unsigned char *into = to->of->memory + to->at, *out_of = from->of->memory + from->at;
  if (region.depth > 1)
    return waits ? cudaMemcpy3D(&p) : cudaMemcpy3DAsync(&p, stream);
  if (region.height > 1)
    return waits ? cudaMemcpy2D(into, to->row, out_of, from->row, region.width, region.height, p.kind)
                 : cudaMemcpy2DAsync(into, to->row, out_of, from->row, region.width, region.height, p.kind, stream);
  return waits ? cudaMemcpy(into, out_of, region.width, p.kind)
               : cudaMemcpyAsync(into, out_of, region.width, p.kind, stream);
}

static cudaError_t set_rect(const end *to, unsigned char value, struct cudaExtent region, cudaStream_t stream) {
  bool waits = support_below(&seed, 2) == 0;
  unsigned char *into = to->of->memory + to->at;
  if (region.depth > 1)
    return waits ? cudaMemset3D(pointer_of(to, region), value, region)
                 : cudaMemset3DAsync(pointer_of(to, region), value, region, stream);
  if (region.height > 1)
    return waits ? cudaMemset2D(into, to->row, value, region.width, region.height)
                 : cudaMemset2DAsync(into, to->row, value, region.width, region.height, stream);
  return waits ? cudaMemset(into, value, region.width) : cudaMemsetAsync(into, value, region.width, stream);
}

/* To or from the first two; not within one, which may overlap. */
static void copy_some(cudaStream_t stream) {
  place *managed = &places[support_below(&seed, 2)], *other = &places[support_below(&seed, PLACES)];
  bool into = support_below(&seed, 2) == 0;
  struct cudaExtent region = random_region();
  end to, from;
  if (managed == other || !random_end(into ? managed : other, region, &to) ||
      !random_end(into ? other : managed, region, &from))
    return;
  succeed(copy_rect(&to, &from, region, stream));
  copy_model(&to, &from, region);
}

static void set_some(cudaStream_t stream) {
  struct cudaExtent region = random_region();
  unsigned char value = (unsigned char)support_below(&seed, 256);
  end to;
  if (!random_end(&places[support_below(&seed, 2)], region, &to))
    return;
  succeed(set_rect(&to, value, region, stream));
  set_model(&to, value, region);
}

static void write_on_host(void) {
  place *it = &places[support_below(&seed, 2)];
  size_t at = support_below(&seed, ROOM);
  it->memory[at] = it->model[at] = (unsigned char)support_below(&seed, 256);
}

/* The legacy stream is in order with all; a step's outcome is there for the next one. Host memory that is still being
 * copied from is left alone, so all is waited for now and then, and before the host writes. */
START_TEST(rects_of_all_kinds_go_to_the_byte) {
  vptr__fake_disorder(_i != 0 ? 7 : 0, 50);
  for (int round = 0; round < ROUNDS; round++) {
    switch (support_below(&seed, 6)) {
    case 0:
      use_on_device(&places[support_below(&seed, 2)]);
      break;
    case 1:
      set_some(NULL);
      break;
    case 2:
      succeed(cudaDeviceSynchronize());
      write_on_host();
      break;
    default:
      copy_some(NULL);
      break;
    }
    if (round % 7 == 0)
      expect_all();
  }
  expect_all();
  vptr__fake_disorder(0, 0);
}
END_TEST

/* ---- within one ----------------------------------------------------------------------------------------- */

START_TEST(ranges_of_one_allocation_may_overlap) {
  static const size_t distances[] = { 1, 7, 255, 4095, 4096, 4097, 9000 };
  place *it = &places[0];
  if (!managed_faults(it->memory))
    return; /* host memory to vptr_memcpy(), which knows of no kernels there; likewise below */
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
    for (int up = 0; up < 2; up++)
      for (size_t size = 1; size <= ROOM - 100 - distances[i]; size = size * 13 + 90) {
        size_t to = up ? 100 + distances[i] : 100, from = up ? 100 : 100 + distances[i];
        if (i % 2 == 0)
          use_on_device(it);
        support_succeed(vptr_memcpy(NULL, it->memory + to, it->memory + from, size));
        memmove(it->model + to, it->model + from, size);
        expect_place(it);
      }
}
END_TEST

START_TEST(a_pattern_may_be_managed_too) {
  place *to = &places[0], *from = &places[1];
  if (!managed_faults(to->memory))
    return;
  for (size_t size = 1; size < 5000; size = size * 3 + 1) {
    size_t count = (ROOM - 5) / size;
    use_on_device(from);
    use_on_device(to);
    support_succeed(vptr_fill(NULL, to->memory + 5, from->memory + 3, size, count));
    for (size_t i = 0; i < count * size; i++)
      to->model[5 + i] = from->model[3 + i % size];
    expect_place(to);
    use_on_device(to);
    support_succeed(vptr_fill(NULL, to->memory + size, to->memory, size, count - 2)); /* its own beginning */
    for (size_t i = 0; i < (count - 2) * size; i++)
      to->model[size + i] = to->model[i % size];
    expect_place(to);
    expect_place(from);
  }
}
END_TEST

/* ---- refused -------------------------------------------------------------------------------------------- */

/* Whole pages of a destination would be discarded, had it been acquired before the source was looked at. */
static void refuse_all(place *to) {
  unsigned char *gone = (unsigned char *)device_memory(ROOM);
  succeed(cudaFree(gone));
  expect(cudaErrorInvalidValue, cudaMemcpy(to->memory, gone, ROOM, cudaMemcpyDefault));
  expect(cudaErrorInvalidValue, cudaMemcpyAsync(to->memory, gone, ROOM, cudaMemcpyDefault, NULL));
  expect(cudaErrorInvalidValue, cudaMemcpy(to->memory, places[2].memory + 1, ROOM, cudaMemcpyDefault));
  expect(cudaErrorInvalidValue, cudaMemcpy(to->memory, places[1].memory + 1, ROOM, cudaMemcpyDefault));
  expect(cudaErrorInvalidValue, cudaMemcpy(to->memory, NULL, ROOM, cudaMemcpyDefault));
  expect(cudaErrorInvalidValue, cudaMemcpy(to->memory + 1, places[2].memory, ROOM, cudaMemcpyDefault));
  expect(cudaErrorInvalidValue, cudaMemcpy2D(to->memory, 50, gone, 50, 50, 80, cudaMemcpyDefault));
  expect(cudaErrorInvalidValue, cudaMemset(to->memory + 1, 0, ROOM));
  expect(cudaErrorInvalidValue, cudaMemset2D(to->memory, 100, 0, 100, ROOM / 100 + 1));
  support_expect(VPTR_ERROR_FREED, vptr_memcpy(NULL, to->memory, gone, ROOM));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr_fill(NULL, to->memory, gone, 7, 900));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, vptr_fill(NULL, to->memory, places[1].memory + ROOM - 10, 5000, 2));
}

START_TEST(what_is_refused_changes_nothing) {
  place *to = &places[0];
  if (!managed_faults(to->memory))
    return; /* how much of it is whose nobody looks at */
  refuse_all(to);
  expect_place(to);
  use_on_device(to);
  succeed(cudaDeviceSynchronize());
  uint64_t faults = managed_counts(to->memory).faults;
  refuse_all(to);
  ck_assert_uint_eq(managed_counts(to->memory).faults, faults);
  expect_place(to);
}
END_TEST

START_TEST(it_cannot_be_registered) {
  unsigned char *it = places[0].memory;
  if (!managed_faults(it))
    return;
  use_on_device(&places[0]);
  expect(cudaErrorInvalidValue, cudaHostRegister(it, ROOM, cudaHostRegisterDefault));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "managed memory"));
  expect(cudaErrorInvalidValue, cudaHostRegister(it + 4096, 100, cudaHostRegisterMapped));
  expect_place(&places[0]);
}
END_TEST

/* ---- order ---------------------------------------------------------------------------------------------- */

/* One copy each way, and a set, behind a stream that stands still; then the host looks. */
START_TEST(copies_wait_for_their_stream_and_the_host_for_them) {
  place *it = &places[0], *other = &places[1];
  managed_gate gate;
  cudaStream_t stream;
  if (!managed_faults(it->memory))
    return; /* what lies in place is the host's to set */
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 4; i++) {
    const end to = { it, 4096 + 99, 100, 30 }, from = { &places[i], 100, 300, 30 };
    const struct cudaExtent region = make_cudaExtent(i % 2 == 0 ? 90 : 6000, i % 2 == 0 ? 20 : 1, 1);
    if (i == 0)
      continue;
    use_on_device(it);
    succeed(cudaDeviceSynchronize());
    managed_close_gate(&gate, stream);
    succeed(cudaMemsetAsync(it->memory, 3 + i, 4096, stream));
    memset(it->model, 3 + i, 4096);
    if (i == 3) { /* plain memory is waited for */
      managed_open_gate_later(&gate);
      succeed(cudaMemcpyAsync(it->memory + to.at, from.of->memory + from.at, 6000, cudaMemcpyDefault, stream));
    } else if (region.height > 1) {
      succeed(cudaMemcpy2DAsync(it->memory + to.at, to.row, from.of->memory + from.at, from.row, region.width,
                                region.height, cudaMemcpyDefault, stream));
      managed_open_gate_later(&gate);
    } else {
      succeed(cudaMemcpyAsync(it->memory + to.at, from.of->memory + from.at, 6000, cudaMemcpyDefault, stream));
      managed_open_gate_later(&gate);
    }
    copy_model(&to, &from, region);
    support_must(memcmp(it->memory, it->model, ROOM) == 0);
    managed_end_gate(&gate);
    succeed(cudaStreamSynchronize(stream));
    expect_place(it);
    expect_place(other);
  }
  succeed(cudaStreamDestroy(stream));
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

static cudaError_t do_one(int which, cudaArray_t array) {
  unsigned char *it = places[0].memory, *other = places[1].memory, *device = places[2].memory;
  switch (which) {
  case 0:
    return cudaMemcpy(it, device, ROOM, cudaMemcpyDefault);
  case 1:
    return cudaMemcpyAsync(it, other, ROOM, cudaMemcpyDefault, NULL);
  case 2:
    return cudaMemcpy2DAsync(it + 9, 300, device, 200, 150, 60, cudaMemcpyDefault, NULL);
  case 3:
    return cudaMemcpy(device, it, ROOM, cudaMemcpyDefault);
  case 4:
    return cudaMemcpyAsync(places[4].memory, it, ROOM, cudaMemcpyDefault, NULL);
  case 5:
    return cudaMemset2DAsync(it + 5, 700, 3, 600, 20, NULL);
  case 6:
    return cudaMemcpy2DToArray(array, 0, 0, it + 3, 100, 64, 64, cudaMemcpyDefault);
  case 7:
    return cudaMemcpy2DFromArrayAsync(it, 64, array, 0, 0, 64, 64, cudaMemcpyDefault, NULL);
  case 8:
    return vptr_memcpy(NULL, it + 1, it, 9000) == VPTR_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  case 9:
    return vptr_fill(NULL, it, other, 24, 700) == VPTR_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  case 10:
    return managed_run_duplicate((int *)(void *)it, (const int *)(const void *)other, 3000, NULL);
  default:
    return cudaMemcpyToSymbol(managed_table, it, sizeof managed_table, 0, cudaMemcpyDefault);
  }
}
enum { ACTIONS = 12 };

/* An acquisition that was left behind would keep the host, or the free, waiting for ever. */
static void fail_one(int which, long nth, bool command, cudaArray_t array) {
  int *x = managed_numbers(3000);
  use_on_device(&places[0]);
  use_on_device(&places[1]);
  succeed(cudaDeviceSynchronize());
  places[0].memory[5000] = 1;
  if (command)
    vptr__fake_fail_command(nth, CL_OUT_OF_RESOURCES);
  else
    vptr__fake_fail_nth(nth, CL_OUT_OF_RESOURCES);
  do_one(which, array);
  cudaDeviceSynchronize();
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_fail_command(0, CL_SUCCESS);
  cudaDeviceSynchronize();
  cudaGetLastError();
  for (size_t at = 0; at < ROOM; at += 4096)
    places[0].memory[at]++, places[1].memory[at]++;
  for (int i = 0; i < 2; i++)
    memcpy(places[i].model, places[i].memory, ROOM);
  use_on_device(&places[0]);
  use_on_device(&places[1]);
  succeed(cudaDeviceSynchronize());
  expect_place(&places[0]);
  expect_place(&places[1]);
  succeed(cudaFree(x));
}

START_TEST(what_fails_leaves_no_acquired) {
  struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  cudaArray_t array;
  if (support_has_opencl())
    return;
  succeed(cudaMallocArray(&array, &bytes, 64, 64, 0));
  for (long nth = 1; nth <= MOST_OPERATIONS; nth++)
    fail_one(_i, nth, nth % 2 == 0, array);
  succeed(cudaFreeArray(array));
}
END_TEST

/* ---- arrays and symbols --------------------------------------------------------------------------------- */

enum { WIDE = 61, HIGH = 37 };

/* To an array and back, at any pitch, whatever the kind says; and no driver touches a page that is the device's. */
static void copy_by_array(cudaArray_t array, size_t pitch, size_t back_pitch, bool waits, enum cudaMemcpyKind to,
                          enum cudaMemcpyKind from) {
  place *it = &places[0], *other = &places[1];
  const end source = { it, 123, pitch, HIGH }, target = { other, 4000, back_pitch, HIGH };
  const struct cudaExtent region = make_cudaExtent(WIDE, HIGH, 1);
  use_on_device(it);
  use_on_device(other);
  succeed(cudaDeviceSynchronize());
  uint64_t faults = managed_faults(it->memory) ? managed_counts(it->memory).faults : 0;
  const void *begin = it->memory + source.at;
  void *back = other->memory + target.at;
  if (waits) {
    succeed(cudaMemcpy2DToArray(array, 0, 0, begin, pitch, WIDE, HIGH, to));
    succeed(cudaMemcpy2DFromArray(back, back_pitch, array, 0, 0, WIDE, HIGH, from));
  } else {
    succeed(cudaMemcpy2DToArrayAsync(array, 0, 0, begin, pitch, WIDE, HIGH, to, NULL));
    succeed(cudaMemcpy2DFromArrayAsync(back, back_pitch, array, 0, 0, WIDE, HIGH, from, NULL));
    if (!managed_faults(back))
      succeed(cudaDeviceSynchronize());
  }
  if (managed_faults(it->memory))
    ck_assert_uint_eq(managed_counts(it->memory).faults, faults);
  copy_model(&target, &source, region);
  expect_place(other);
  expect_place(it);
}

START_TEST(arrays_take_it_for_either_side) {
  static const enum cudaMemcpyKind into[] = { cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
  static const enum cudaMemcpyKind out[] = { cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
  struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  cudaArray_t array;
  succeed(cudaMallocArray(&array, &bytes, WIDE, HIGH, 0));
  for (int kind = 0; kind < 3; kind++)
    for (int pitches = 0; pitches < 4; pitches++)
      for (int waits = 0; waits < 2; waits++)
        copy_by_array(array, pitches % 2 == 0 ? WIDE : 300, pitches < 2 ? WIDE : 401, waits, into[kind], out[kind]);
  if (managed_faults(places[0].memory))
    expect(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 0, 0, places[0].memory + ROOM - WIDE * HIGH + 1, WIDE,
                                                      WIDE, HIGH, cudaMemcpyDefault));
  expect_place(&places[0]);
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(symbols_are_copied_to_and_from_it) {
  place *it = &places[0];
  int back[4];
  for (int waits = 0; waits < 2; waits++) {
    use_on_device(it);
    if (waits) {
      succeed(cudaMemcpyToSymbol(managed_table, it->memory + 4090, 16, 0, cudaMemcpyHostToDevice));
      succeed(cudaMemcpyFromSymbol(it->memory + 8, managed_table, 12, 4, cudaMemcpyDeviceToHost));
    } else {
      succeed(cudaMemcpyToSymbolAsync(managed_table, it->memory + 4090, 16, 0, cudaMemcpyDefault, NULL));
      succeed(cudaMemcpyFromSymbolAsync(it->memory + 8, managed_table, 12, 4, cudaMemcpyDeviceToDevice, NULL));
      succeed(cudaDeviceSynchronize());
    }
    memcpy(it->model + 8, it->model + 4094, 12);
    expect_place(it);
    succeed(cudaMemcpyFromSymbol(back, managed_table, 16, 0, cudaMemcpyDeviceToHost));
    ck_assert(memcmp(back, it->model + 4090, 16) == 0);
  }
}
END_TEST

/* What the C library does with it is what it does with any memory, but for system calls. */
START_TEST(it_can_be_printed_and_printed_into) {
  place *it = &places[0];
  char seen[64];
  snprintf((char *)it->memory, 40, "%s", "ABCDEFGH");
  memcpy(it->model, it->memory, ROOM);
  use_on_device(it);
  succeed(cudaDeviceSynchronize());
  snprintf(seen, sizeof seen, "%.8s", (char *)it->memory);
  ck_assert_str_eq(seen, "BCDEFGHI");
  use_on_device(it);
  succeed(cudaDeviceSynchronize());
  snprintf((char *)it->memory + 4090, 20, "%d", 1234567890);
  memcpy(it->model + 4090, "1234567890", 11);
  expect_place(it);
}
END_TEST

static Suite *copy_suite(void) {
  Suite *suite = suite_create("cuda_managed_copy");
  TCase *copy = tcase_create("copy");
  tcase_add_checked_fixture(copy, setup, teardown);
  tcase_add_loop_test(copy, rects_of_all_kinds_go_to_the_byte, 0, 2);
  tcase_add_test(copy, ranges_of_one_allocation_may_overlap);
  tcase_add_test(copy, a_pattern_may_be_managed_too);
  tcase_add_test(copy, what_is_refused_changes_nothing);
  tcase_add_test(copy, it_cannot_be_registered);
  tcase_add_test(copy, copies_wait_for_their_stream_and_the_host_for_them);
  tcase_add_loop_test(copy, what_fails_leaves_no_acquired, 0, ACTIONS);
  tcase_add_test(copy, arrays_take_it_for_either_side);
  tcase_add_test(copy, symbols_are_copied_to_and_from_it);
  tcase_add_test(copy, it_can_be_printed_and_printed_into);
  suite_add_tcase(suite, copy);
  return suite;
}

int main(void) {
  alarm(300); /* for one that waits for ever */
  return support_run(copy_suite());
}
