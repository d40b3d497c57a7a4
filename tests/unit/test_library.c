/* SPDX-License-Identifier: MIT */
/*
 * library - what CUDA's libraries share: which handles are live, whatever is asked about and whoever comes and goes;
 * the stream and the operands of a call; kernels by their names.
 */
#include <pthread.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

#include "base/memory.h"
#include "library/call.h"
#include "library/handle.h"
#include "library/kernel.h"
#include "support/support.h"

enum { ALL = VPTR__LIBRARY_BLOCKS * VPTR__LIBRARY_PLACES };

typedef struct thing {
  vptr__library_place place;
  int number;
  void *self;
} thing;

static vptr__library_handles things = VPTR__LIBRARY_HANDLES("thing", thing);

static thing *make_thing(int number) {
  const thing fresh = { .number = number };
  return vptr__library_handle_create(&things, "make", &fresh);
}

static bool is_live(const void *handle) {
  return vptr__library_handle_is_live(&things, handle);
}

/* ---- handles ---------------------------------------------------------------------------------------------- */

START_TEST(only_a_live_handle_is_one) {
  thing on_stack = { .number = 1 };
  atomic_init(&on_stack.place.is_live, true);
  ck_assert(!is_live(&on_stack) && !is_live(NULL) && !is_live(support_nowhere()));
  thing *made = make_thing(7), *other = make_thing(8);
  ck_assert(is_live(made) && is_live(other) && made != other);
  ck_assert_int_eq(made->number, 7);
  ck_assert(!is_live(&made->number) && !is_live((char *)made + 1) && !is_live((char *)made + sizeof *made - 1));
  ck_assert(!is_live(made + VPTR__LIBRARY_PLACES) && !is_live(made - 1) && !is_live(&on_stack));
  ck_assert(vptr__library_handle_end(&things, "end", made));
  ck_assert(!is_live(made) && is_live(other));
  ck_assert(!vptr__library_handle_end(&things, "end", made));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "is no thing: it was destroyed, or never created"));
  ck_assert(!vptr__library_handle_check(&things, "ask", &on_stack) &&
            vptr__library_handle_check(&things, "ask", other));
  ck_assert(vptr__library_handle_end(&things, "end", other));
}
END_TEST

/* A place that is used again has nothing of what it had. */
START_TEST(a_place_is_used_again) {
  thing *first = make_thing(1);
  first->self = first;
  ck_assert(vptr__library_handle_end(&things, "end", first));
  thing *again = make_thing(2);
  ck_assert_ptr_eq(again, first);
  ck_assert_int_eq(again->number, 2);
  ck_assert_ptr_null(again->self);
  ck_assert(vptr__library_handle_end(&things, "end", again));
}
END_TEST

START_TEST(there_is_a_most) {
  static thing *made[ALL];
  for (int i = 0; i < ALL; i++) {
    made[i] = make_thing(i);
    ck_assert_ptr_nonnull(made[i]);
  }
  ck_assert_ptr_null(make_thing(ALL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "make: no host memory, or 4096 things are live already"));
  for (int i = 0; i < ALL; i++)
    ck_assert_int_eq(made[i]->number, i);
  ck_assert(vptr__library_handle_end(&things, "end", made[ALL / 2]));
  ck_assert_ptr_eq(make_thing(0), made[ALL / 2]);
  for (int i = 0; i < ALL; i++)
    ck_assert(vptr__library_handle_end(&things, "end", made[i]));
}
END_TEST

/* What was asked for without memory is refused, and can be asked for again. */
START_TEST(a_block_wants_memory) {
  static vptr__library_handles empty = VPTR__LIBRARY_HANDLES("thing", thing);
  const thing fresh = { .number = 3 };
  vptr__memory_fail_nth(1);
  ck_assert_ptr_null(vptr__library_handle_create(&empty, "make", &fresh));
  vptr__memory_fail_nth(0);
  thing *made = vptr__library_handle_create(&empty, "make", &fresh);
  ck_assert_ptr_nonnull(made);
  ck_assert(vptr__library_handle_end(&empty, "end", made));
}
END_TEST

/* Each thread has its own, and asks about those of the others, which come and go. */
enum { THREADS = 4 };
static _Atomic(thing *) shown[THREADS];

