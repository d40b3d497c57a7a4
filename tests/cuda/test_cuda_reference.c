/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_reference - texture and surface references: registered, bound, bound anew, unbound, and what is wrong. What
 * a kernel would find under a reference's number is read in the table that it gets (mapper/texel_table.h); kernels that
 * do are tests/kernels/cxx/textures_reference*.cu.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime.h>
#include <vptr/cuda/vptr_kernel.h>

#include "base/memory.h"
#include "cuda/reference.h"
#include "cuda/unit.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"
#include "module/variable.h"

enum { WIDTH = 8, HEIGHT = 4, TURNS = 200 };

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=image lowered=image size=8 align=8 kind=device\n"
                           "//vptr variable name=sheet lowered=sheet size=8 align=8 kind=device\n";
static const struct cudaChannelFormatDesc float_desc = { 32, 0, 0, 0, cudaChannelFormatKindFloat };
static const struct cudaChannelFormatDesc int_desc = { 32, 0, 0, 0, cudaChannelFormatKindSigned };

static struct textureReference image, unused;
static struct surfaceReference sheet;
static const vptr_cuda_variable variables[] = {
  { &image, "image", 8, VPTR_CUDA_VARIABLE_TEXTURE | VPTR_CUDA_VARIABLE_ZERO },
  { &sheet, "sheet", 8, VPTR_CUDA_VARIABLE_SURFACE | VPTR_CUDA_VARIABLE_ZERO },
  { &unused, "unused", 8, VPTR_CUDA_VARIABLE_TEXTURE | VPTR_CUDA_VARIABLE_ZERO | VPTR_CUDA_VARIABLE_NORMALIZED }
};
static const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, NULL, 0, variables, 3 };
static vptr_mapper *mapper;
static void *handle;

static void setup(void) {
  memset(&image, 0, sizeof image);
  vptr__fake_report_addresses(true);
  support_succeed(vptr__mapper_for_device(0, &mapper));
  succeed(vptr_cuda_register_module(&module, &handle));
}

static void teardown(void) {
  succeed(vptr_cuda_unregister_module(handle));
  ck_assert_uint_eq(atomic_load(&vptr__cuda_references_bound), 0);
  ck_assert_int_eq(vptr__cuda_reference_is_known(&image), 0);
  vptr__fake_report_addresses(false);
}

/* ---- what kernels find ---------------------------------------------------------------------------------- */

static uint64_t number_of(const void *shadow) {
  uint64_t number = 0;
  succeed(cudaMemcpyFromSymbol(&number, shadow, sizeof number, 0, cudaMemcpyDeviceToHost));
  return number;
}

/* NULL: nothing is there. */
static const vptr__texel_entry *entry_of(const void *shadow, bool is_surface) {
  const uint64_t number = number_of(shadow);
  const size_t slot = 2 * (size_t)(uint32_t)number + is_surface;
  ck_assert_uint_ne(number, 0);
  if (slot >= mapper->texel_table.count)
    return NULL;
  const vptr__texel_entry *entry = &mapper->texel_table.entries[slot];
  return entry->generation == number >> 32 ? entry : NULL;
}

static cudaArray_t array_of(const struct cudaChannelFormatDesc *desc, unsigned flags) {
  cudaArray_t array;
  succeed(cudaMallocArray(&array, desc, WIDTH, HEIGHT, flags));
  return array;
}

START_TEST(a_reference_has_one_number_and_what_is_bound) {
  cudaArray_t first = array_of(&float_desc, 0), second = array_of(&float_desc, 0);
  const uint64_t number = number_of(&image);
  ck_assert_ptr_null(entry_of(&image, false));
  succeed(cudaBindTextureToArray(&image, first, &float_desc));
  const uint64_t address = entry_of(&image, false)->address;
  ck_assert_uint_eq(entry_of(&image, false)->width, WIDTH);
  succeed(cudaBindTextureToArray(&image, second, &float_desc));
  ck_assert_uint_ne(entry_of(&image, false)->address, address);
  ck_assert_uint_eq(number_of(&image), number);
  succeed(cudaFreeArray(second)); /* it is bound still */
  ck_assert_ptr_nonnull(entry_of(&image, false));
  const uint64_t serial = mapper->texel_table.serial;
  succeed(cudaUnbindTexture(&image));
  ck_assert_ptr_null(entry_of(&image, false));
  ck_assert_uint_ne(mapper->texel_table.serial, serial); /* launches from now on get another table */
  succeed(cudaUnbindTexture(&image));
  succeed(cudaFreeArray(first));
}
END_TEST

