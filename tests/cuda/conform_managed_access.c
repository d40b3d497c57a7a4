/* SPDX-License-Identifier: MIT */
/*
 * conform_managed_access - memory of cudaMallocManaged() between kernels, the host, copies and the system's calls:
 * whoever comes second, behind a wait, finds what the first left, to the byte. conform_managed_random.c mixes all of
 * it.
 *
 * Where cudaDevAttrConcurrentManagedAccess is 0 the host may touch no managed memory while any kernel runs, but for
 * what is attached to a stream that rests; so there, memory of several streams at once is attached.
 */
#include "conform_kernel.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

enum { PAGE = 4096, LARGE = (3 << 20) + 5, STREAMS = 4, THREADS = 4, ROUNDS = 10, SLOW = 2000 };

static const size_t sizes[] = { 1, PAGE - 1, PAGE, PAGE + 1, LARGE };
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char text[] =
    "extern \"C\" __global__ void add(unsigned char *x, size_t size, size_t step, unsigned char n) {\n"
    "  size_t threads = (size_t)gridDim.x * blockDim.x;\n"
    "  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i * step < size; i += threads)\n"
    "    x[i * step] += n;\n"
    "}\n"
    "extern \"C\" __global__ void linger(const unsigned *from, unsigned *to, int turns) {\n"
    "  unsigned sum = 0;\n"
    "  if (blockIdx.x == 0 && threadIdx.x == 0) {\n"
    "    for (int turn = 0; turn < turns; turn++)\n"
    "      for (int i = 0; i < 1024; i++)\n"
    "        sum = sum * 3 + from[i];\n"
    "    *to = sum;\n"
    "  }\n"
    "}\n";

static CUfunction add, linger;
static int is_concurrent;

static unsigned char *make(size_t size) {
  unsigned char *memory = NULL;
  conform_succeed(cudaMallocManaged((void **)&memory, size, cudaMemAttachGlobal));
  return memory;
}

/* Each step-th byte becomes n more. False on failure. */
static int add_to(unsigned char *x, size_t size, size_t step, unsigned char n, cudaStream_t stream) {
  void *arguments[] = { &x, &size, &step, &n };
  return conform_launch(add, stream, arguments);
}

static size_t different(const unsigned char *x, const unsigned char *expected, size_t size) {
  size_t wrong = 0;
  for (size_t i = 0; i < size; i++)
    wrong += x[i] != expected[i];
  return wrong;
}

static unsigned char pattern(size_t i) {
  return (unsigned char)(i * 7 + i / 251);
}

static unsigned char *make_model(size_t size) {
  unsigned char *model = malloc(size);
  if (model == NULL)
    exit(EXIT_FAILURE);
  for (size_t i = 0; i < size; i++)
    model[i] = pattern(i);
  return model;
}

static void add_to_model(unsigned char *model, size_t size, size_t step, unsigned char n) {
  for (size_t i = 0; i < size; i += step)
    model[i] = (unsigned char)(model[i] + n);
}

/* ---- kernels and the host -------------------------------------------------------------------------------- */

typedef enum waiting { BY_DEVICE, BY_STREAM, BY_EVENT, BY_QUERY, WAITINGS } waiting;

static void wait_for(cudaStream_t stream, waiting how) {
  cudaEvent_t event = NULL;
  if (how == BY_DEVICE)
    conform_succeed(cudaDeviceSynchronize());
  else if (how == BY_STREAM)
    conform_succeed(cudaStreamSynchronize(stream));
  else {
    conform_succeed(cudaEventCreate(&event));
    conform_succeed(cudaEventRecord(event, stream));
    if (how == BY_EVENT)
      conform_succeed(cudaEventSynchronize(event));
    while (cudaEventQuery(event) == cudaErrorNotReady)
      ;
    conform_succeed(cudaEventDestroy(event));
  }
}

