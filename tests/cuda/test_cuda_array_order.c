/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_array_order - arrays beside other work: streams, failures of work in flight, two devices, resets.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "pinned/region.h"
#include "support/child.h"

enum { WIDTH = 13, HEIGHT = 9, DEPTH = 5 };

static const struct cudaChannelFormatDesc uint_desc = { 32, 0, 0, 0, cudaChannelFormatKindUnsigned };

static void setup(void) {
  cudaGetLastError();
}

/* ---- two devices ---------------------------------------------------------------------------------------- */

static uint32_t mine[DEPTH][HEIGHT][WIDTH], got[DEPTH][HEIGHT][WIDTH];

static void ok(cudaError_t error) {
  child_require(error == cudaSuccess, vptr_last_error());
}

static cudaArray_t array_on(int device) {
  cudaArray_t array = NULL;
  ok(cudaSetDevice(device));
  ok(cudaMalloc3DArray(&array, &uint_desc, make_cudaExtent(WIDTH, HEIGHT, DEPTH), 0));
  return array;
}

static void compare(void) {
  child_require(memcmp(mine, got, sizeof mine) == 0, "another content arrived");
  memset(got, 0, sizeof got);
}

/* Around: host, array of 0, array of 1, memory of 0, array of 1 on a stream of 0, host. */
static void go_around_two_devices(void) {
  child_set("VPTR_PLATFORM", "fake");
  child_set("VPTR_PARTITION", "2");
  const struct cudaPitchedPtr from = make_cudaPitchedPtr(mine, sizeof mine[0][0], WIDTH, HEIGHT);
  const struct cudaPitchedPtr to = make_cudaPitchedPtr(got, sizeof got[0][0], WIDTH, HEIGHT);
  const struct cudaExtent all = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
  cudaArray_t first = array_on(0), second = array_on(1);
  struct cudaPitchedPtr memory;
  cudaStream_t stream;
  for (size_t i = 0; i < sizeof mine / 4; i++)
    (&mine[0][0][0])[i] = (uint32_t)i * 77 + 1;
  ok(cudaSetDevice(0));
  ok(cudaMalloc3D(&memory, make_cudaExtent(WIDTH * 4, HEIGHT, DEPTH)));
  ok(cudaStreamCreate(&stream));
  ok(cudaMemcpy3D(&(struct cudaMemcpy3DParms){
      .srcPtr = from, .dstArray = first, .extent = all, .kind = cudaMemcpyHostToDevice }));
  ok(cudaMemcpy3DPeer(&(struct cudaMemcpy3DPeerParms){
      .srcArray = first, .srcDevice = 0, .dstArray = second, .dstDevice = 1, .extent = all }));
  ok(cudaMemcpy3D(&(struct cudaMemcpy3DParms){
      .srcArray = second, .dstPtr = to, .extent = all, .kind = cudaMemcpyDeviceToHost }));
  compare();
  ok(cudaMemcpy3DAsync(
      &(struct cudaMemcpy3DParms){
          .srcArray = second, .dstPtr = memory, .extent = all, .kind = cudaMemcpyDeviceToDevice },
      stream));
  ok(cudaMemcpy3D(&(struct cudaMemcpy3DParms){ .srcPtr = memory,
                                               .dstPtr = make_cudaPitchedPtr(got, sizeof got[0][0], WIDTH, HEIGHT),
                                               .extent = make_cudaExtent(WIDTH * 4, HEIGHT, DEPTH),
                                               .kind = cudaMemcpyDeviceToHost }));
  compare();
  ok(cudaMemset2DAsync((char *)memory.ptr, memory.pitch, 9, WIDTH * 4, HEIGHT * DEPTH, stream));
  ok(cudaMemcpy3DAsync(
      &(struct cudaMemcpy3DParms){
          .srcPtr = memory, .dstArray = second, .extent = all, .kind = cudaMemcpyDeviceToDevice },
      stream));
  ok(cudaMemcpy3DAsync(
      &(struct cudaMemcpy3DParms){ .srcArray = second, .dstPtr = to, .extent = all, .kind = cudaMemcpyDeviceToHost },
      stream));
  memset(mine, 9, sizeof mine);
  compare();
  ok(cudaMemset(memory.ptr, 1, memory.pitch * HEIGHT * DEPTH));
  memory.ptr = (char *)memory.ptr + memory.pitch; /* the last row leaves its memory: nothing moves */
  child_require(cudaMemcpy3D(&(struct cudaMemcpy3DParms){
                    .srcPtr = memory, .dstArray = second, .extent = all, .kind = cudaMemcpyDefault }) ==
                    cudaErrorInvalidValue,
                "memory that is not there was read");
  ok(cudaMemcpy3D(&(struct cudaMemcpy3DParms){
      .srcArray = second, .dstPtr = to, .extent = all, .kind = cudaMemcpyDeviceToHost }));
  compare();
  ok(cudaFreeArray(first));
  ok(cudaSetDevice(1)); /* a reset of one device ends nothing of another */
  ok(cudaDeviceReset());
  child_require(cudaFreeArray(second) == cudaErrorInvalidResourceHandle, "a reset spared an array");
  first = array_on(0);
  ok(cudaSetDevice(1));
  ok(cudaDeviceReset());
  ok(cudaFreeArray(first));
}