START_TEST(memory_is_bound_to_the_byte) {
  float *p;
  size_t offset = 7, pitch;
  void *rows;
  succeed(cudaMalloc((void **)&p, 400));
  succeed(cudaBindTexture(&offset, &image, p, &float_desc, 400));
  ck_assert_uint_eq(offset, 0);
  const uint64_t address = entry_of(&image, false)->address;
  ck_assert_uint_eq(entry_of(&image, false)->width, 100);
  succeed(cudaBindTexture(NULL, &image, p + 3, &float_desc, UINT32_MAX));
  ck_assert_uint_eq(entry_of(&image, false)->address, address + 12);
  ck_assert_uint_eq(entry_of(&image, false)->width, 97);
  succeed(cudaMallocPitch(&rows, &pitch, WIDTH * sizeof(float), HEIGHT));
  succeed(cudaBindTexture2D(&offset, &image, rows, &float_desc, WIDTH, HEIGHT, pitch));
  ck_assert_uint_eq(entry_of(&image, false)->height, HEIGHT);
  ck_assert_uint_eq(entry_of(&image, false)->row, pitch);
  succeed(cudaGetTextureAlignmentOffset(&offset, &image));
  expect(cudaErrorInvalidValue, cudaBindTexture(NULL, &image, (char *)p + 2, &float_desc, 80));
  expect(cudaErrorInvalidValue, cudaBindTexture(NULL, &image, p, &float_desc, 404));
  expect(cudaErrorInvalidValue, cudaBindTexture(NULL, &image, p, NULL, 400));
  expect(cudaErrorInvalidValue, cudaBindTexture(NULL, &image, &offset, &float_desc, 8));
  expect(cudaErrorInvalidValue, cudaBindTexture2D(NULL, &image, rows, &float_desc, WIDTH, HEIGHT, 4));
  ck_assert_uint_eq(entry_of(&image, false)->row, pitch); /* what was bound stays */
  succeed(cudaFree(p));
  succeed(cudaFree(rows));
}
END_TEST

/* Fields count when it is bound, and at each launch, which looks at them. */
START_TEST(fields_say_how_it_is_read) {
  cudaArray_t array = array_of(&float_desc, 0);
  image.filterMode = cudaFilterModeLinear;
  succeed(cudaBindTextureToArray(&image, array, &float_desc));
  ck_assert_uint_ne(entry_of(&image, false)->how & VPTR__TEXEL_LINEAR, 0);
  ck_assert_uint_eq(entry_of(&image, false)->how & VPTR__TEXEL_NORMALIZED, 0);
  const uint64_t serial = mapper->texel_table.serial;
  ck_assert_int_eq(vptr__cuda_references_update(mapper), cudaSuccess);
  ck_assert_uint_eq(mapper->texel_table.serial, serial); /* nothing has changed */
  image.normalized = 1;
  image.filterMode = cudaFilterModePoint;
  ck_assert_int_eq(vptr__cuda_references_update(mapper), cudaSuccess);
  ck_assert_uint_eq(entry_of(&image, false)->how & VPTR__TEXEL_LINEAR, 0);
  ck_assert_uint_ne(entry_of(&image, false)->how & VPTR__TEXEL_NORMALIZED, 0);
  image.addressMode[0] = (enum cudaTextureAddressMode)9;
  ck_assert_int_eq(vptr__cuda_references_update(mapper), cudaErrorInvalidValue);
  image.addressMode[0] = cudaAddressModeWrap;
  ck_assert_int_eq(vptr__cuda_references_update(mapper), cudaSuccess);
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(surfaces_are_bound_to_arrays_made_for_them) {
  cudaArray_t array = array_of(&int_desc, cudaArraySurfaceLoadStore), plain = array_of(&int_desc, 0);
  succeed(cudaBindSurfaceToArray(&sheet, array, &int_desc));
  const uint64_t address = entry_of(&sheet, true)->address;
  expect(cudaErrorInvalidValue, cudaBindSurfaceToArray(&sheet, plain, &int_desc));
  expect(cudaErrorInvalidValue, cudaBindSurfaceToArray(&sheet, array, &float_desc));
  expect(cudaErrorInvalidValue, cudaBindSurfaceToArray(&sheet, array, NULL));
  ck_assert_uint_eq(entry_of(&sheet, true)->address, address);
  cudaArray_t other = array_of(&int_desc, cudaArraySurfaceLoadStore);
  succeed(cudaBindSurfaceToArray(&sheet, other, &int_desc));
  ck_assert_uint_ne(entry_of(&sheet, true)->address, address);
  succeed(cudaFreeArray(array));
  succeed(cudaFreeArray(other));
  succeed(cudaFreeArray(plain));
}
END_TEST

START_TEST(what_is_no_reference_is_refused) {
  cudaArray_t array = array_of(&float_desc, cudaArraySurfaceLoadStore), integers = array_of(&int_desc, 0);
  struct textureReference stranger = image;
  const struct textureReference *found = NULL;
  const struct surfaceReference *found_surface = NULL;
  size_t offset;
  expect(cudaErrorInvalidTexture, cudaBindTextureToArray(&stranger, array, &float_desc));
  expect(cudaErrorInvalidTexture, cudaBindTexture(NULL, NULL, &stranger, &float_desc, 4));
  expect(cudaErrorInvalidTexture, cudaUnbindTexture((const struct textureReference *)(const void *)&sheet));
  expect(cudaErrorInvalidSurface,
         cudaBindSurfaceToArray((const struct surfaceReference *)(const void *)&image, array, &float_desc));
  expect(cudaErrorInvalidTexture, cudaGetTextureReference(&found, &stranger));
  expect(cudaErrorInvalidValue, cudaGetTextureReference(NULL, &image));
  expect(cudaErrorInvalidSurface, cudaGetSurfaceReference(&found_surface, &image));
  expect(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &image));
  expect(cudaErrorInvalidValue, cudaGetTextureAlignmentOffset(NULL, &image));
  expect(cudaErrorInvalidValue, cudaBindTextureToArray(&image, array, &int_desc));
  expect(cudaErrorInvalidResourceHandle, cudaBindTextureToArray(&image, (cudaArray_t)(void *)&offset, &int_desc));
  image.filterMode = cudaFilterModeLinear;
  expect(cudaErrorInvalidFilterSetting, cudaBindTextureToArray(&image, integers, &int_desc));
  ck_assert_ptr_null(entry_of(&image, false));
  succeed(cudaGetTextureReference(&found, &unused));
  ck_assert_ptr_eq(found, &unused);
  succeed(cudaGetSurfaceReference(&found_surface, &sheet));
  ck_assert_ptr_eq(found_surface, &sheet);
  succeed(cudaFreeArray(array));
  succeed(cudaFreeArray(integers));
}
END_TEST