static void sides_take_turns(size_t size, waiting how) {
  unsigned char *x = make(size), *model = make_model(size);
  cudaStream_t stream = NULL;
  conform_succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  memcpy(x, model, size);
  for (unsigned char turn = 1; turn < 4; turn++) {
    conform_true(add_to(x, size, 1, turn, stream));
    wait_for(stream, how);
    add_to_model(model, size, 1, turn);
    conform_true(different(x, model, size) == 0);
    for (size_t i = turn; i < size; i += 3)
      x[i] = model[i] = (unsigned char)(i + turn);
  }
  conform_succeed(cudaStreamDestroy(stream));
  conform_succeed(cudaFree(x));
  free(model);
}

/* The host writes a byte of each page that a kernel wrote, and the next kernel a byte of each page that the host
   wrote. */
static void single_bytes_leave_the_rest_alone(void) {
  unsigned char *x = make(LARGE), *model = make_model(LARGE);
  memcpy(x, model, LARGE);
  for (unsigned round = 0; round < ROUNDS; round++) {
    size_t step = round % 2 == 0 ? 1 : PAGE;
    conform_true(add_to(x, LARGE, step, 3, NULL));
    add_to_model(model, LARGE, step, 3);
    conform_succeed(cudaDeviceSynchronize());
    for (size_t page = 0; page * PAGE < LARGE; page++) {
      size_t at = page * PAGE + (page * 31 + round * 1021) % PAGE;
      if (at < LARGE)
        x[at] = model[at] = (unsigned char)(page + round);
    }
  }
  conform_true(add_to(x, LARGE, 1, 1, NULL));
  add_to_model(model, LARGE, 1, 1);
  conform_succeed(cudaDeviceSynchronize());
  conform_true(different(x, model, LARGE) == 0);
  conform_succeed(cudaFree(x));
  free(model);
}

/* A kernel that gets a pointer into the middle leaves both ends as they are; nothing is done to no bytes, one is
   one. */
static void interior_pointers_are_what_they_are(void) {
  unsigned char *x = make(LARGE), *model = make_model(LARGE);
  static const struct {
    size_t first, size;
  } parts[] = { { 1, LARGE - 2 }, { PAGE - 1, 2 }, { PAGE, 0 }, { LARGE - 1, 1 }, { 2 * PAGE + 17, 3 * PAGE },
                { 0, 0 } };
  memcpy(x, model, LARGE);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    conform_true(add_to(x + parts[i].first, parts[i].size, 1, 9, NULL));
    add_to_model(model + parts[i].first, parts[i].size, 1, 9);
    conform_succeed(cudaMemset(x + parts[i].first, 5, parts[i].size / 2));
    memset(model + parts[i].first, 5, parts[i].size / 2);
    conform_succeed(cudaMemcpy(x + parts[i].first, model + 99, parts[i].size / 3, cudaMemcpyHostToDevice));
    memmove(model + parts[i].first, model + 99, parts[i].size / 3);
    conform_succeed(cudaDeviceSynchronize());
    conform_true(different(x, model, LARGE) == 0);
  }
  conform_succeed(cudaFree(x));
  free(model);
}

/* ---- several streams, several threads -------------------------------------------------------------------- */

static cudaError_t attach(cudaStream_t stream, void *memory) {
  return is_concurrent ? cudaSuccess : cudaStreamAttachMemAsync(stream, memory, 0, cudaMemAttachSingle);
}