static void *come_and_go(void *context) {
  const int number = (int)(intptr_t)context;
  const long rounds = support_rounds(20000);
  for (long i = 0; i < rounds; i++) {
    thing *mine = make_thing(number);
    support_must(mine != NULL && mine->number == number && mine->self == NULL);
    mine->self = mine;
    atomic_store(&shown[number], mine);
    thing *others = atomic_load(&shown[(number + 1) % THREADS]);
    support_must(is_live(others) || others != mine);
    support_must(is_live(mine) && mine->number == number && mine->self == mine);
    support_must(vptr__library_handle_end(&things, "end", mine));
  }
  return NULL;
}

START_TEST(threads_have_handles_of_their_own) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, come_and_go, (void *)i), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}
END_TEST

static atomic_int ended;

static void *end_one(void *handle) {
  if (vptr__library_handle_end(&things, "end", handle))
    atomic_fetch_add(&ended, 1);
  return NULL;
}

START_TEST(one_of_many_ends_it) {
  for (long round = 0; round < support_rounds(200); round++) {
    pthread_t threads[THREADS];
    thing *made = make_thing(1);
    atomic_store(&ended, 0);
    for (int i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_create(&threads[i], NULL, end_one, made), 0);
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&ended), 1);
  }
}
END_TEST

/* ---- calls ------------------------------------------------------------------------------------------------ */

static vptr_mapper *mapper;

static void set_up(void) {
  ck_assert_int_eq(cudaFree(NULL), cudaSuccess);
  support_succeed(vptr__mapper_for_device(0, &mapper));
}

static vptr_status find(cudaStream_t handle, vptr__stream **found) {
  return vptr__library_stream("call", "the owner's stream", "owner", mapper, handle, found);
}

START_TEST(a_stream_is_found) {
  cudaStream_t made;
  vptr__stream *found = NULL, *own = NULL;
  support_succeed(find(NULL, &found));
  ck_assert_ptr_nonnull(found);
  support_succeed(find(cudaStreamLegacy, &own));
  ck_assert_ptr_eq(own, found);
  support_succeed(find(cudaStreamPerThread, &own));
  ck_assert_ptr_ne(own, found);
  ck_assert_int_eq(cudaStreamCreate(&made), cudaSuccess);
  support_succeed(find(made, &found));
  ck_assert_ptr_eq(found, made);
  ck_assert_int_eq(cudaStreamDestroy(made), cudaSuccess);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, find(made, &found));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "call: the owner's stream "));
  ck_assert_ptr_eq(found, made);
}
END_TEST

START_TEST(a_stream_is_of_the_owners_device) {
  vptr_config config = VPTR_CONFIG_INIT;
  cudaStream_t made;
  vptr__stream *found = NULL;
  vptr_mapper *current = mapper;
  ck_assert_int_eq(cudaStreamCreate(&made), cudaSuccess);
  support_succeed(vptr_mapper_create(&config, &mapper));
  support_expect(VPTR_ERROR_OTHER_MAPPER, find(made, &found));
  ck_assert_str_eq(vptr_last_error(), "call: the owner's stream is of another device than the owner");
  ck_assert_ptr_null(found);
  support_succeed(find(NULL, &found));
  ck_assert_ptr_eq(vptr__stream_mapper(found), mapper);
  support_succeed(vptr_mapper_destroy(mapper));
  mapper = current;
  ck_assert_int_eq(cudaStreamDestroy(made), cudaSuccess);
}
END_TEST

static vptr_status heard;

static void call_from_host(void *out) {
  heard = find(NULL, out);
}

START_TEST(a_host_function_may_not_call) {
  vptr__stream *found = NULL;
  ck_assert_int_eq(cudaLaunchHostFunc(NULL, call_from_host, &found), cudaSuccess);
  ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
  ck_assert_int_eq(heard, VPTR_ERROR_INVALID_ARGUMENT);
  ck_assert_ptr_null(found);
}
END_TEST

static vptr_status check(const void *at, size_t bytes) {
  return vptr__library_memory("call", "x", mapper, at, bytes);
}