START_TEST(copies_go_between_two_devices) {
  static child done;
  if (support_has_opencl())
    return;
  child_run(go_around_two_devices, &done);
  ck_assert_msg(done.exited && done.exit_code == 0, "exit %d, signal %d: %s", done.exit_code, done.signal, done.text);
}
END_TEST

/* ---- the thread's own stream ---------------------------------------------------------------------------- */

/* Holds a blocking stream, and with it the legacy one, until they are let go: what goes on is no work of these. */
static atomic_bool held;

static void CUDART_CB hold(void *context) {
  (void)context;
  while (atomic_load(&held))
    usleep(100);
}

static cudaStream_t hold_legacy(void) {
  cudaStream_t stream;
  atomic_store(&held, true);
  succeed(cudaStreamCreate(&stream));
  succeed(cudaLaunchHostFunc(stream, hold, NULL));
  return stream;
}

static void let_go(cudaStream_t stream) {
  atomic_store(&held, false);
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaStreamDestroy(stream));
}

START_TEST(variants_do_the_same_on_the_threads_own_stream) {
  enum { ALL = WIDTH * HEIGHT * 4 };
  unsigned char line[ALL], back[ALL];
  cudaArray_t a, b;
  succeed(cudaMallocArray(&a, &uint_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMallocArray(&b, &uint_desc, WIDTH, HEIGHT, 0));
  for (int i = 0; i < ALL; i++)
    line[i] = (unsigned char)(i * 3);
  const size_t row = WIDTH * 4;
  const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  cudaStream_t stream = hold_legacy();
  succeed(cudaMemcpy2DToArray_ptds(a, 0, 0, line, row, row, HEIGHT, in));
  succeed(cudaMemcpy2DFromArray_ptds(back, row, a, 0, 0, row, HEIGHT, out));
  ck_assert_mem_eq(line, back, ALL);
  line[5] ^= 1;
  succeed(cudaMemcpy2DToArrayAsync_ptsz(a, 0, 0, line, row, row, HEIGHT, in, NULL));
  succeed(cudaMemcpy2DArrayToArray_ptds(b, 0, 0, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToDevice));
  succeed(cudaMemcpy2DFromArrayAsync_ptsz(back, row, b, 0, 0, row, HEIGHT, out, NULL));
  ck_assert_mem_eq(line, back, ALL);
  line[7] ^= 1;
  succeed(cudaMemcpyToArray_ptds(a, 0, 0, line, ALL, in));
  succeed(cudaMemcpyArrayToArray_ptds(b, 0, 0, a, 0, 0, ALL, cudaMemcpyDeviceToDevice));
  succeed(cudaMemcpyFromArray_ptds(back, b, 0, 0, ALL, out));
  ck_assert_mem_eq(line, back, ALL);
  line[9] ^= 1;
  succeed(cudaMemcpyToArrayAsync_ptsz(a, 0, 0, line, ALL, in, NULL));
  succeed(cudaMemcpyFromArrayAsync_ptsz(back, a, 0, 0, ALL, out, NULL));
  ck_assert_mem_eq(line, back, ALL);
  let_go(stream);
  succeed(cudaFreeArray(a));
  succeed(cudaFreeArray(b));
}
END_TEST

/* ---- failures of work in flight ------------------------------------------------------------------------- */

enum { CODE = CL_OUT_OF_RESOURCES };

static cudaStream_t side_stream;
static unsigned char *device_rect, *pinned;

/* One copy of each way that commands are sent, by number; false: there is none. None of them waits. */
static bool send_one(int way, cudaArray_t a, cudaArray_t b) {
  const size_t row = WIDTH * 4, gap = row + 8;
  const enum cudaMemcpyKind within = cudaMemcpyDeviceToDevice;
  struct cudaMemcpy3DParms p = { .srcArray = a, .dstArray = a, .kind = within };
  p.dstPos.x = 1;
  p.extent = make_cudaExtent(2, 2, 1);
  switch (way) {
  case 0:
    succeed(cudaMemcpy2DToArrayAsync(a, 0, 0, pinned, row, row, HEIGHT, cudaMemcpyHostToDevice, side_stream));
    return true;
  case 1:
    succeed(cudaMemcpy2DFromArrayAsync(pinned, row, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost, side_stream));
    return true;
  case 2: /* without gaps */
    succeed(cudaMemcpy2DToArrayAsync(a, 0, 0, device_rect, row, row, HEIGHT, within, side_stream));
    return true;
  case 3:
    succeed(cudaMemcpy2DFromArrayAsync(device_rect, row, a, 0, 0, row, HEIGHT, within, side_stream));
    return true;
  case 4: /* through a buffer: two commands */
    succeed(cudaMemcpy2DToArrayAsync(a, 0, 0, device_rect, gap, row, HEIGHT, within, side_stream));
    return true;
  case 5:
    succeed(cudaMemcpy2DFromArrayAsync(device_rect, gap, a, 0, 0, row, HEIGHT, within, side_stream));
    return true;
  case 6:
    succeed(cudaMemcpy3DAsync(&p, side_stream));
    return true;
  case 7:
    p.dstArray = b;
    succeed(cudaMemcpy3DAsync(&p, side_stream));
    return true;
  default:
    return false;
  }
}

static size_t events_now(void) {
  vptr__fake_counts counts;
  vptr__fake_get_counts(&counts);
  return counts.events;
}

START_TEST(a_copy_that_failed_is_told_once_by_the_next_synchronising_call) {
  cudaArray_t a, b;
  int told = 0;
  if (support_has_opencl())
    return;
  succeed(cudaStreamCreateWithFlags(&side_stream, cudaStreamNonBlocking));
  succeed(cudaMallocArray(&a, &uint_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMallocArray(&b, &uint_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMallocHost((void **)&pinned, WIDTH * HEIGHT * 4));
  device_rect = (unsigned char *)device_memory((WIDTH * 4 + 8) * HEIGHT);
  for (int way = 0; send_one(way, a, b); way++)
    for (long n = 1, commands = way >= 4 && way <= 6 ? 2 : 1; n <= commands; n++) {
      succeed(cudaStreamSynchronize(side_stream));
      vptr__fake_fail_command(n, CODE);
      send_one(way, a, b);
      cudaError_t error = cudaStreamSynchronize(side_stream);
      vptr__fake_fail_command(0, CL_SUCCESS);
      ck_assert_msg(error != cudaSuccess, "way %d, command %ld", way, n);
      ck_assert_int_eq(cudaGetLastError(), error);
      succeed(cudaStreamSynchronize(side_stream));
      succeed(cudaDeviceSynchronize());
      told++;
    }
  ck_assert_int_eq(told, 11);
  succeed(cudaFree(device_rect));
  succeed(cudaFreeHost(pinned));
  succeed(cudaFreeArray(a));
  succeed(cudaFreeArray(b));
  succeed(cudaStreamDestroy(side_stream));
}
END_TEST

/* What a call waits for it tells itself; what was in flight before, too; and then no other call. */
START_TEST(a_copy_that_waits_tells_what_failed) {
  cudaArray_t a;
  unsigned char bytes[WIDTH * HEIGHT * 4] = { 0 };
  const size_t row = WIDTH * 4;
  if (support_has_opencl())
    return;
  succeed(cudaMallocArray(&a, &uint_desc, WIDTH, HEIGHT, 0));
  succeed(cudaDeviceSynchronize());
  size_t events = events_now();
  vptr__fake_fail_command(1, CODE);
  ck_assert_int_ne(cudaMemcpy2DFromArray(bytes, row, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost), cudaSuccess);
  succeed(cudaDeviceSynchronize());
  device_rect = (unsigned char *)device_memory(sizeof bytes);
  vptr__fake_fail_command(1, CODE);
  succeed(cudaMemcpy2DToArray(a, 0, 0, device_rect, row, row, HEIGHT, cudaMemcpyDeviceToDevice));
  ck_assert_int_ne(cudaMemcpy2DFromArray(bytes, row, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost), cudaSuccess);
  vptr__fake_fail_command(0, CL_SUCCESS);
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(events_now(), events);
  cudaGetLastError();
  succeed(cudaFree(device_rect));
  succeed(cudaFreeArray(a));
}
END_TEST

/* Memory that a copy in flight uses is not freed under it. */
START_TEST(pinned_memory_is_acquired_to_copies) {
  cudaArray_t a;
  const size_t row = WIDTH * 4;
  if (support_has_opencl())
    return;
  succeed(cudaMallocArray(&a, &uint_desc, WIDTH, HEIGHT, 0));
  succeed(cudaStreamCreateWithFlags(&side_stream, cudaStreamNonBlocking));
  const size_t size = WIDTH * HEIGHT * 4;
  unsigned char *own = malloc(size);
  vptr__fake_disorder(7, 20000);
  for (int round = 0; round < 5; round++) {
    succeed(cudaHostRegister(own, size, 0));
    succeed(cudaMemcpy2DFromArrayAsync(own, row, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost, side_stream));
    succeed(cudaHostUnregister(own));
    memset(own, 1, size);
    succeed(cudaStreamSynchronize(side_stream));
    for (size_t i = 0; i < size; i++)
      support_must(own[i] == 1);
  }
  vptr__fake_disorder(0, 0);
  free(own);
  succeed(cudaStreamDestroy(side_stream));
  succeed(cudaFreeArray(a));
}
END_TEST

/* Frees another block of the same chunk, as another thread may, when the copy has acquired and not queued yet. */
static const vptr__device_ops *true_ops;
static vptr__device_ops freeing_ops;
static void *other_block;

static vptr_status free_other_and_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                       const size_t from_at[3], const size_t region[3], void *to, size_t row,
                                       size_t slice, cl_event *event_out) {
  if (other_block != NULL)
    support_succeed(vptr__pinned_free(other_block));
  other_block = NULL;
  return true_ops->image.enqueue_read(device, queue, from, from_at, region, to, row, slice, event_out);
}

START_TEST(pinned_memory_is_acquired_to_copies_that_others_overtake) {
  cudaArray_t a;
  unsigned char sevens[WIDTH * HEIGHT * 4];
  const size_t row = WIDTH * 4, size = sizeof sevens;
  if (support_has_opencl())
    return;
  memset(sevens, 7, size);
  succeed(cudaMallocArray(&a, &uint_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMemcpyToArray(a, 0, 0, sevens, size, cudaMemcpyHostToDevice));
  succeed(cudaStreamCreateWithFlags(&side_stream, cudaStreamNonBlocking));
  vptr__device *device = vptr__mapper_made(0)->device;
  true_ops = device->ops;
  freeing_ops = *true_ops;
  freeing_ops.image.enqueue_read = free_other_and_read;
  vptr__fake_disorder(7, 20000);
  for (int round = 0; round < 5; round++) {
    succeed(cudaMallocHost((void **)&pinned, size));
    succeed(cudaMallocHost(&other_block, size));
    memset(pinned, 1, size);
    ck_assert_ptr_eq(vptr__region_of(pinned), vptr__region_of(other_block));
    device->ops = &freeing_ops;
    succeed(cudaMemcpy2DFromArrayAsync(pinned, row, a, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost, side_stream));
    device->ops = true_ops;
    ck_assert_ptr_null(other_block);
    support_succeed(vptr__pinned_free(pinned));
    ck_assert_uint_eq(pinned[size - 1], 7); /* the chunk stays, and the copy is over */
    succeed(cudaStreamSynchronize(side_stream));
  }
  vptr__fake_disorder(0, 0);
  succeed(cudaStreamDestroy(side_stream));
  succeed(cudaFreeArray(a));
}
END_TEST

/* ---- reset ---------------------------------------------------------------------------------------------- */

START_TEST(a_reset_ends_arrays_and_what_is_made_of_them) {
  cudaArray_t array, fresh;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  int value = 0;
  struct cudaTextureDesc desc = { .filterMode = cudaFilterModePoint };
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
  succeed(cudaFree(NULL));
  vptr__fake_counts before, after;
  succeed(cudaDeviceReset());
  vptr__fake_get_counts(&before);
  long live = vptr__memory_live();
  for (int round = 0; round < 40; round++) { /* more than a table's first places */
    succeed(cudaMallocArray(&array, &uint_desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    resource.res.array.array = array;
    succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    succeed(cudaCreateSurfaceObject(&surface, &resource));
    succeed(cudaMemcpyToArrayAsync(array, 0, 0, &value, sizeof value, cudaMemcpyHostToDevice, NULL));
  }
  succeed(cudaDeviceReset());
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.bytes, before.bytes);
  ck_assert_int_le(vptr__memory_live(), live + 16);
  expect(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  expect(cudaErrorInvalidResourceHandle,
         cudaMemcpyToArray(array, 0, 0, &value, sizeof value, cudaMemcpyHostToDevice));
  expect(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  expect(cudaErrorInvalidValue, cudaDestroyTextureObject(texture));
  expect(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&desc, texture));
  expect(cudaErrorInvalidValue, cudaDestroySurfaceObject(surface));
  expect(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&resource, surface));
  succeed(cudaMallocArray(&fresh, &uint_desc, WIDTH, HEIGHT, 0));
  ck_assert_ptr_ne(fresh, array);
  succeed(cudaFreeArray(fresh));
}
END_TEST

static Suite *cuda_array_order_suite(void) {
  Suite *suite = suite_create("cuda_array_order");
  TCase *devices = tcase_create("two devices"); /* first: its process has used nothing yet */
  tcase_add_test(devices, copies_go_between_two_devices);
  suite_add_tcase(suite, devices);
  TCase *flight = tcase_create("work in flight");
  tcase_add_checked_fixture(flight, setup, NULL);
  tcase_add_test(flight, variants_do_the_same_on_the_threads_own_stream);
  tcase_add_test(flight, a_copy_that_failed_is_told_once_by_the_next_synchronising_call);
  tcase_add_test(flight, a_copy_that_waits_tells_what_failed);
  tcase_add_test(flight, pinned_memory_is_acquired_to_copies);
  tcase_add_test(flight, pinned_memory_is_acquired_to_copies_that_others_overtake);
  tcase_add_test(flight, a_reset_ends_arrays_and_what_is_made_of_them);
  suite_add_tcase(suite, flight);
  return suite;
}

int main(void) {
  return support_run(cuda_array_order_suite());
}