static void streams_have_memory_of_their_own(void) {
  unsigned char *x[STREAMS], *model = make_model(LARGE);
  cudaStream_t streams[STREAMS];
  for (int i = 0; i < STREAMS; i++) {
    conform_succeed(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    x[i] = make(LARGE);
    memcpy(x[i], model, LARGE);
  }
  for (int i = 0; i < STREAMS; i++) {
    conform_succeed(attach(streams[i], x[i]));
    conform_succeed(cudaStreamSynchronize(streams[i]));
  }
  for (unsigned char round = 1; round <= ROUNDS; round++) {
    add_to_model(model, LARGE, 1, round);
    for (int i = 0; i < STREAMS; i++)
      conform_true(add_to(x[i], LARGE, 1, round, streams[i]));
    for (int i = 0; i < STREAMS; i++) {
      conform_succeed(cudaStreamSynchronize(streams[i]));
      conform_true(different(x[i], model, LARGE) == 0);
      x[i][round] = 0;
    }
    model[round] = 0;
  }
  for (int i = 0; i < STREAMS; i++) {
    conform_succeed(cudaFree(x[i]));
    conform_succeed(cudaStreamDestroy(streams[i]));
  }
  free(model);
}

/* Counted by each thread for itself and checked after the join. */
static uintptr_t work_alone(size_t size, unsigned char n) {
  uintptr_t wrong = 0;
  unsigned char *x = NULL, *model = make_model(size);
  cudaStream_t stream = NULL;
  wrong += cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess;
  wrong +=
      cudaMallocManaged((void **)&x, size, is_concurrent ? cudaMemAttachGlobal : cudaMemAttachHost) != cudaSuccess;
  wrong += attach(stream, x) != cudaSuccess;
  wrong += cudaStreamSynchronize(stream) != cudaSuccess;
  memcpy(x, model, size);
  for (int round = 0; round < ROUNDS; round++) {
    size_t at = ((size_t)round * 40503) % size;
    wrong += !add_to(x, size, 1, n, stream);
    add_to_model(model, size, 1, n);
    wrong += cudaStreamSynchronize(stream) != cudaSuccess;
    wrong += different(x, model, size);
    x[at] = model[at] = n;
  }
  wrong += cudaFree(x) != cudaSuccess;
  wrong += cudaStreamDestroy(stream) != cudaSuccess;
  free(model);
  return wrong;
}

static void *work_on_all_sizes(void *argument) {
  uintptr_t number = (uintptr_t)argument, wrong = cudaSetDevice(0) != cudaSuccess;
  for (int i = 0; i < SIZES; i++)
    wrong += work_alone(sizes[i] + 64 * number, (unsigned char)(number + 1));
  return (void *)wrong;
}

/* Each thread is given its number, and says how much was wrong. */
static void run_threads(void *(*run)(void *)) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)i) != 0)
      exit(EXIT_FAILURE);
  for (int i = 0; i < THREADS; i++) {
    void *wrong = NULL;
    pthread_join(threads[i], &wrong);
    conform_true(wrong == NULL);
  }
}

static void threads_have_memory_of_their_own(void) {
  run_threads(work_on_all_sizes);
}

static struct {
  unsigned char *memory, *model;
  pthread_barrier_t start;
} common;

/* Every THREADS-th byte, from the thread's number on: all threads are in the same page at once. */
static void *work_on_every_page(void *argument) {
  uintptr_t number = (uintptr_t)argument, wrong = 0;
  pthread_barrier_wait(&common.start);
  for (size_t i = number; i < LARGE; i += THREADS) {
    wrong += common.memory[i] != common.model[i];
    common.memory[i] = common.model[i] = (unsigned char)(i + number);
  }
  return (void *)wrong;
}

static void threads_share_pages(void) {
  common.memory = make(LARGE);
  common.model = make_model(LARGE);
  memcpy(common.memory, common.model, LARGE);
  pthread_barrier_init(&common.start, NULL, THREADS);
  for (unsigned char round = 1; round <= ROUNDS; round++) {
    conform_true(add_to(common.memory, LARGE, 1, round, NULL));
    conform_succeed(cudaDeviceSynchronize());
    add_to_model(common.model, LARGE, 1, round);
    run_threads(work_on_every_page);
  }
  conform_true(different(common.memory, common.model, LARGE) == 0);
  pthread_barrier_destroy(&common.start);
  conform_succeed(cudaFree(common.memory));
  free(common.model);
}

/* ---- the system's calls, and the end --------------------------------------------------------------------- */

/* A pipe in pieces that fit into it. The kernel before wrote what is sent, and the one before that what is received
   over. */