/* Its variable reads the number of a place that no texture object has: nobody takes it for one. */
START_TEST(a_number_is_no_texture_object) {
  struct cudaTextureDesc desc;
  cudaArray_t array = array_of(&float_desc, 0);
  succeed(cudaBindTextureToArray(&image, array, &float_desc));
  expect(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&desc, number_of(&image)));
  expect(cudaErrorInvalidValue, cudaDestroyTextureObject(number_of(&image)));
  expect(cudaErrorInvalidValue, cudaDestroySurfaceObject(number_of(&sheet)));
  ck_assert_ptr_nonnull(entry_of(&image, false));
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(a_reset_unbinds) {
  cudaArray_t array = array_of(&float_desc, cudaArraySurfaceLoadStore);
  const uint64_t number = number_of(&image);
  succeed(cudaBindTextureToArray(&image, array, &float_desc));
  succeed(cudaBindSurfaceToArray(&sheet, array, &float_desc));
  ck_assert_uint_eq(atomic_load(&vptr__cuda_references_bound), 2);
  succeed(cudaDeviceReset());
  ck_assert_uint_eq(atomic_load(&vptr__cuda_references_bound), 0);
  ck_assert_uint_eq(number_of(&image), number);
  ck_assert_ptr_null(entry_of(&image, false));
  array = array_of(&float_desc, 0);
  succeed(cudaBindTextureToArray(&image, array, &float_desc));
  ck_assert_ptr_nonnull(entry_of(&image, false));
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(what_is_registered_wrongly_is_refused) {
  vptr_cuda_variable wrong[] = { variables[0], variables[1] };
  vptr_cuda_module other = { sizeof other, text, sizeof text - 1, NULL, 0, wrong, 2 };
  static struct textureReference another;
  static int taken;
  void *it;
  wrong[0].host = &another;
  wrong[0].size = 16;
  expect(cudaErrorInvalidValue, vptr_cuda_register_module(&other, &it));
  wrong[0].size = 8;
  wrong[1] = (vptr_cuda_variable){ &taken, "nothing", 4, 0 };
  expect(cudaErrorInvalidSymbol, vptr_cuda_register_module(&other, &it));
  ck_assert_int_eq(vptr__cuda_reference_is_known(&another), 0);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------- */

static cudaError_t bind_all(cudaArray_t array, void *p) {
  cudaError_t error = cudaBindTextureToArray(&image, array, &float_desc);
  if (error == cudaSuccess)
    error = cudaBindTexture(NULL, &unused, p, &float_desc, 64);
  if (error == cudaSuccess)
    error = cudaBindSurfaceToArray(&sheet, array, &float_desc);
  return error;
}

START_TEST(memory_may_be_missing_anywhere) {
  cudaArray_t array = array_of(&float_desc, cudaArraySurfaceLoadStore);
  unsigned failures = 0;
  void *p;
  succeed(cudaMalloc(&p, 64));
  for (long n = 1; n <= 20; n++) { /* some of them it can do without */
    vptr__memory_fail_nth(n);
    cudaError_t error = bind_all(array, p);
    vptr__memory_fail_nth(0);
    if (error != cudaSuccess)
      ck_assert_int_eq(error, cudaErrorMemoryAllocation);
    failures += error != cudaSuccess;
  }
  ck_assert_uint_ge(failures, 5);
  cudaGetLastError();
  ck_assert_uint_eq(atomic_load(&vptr__cuda_references_bound), 3);
  succeed(cudaFree(p));
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(memory_may_be_missing_when_it_is_registered) {
  static struct textureReference another;
  const vptr_cuda_variable one = { &another, "image", 8, VPTR_CUDA_VARIABLE_TEXTURE };
  const vptr_cuda_module other = { sizeof other, text, sizeof text - 1, NULL, 0, &one, 1 };
  unsigned failures = 0;
  void *it = NULL;
  for (bool fails = true; fails; failures += fails) {
    vptr__memory_fail_nth(failures + 1);
    cudaError_t error = vptr_cuda_register_module(&other, &it);
    fails = error != cudaSuccess;
    vptr__memory_fail_nth(0);
    if (fails)
      ck_assert_int_eq(error, cudaErrorMemoryAllocation);
    ck_assert_int_eq(vptr__cuda_reference_is_known(&another), !fails);
  }
  ck_assert_uint_ge(failures, 3);
  cudaGetLastError();
  succeed(vptr_cuda_unregister_module(it));
}
END_TEST

/* A call tries it once, before it takes the lock of what is bound: who registers a unit may take that one behind the
 * lock of units. */
START_TEST(a_unit_that_waits_for_memory_is_not_tried_while_something_is_bound) {
  static vptr_cuda_unit unit = { .struct_size = sizeof unit,
                                 .module = { sizeof module, text, sizeof text - 1, NULL, 0, NULL, 0 },
                                 .file = "waits.cu" };
  cudaArray_t array = array_of(&float_desc, 0);
  vptr__memory_fail_from(1);
  vptr_cuda_register_unit(&unit);
  ck_assert(vptr__cuda_unit_waits());
  vptr__memory_fail_nth(1); /* the attempt fails, and nothing else */
  succeed(cudaBindTextureToArray(&image, array, &float_desc));
  vptr__memory_fail_nth(0);
  ck_assert(vptr__cuda_unit_waits());
  succeed(cudaFreeArray(array));
  ck_assert(!vptr__cuda_unit_waits());
  vptr_cuda_unregister_unit(&unit);
}
END_TEST

/* ---- beside modules that go ----------------------------------------------------------------------------- */

static struct textureReference passing[2];
static atomic_bool is_over;
static atomic_uint rounds; /* of the other thread; relaxed, so that nothing is in order by it */
static sem_t gate;

static void *register_passing(int which) {
  const vptr_cuda_variable one = { &passing[which], "image", 8, VPTR_CUDA_VARIABLE_TEXTURE };
  const vptr_cuda_module other = { sizeof other, text, sizeof text - 1, NULL, 0, &one, 1 };
  void *it;
  memset(&passing[which], 0, sizeof passing[which]);
  succeed(vptr_cuda_register_module(&other, &it));
  return it;
}

/* What it saw last is in no order with what the test does while it sleeps. */
static void end_round(void) {
  atomic_fetch_add_explicit(&rounds, 1, memory_order_relaxed);
  usleep(20);
}

/* Until the other thread has seen what there is. */
static void await_round(void) {
  const unsigned before = atomic_load_explicit(&rounds, memory_order_relaxed);
  while (atomic_load_explicit(&rounds, memory_order_relaxed) - before < 2)
    sched_yield();
}

/* Until no more than so many are bound. */
static void await_unbinding(size_t most) {
  while (atomic_load_explicit(&vptr__cuda_references_bound, memory_order_relaxed) > most)
    sched_yield();
}

static void *look(void *none) {
  uintptr_t wrong = 0;
  (void)none;
  for (; !atomic_load(&is_over); end_round())
    wrong += vptr__cuda_references_look(mapper) != cudaSuccess;
  return (void *)wrong;
}

static void *unbind(void *none) {
  for (; !atomic_load(&is_over); end_round())
    vptr__cuda_references_unbind_all(mapper);
  return none;
}

static pthread_t begin_thread(void *(*run)(void *)) {
  pthread_t thread;
  atomic_store(&is_over, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, run, NULL), 0);
  return thread;
}

static void end_thread(pthread_t thread) {
  void *wrong;
  atomic_store(&is_over, true);
  ck_assert_int_eq(pthread_join(thread, &wrong), 0);
  ck_assert_ptr_null(wrong);
}

static void await_gate(void *none) {
  (void)none;
  sem_wait(&gate);
}

/* A launch that looks stands at the one in front of it. */
START_TEST(a_launch_looks_while_references_go) {
  pthread_t thread = begin_thread(look);
  for (int turn = 0; turn < TURNS; turn++) {
    void *first = register_passing(0), *second = register_passing(1);
    await_round();
    succeed(vptr_cuda_unregister_module(first));
    succeed(vptr_cuda_unregister_module(second));
  }
  end_thread(thread);
}
END_TEST

/* What is bound stays behind work in flight; the fields go with their module, as a closed plugin's do. */
static void let_bound_ones_go(void *(*beside)(void *)) {
  cudaStream_t stream;
  void *p;
  sem_init(&gate, 0, 0);
  succeed(cudaMalloc(&p, 64));
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  succeed(cudaLaunchHostFunc(stream, await_gate, NULL));
  pthread_t thread = begin_thread(beside);
  for (int turn = 0; turn < TURNS; turn++) {
    void *it = register_passing(0);
    const size_t others = atomic_load(&vptr__cuda_references_bound);
    succeed(cudaBindTexture(NULL, &passing[0], p, &float_desc, 64));
    if (beside == look)
      await_round();
    else if (turn % 2 == 0)
      await_unbinding(others);
    succeed(vptr_cuda_unregister_module(it));
    passing[0].addressMode[0] = (enum cudaTextureAddressMode)9; /* the memory is another's */
  }
  end_thread(thread);
  if (beside == look)
    ck_assert_uint_eq(atomic_load(&vptr__cuda_references_bound), TURNS);
  sem_post(&gate);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(atomic_load(&vptr__cuda_references_bound), 0);
  succeed(cudaFree(p));
  sem_destroy(&gate);
}

START_TEST(a_launch_looks_at_no_fields_that_have_gone) {
  let_bound_ones_go(look);
}
END_TEST

START_TEST(a_reset_unbinds_nothing_that_leaves) {
  let_bound_ones_go(unbind);
}
END_TEST

static Suite *cuda_reference_suite(void) {
  Suite *suite = suite_create("cuda_reference");
  TCase *tests = tcase_create("references"), *threads = tcase_create("threads");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_reference_has_one_number_and_what_is_bound);
  tcase_add_test(tests, memory_is_bound_to_the_byte);
  tcase_add_test(tests, fields_say_how_it_is_read);
  tcase_add_test(tests, surfaces_are_bound_to_arrays_made_for_them);
  tcase_add_test(tests, what_is_no_reference_is_refused);
  tcase_add_test(tests, a_number_is_no_texture_object);
  tcase_add_test(tests, a_reset_unbinds);
  tcase_add_test(tests, what_is_registered_wrongly_is_refused);
  tcase_add_test(tests, memory_may_be_missing_anywhere);
  tcase_add_test(tests, memory_may_be_missing_when_it_is_registered);
  tcase_add_test(tests, a_unit_that_waits_for_memory_is_not_tried_while_something_is_bound);
  tcase_add_checked_fixture(threads, setup, teardown);
  tcase_add_test(threads, a_launch_looks_while_references_go);
  tcase_add_test(threads, a_launch_looks_at_no_fields_that_have_gone);
  tcase_add_test(threads, a_reset_unbinds_nothing_that_leaves);
  suite_add_tcase(suite, tests);
  suite_add_tcase(suite, threads);
  return suite;
}

int main(void) {
  return support_run(cuda_reference_suite());
}