START_TEST(operands_have_bounds) {
  char *device, *pinned, mine[16];
  ck_assert_int_eq(cudaMalloc((void **)&device, 1000), cudaSuccess);
  ck_assert_int_eq(cudaMallocHost((void **)&pinned, 1000), cudaSuccess);
  support_succeed(check(device, 1000));
  support_succeed(check(device + 999, 1));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, check(device + 999, 2));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "call: x"));
  support_succeed(check(pinned, 1000));
  support_expect(VPTR_ERROR_OUT_OF_BOUNDS, check(pinned, 1001));
  support_succeed(check(mine, sizeof mine));
  ck_assert_int_eq(cudaFree(device), cudaSuccess);
  support_expect(VPTR_ERROR_FREED, check(device, 1));
  ck_assert_int_eq(cudaFreeHost(pinned), cudaSuccess);
}
END_TEST

START_TEST(an_operand_is_of_the_owners_device) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *other;
  void *there;
  support_succeed(vptr_mapper_create(&config, &other));
  support_succeed(vptr_malloc(other, 100, &there));
  support_expect(VPTR_ERROR_OTHER_MAPPER, check(there, 1));
  support_succeed(vptr_free(other, there));
  support_succeed(vptr_mapper_destroy(other));
}
END_TEST

START_TEST(bytes_are_read) {
  int number = 0, *device;
  vptr__stream *stream;
  ck_assert_int_eq(cudaMalloc((void **)&device, sizeof *device), cudaSuccess);
  support_succeed(find(cudaStreamPerThread, &stream));
  ck_assert_int_eq(cudaMemsetAsync(device, 1, sizeof *device, cudaStreamPerThread), cudaSuccess);
  support_succeed(vptr__library_read(stream, &number, device, sizeof number));
  ck_assert_int_eq(number, 0x01010101);
  ck_assert_int_eq(cudaFree(device), cudaSuccess);
  support_expect(VPTR_ERROR_OPENCL, vptr__library_read(stream, &number, device, sizeof number));
  ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
}
END_TEST

/* ---- kernels ---------------------------------------------------------------------------------------------- */

static const char module_text[] = "//vptr-module 1\n"
                                  "//vptr kernel name=one lowered=one entry=k_one\n"
                                  "k_one\n";
static const size_t module_text_length = sizeof module_text - 1;

START_TEST(kernels_have_names) {
  static vptr__library_kernels kernels = VPTR__LIBRARY_KERNELS("mine", module_text);
  vptr__function *one = NULL, *again = NULL;
  support_succeed(vptr__library_kernel(&kernels, "one", &one));
  ck_assert_ptr_nonnull(one);
  support_succeed(vptr__library_kernel(&kernels, "one", &again));
  ck_assert_ptr_eq(again, one);
  support_expect(VPTR_ERROR_CORRUPT, vptr__library_kernel(&kernels, "two", &again));
  ck_assert_str_eq(vptr_last_error(), "libvptr-mine has no kernel two: its parts are of different builds");
  ck_assert_ptr_eq(again, one);
}
END_TEST

/* A module that could not be read for want of memory is read at the next call. */
START_TEST(a_module_wants_memory) {
  static vptr__library_kernels kernels = VPTR__LIBRARY_KERNELS("mine", module_text);
  vptr__function *one = NULL;
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__library_kernel(&kernels, "one", &one));
  vptr__memory_fail_nth(0);
  ck_assert_ptr_null(one);
  support_succeed(vptr__library_kernel(&kernels, "one", &one));
  ck_assert_ptr_nonnull(one);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("library");
  TCase *handles = tcase_create("handles"), *calls = tcase_create("calls"), *kernels = tcase_create("kernels");
  tcase_add_test(handles, only_a_live_handle_is_one);
  tcase_add_test(handles, a_place_is_used_again);
  tcase_add_test(handles, there_is_a_most);
  tcase_add_test(handles, a_block_wants_memory);
  tcase_add_test(handles, threads_have_handles_of_their_own);
  tcase_add_test(handles, one_of_many_ends_it);
  tcase_add_checked_fixture(calls, set_up, NULL);
  tcase_add_test(calls, a_stream_is_found);
  tcase_add_test(calls, a_stream_is_of_the_owners_device);
  tcase_add_test(calls, a_host_function_may_not_call);
  tcase_add_test(calls, operands_have_bounds);
  tcase_add_test(calls, an_operand_is_of_the_owners_device);
  tcase_add_test(calls, bytes_are_read);
  tcase_add_test(kernels, kernels_have_names);
  tcase_add_test(kernels, a_module_wants_memory);
  suite_add_tcase(suite, handles);
  suite_add_tcase(suite, calls);
  suite_add_tcase(suite, kernels);
  return support_run(suite);
}