static void a_pipe_takes_and_gives(void) {
  enum { PIECE = 5000 };
  unsigned char *from = make(LARGE), *to = make(LARGE), *model = make_model(LARGE);
  int ends[2];
  memcpy(from, model, LARGE);
  memset(to, 0, LARGE);
  conform_true(add_to(from, LARGE, 1, 17, NULL) && add_to(to, LARGE, 1, 1, NULL));
  conform_succeed(cudaDeviceSynchronize());
  add_to_model(model, LARGE, 1, 17);
  conform_true(pipe(ends) == 0);
  for (size_t at = 0; at < LARGE; at += PIECE) {
    size_t size = LARGE - at < PIECE ? LARGE - at : PIECE;
    conform_true(write(ends[1], from + at, size) == (ssize_t)size);
    conform_true(read(ends[0], to + at, size) == (ssize_t)size);
  }
  conform_true(add_to(to, LARGE, 1, 1, NULL));
  conform_succeed(cudaDeviceSynchronize());
  add_to_model(model, LARGE, 1, 1);
  conform_true(different(to, model, LARGE) == 0);
  close(ends[0]);
  close(ends[1]);
  conform_succeed(cudaFree(from));
  conform_succeed(cudaFree(to));
  free(model);
}

/* Whole, with one call each way, and by the C library. */
static void a_file_takes_and_gives(void) {
  unsigned char *x = make(LARGE), *model = make_model(LARGE);
  FILE *file = tmpfile();
  if (file == NULL)
    exit(EXIT_FAILURE);
  int number = fileno(file);
  memcpy(x, model, LARGE);
  conform_true(add_to(x, LARGE, 1, 40, NULL));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(pwrite(number, x, LARGE, 0) == LARGE);
  conform_true(add_to(x, LARGE, 1, 1, NULL));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(pread(number, x + 1, LARGE - 1, 0) == LARGE - 1);
  add_to_model(model, LARGE, 1, 40);
  conform_true(x[0] == (unsigned char)(model[0] + 1) && different(x + 1, model, LARGE - 1) == 0);
  conform_true(add_to(x, LARGE, 1, 2, NULL));
  conform_succeed(cudaDeviceSynchronize());
  rewind(file);
  conform_true(fread(x, 1, LARGE, file) == LARGE);
  conform_true(different(x, model, LARGE) == 0);
  fclose(file);
  conform_succeed(cudaFree(x));
  free(model);
}

/* A kernel that still reads what is freed gets to its end with what was there. */
static void memory_is_freed_while_kernels_run(void) {
  unsigned *to = NULL, expected = 0, got = 0;
  int turns = SLOW;
  conform_succeed(cudaMalloc((void **)&to, sizeof *to));
  unsigned *from = (unsigned *)make(1024 * sizeof *from);
  for (unsigned i = 0; i < 1024; i++)
    from[i] = i * 77;
  for (int turn = 0; turn < SLOW; turn++)
    for (unsigned i = 0; i < 1024; i++)
      expected = expected * 3 + from[i];
  void *arguments[] = { &from, &to, &turns };
  conform_true(conform_launch(linger, NULL, arguments));
  conform_succeed(cudaFree(from));
  unsigned char *other = make(1024 * sizeof *from); /* it may lie where that was */
  memset(other, 0xff, 1024 * sizeof *from);
  conform_succeed(cudaMemcpy(&got, to, sizeof got, cudaMemcpyDeviceToHost));
  conform_true(got == expected);
  conform_succeed(cudaFree(other));
  conform_succeed(cudaFree(to));
}

int main(void) {
  CUmodule module = conform_load(text);
  add = conform_function(module, "add");
  linger = conform_function(module, "linger");
  conform_succeed(cudaDeviceGetAttribute(&is_concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  for (int size = 0; size < SIZES; size++)
    for (waiting how = BY_DEVICE; how < WAITINGS; how++)
      sides_take_turns(sizes[size], how);
  single_bytes_leave_the_rest_alone();
  interior_pointers_are_what_they_are();
  streams_have_memory_of_their_own();
  threads_have_memory_of_their_own();
  threads_share_pages();
  if (conform_calls_reach_managed()) {
    a_pipe_takes_and_gives();
    a_file_takes_and_gives();
  }
  memory_is_freed_while_kernels_run();
  return conform_done("conform_managed_access");
}
