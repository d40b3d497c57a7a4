/* SPDX-License-Identifier: MIT */
/*
 * conform_managed_random - a random program of all that works on managed memory, beside a model in the host's.
 *
 *     conform_managed_random [SEED [STEPS]]
 *
 * What an action changes in managed memory it changes in the model at once; whenever the host looks, both must be
 * alike. The program keeps CUDA's rules: an action in another stream than the last one waits for that by an event, and
 * the host waits for the stream that a buffer was last used in; for all streams, where
 * cudaDevAttrConcurrentManagedAccess is 0.
 */
#include "conform_kernel.h"

#include <stdint.h>
#include <unistd.h>

enum { PAGE = 4096, LARGEST = (3 << 20) + 5, BUFFERS = 6, STREAMS = 4, IDLE = -1, DEVICE = 0, STEPS = 600 };

static const char text[] =
    "extern \"C\" __global__ void stir(unsigned char *x, size_t size, size_t step, unsigned char n) {\n"
    "  size_t threads = (size_t)gridDim.x * blockDim.x;\n"
    "  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i * step < size; i += threads)\n"
    "    x[i * step] = (unsigned char)(5 * x[i * step] + i + n);\n"
    "}\n"
    "extern \"C\" __global__ void merge(unsigned char *x, const unsigned char *y, size_t size) {\n"
    "  size_t threads = (size_t)gridDim.x * blockDim.x;\n"
    "  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += threads)\n"
    "    x[i] = (unsigned char)(x[i] + 3 * y[i]);\n"
    "}\n";

typedef struct buffer {
  unsigned char *memory, *model;
  size_t size;
  int stream; /* where it was last used; IDLE: the host may look */
} buffer;

/* Some bytes of a buffer. */
typedef struct part {
  buffer *of;
  unsigned char *memory, *model;
  size_t size;
} part;

static CUfunction stir, merge;
static buffer buffers[BUFFERS];
static cudaStream_t
    streams[STREAMS]; /* the first is the legacy one, then ordinary ones and such that do not wait for it */
static cudaEvent_t event;
static unsigned char *device; /* LARGEST bytes, of cudaMalloc() */
static int device_stream = IDLE, is_concurrent, calls_reach;
static unsigned char scratch[LARGEST];
static FILE *file;
static uint64_t state;

/* ---- chance ---------------------------------------------------------------------------------------------- */

/* Below bound, which is at least 1. Steele, Lea and Flood's SplitMix. */
static size_t chance(size_t bound) {
  uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (size_t)((z ^ (z >> 31)) % bound);
}

static size_t any_size(void) {
  static const size_t sizes[] = { 1, PAGE - 1, PAGE, PAGE + 1, 70000, LARGEST };
  return sizes[chance(sizeof sizes / sizeof *sizes)];
}

/* At most `most` bytes: all of it, a few, none, or any. */
static size_t some_of(size_t most) {
  switch (chance(4)) {
  case 0:
    return most;
  case 1:
    return chance((most < 9 ? most : 9) + 1);
  default:
    return chance(most + 1);
  }
}

static part part_of(buffer *of, size_t most) {
  size_t size = some_of(most < of->size ? most : of->size), first = chance(of->size - size + 1);
  return (part){ of, of->memory + first, of->model + first, size };
}

static part any_part(void) {
  return part_of(&buffers[chance(BUFFERS)], LARGEST);
}

/* As long as the other, in another buffer, if that is not too small. */
static part part_beside(part *other) {
  part beside = part_of(&buffers[(size_t)(other->of - buffers + 1) % BUFFERS], other->size);
  other->size = beside.size;
  return beside;
}

/* ---- order ----------------------------------------------------------------------------------------------- */

static void rests(int stream, int all) {
  for (int i = 0; i < BUFFERS; i++)
    if (all || buffers[i].stream == stream)
      buffers[i].stream = IDLE;
  if (all || device_stream == stream)
    device_stream = IDLE;
}

static void wait_for(int stream) {
  size_t how = chance(4);
  if (how == 0)
    conform_succeed(cudaDeviceSynchronize());
  else if (how == 1)
    conform_succeed(cudaStreamSynchronize(streams[stream]));
  else
    conform_succeed(cudaEventRecord(event, streams[stream]));
  if (how == 2)
    conform_succeed(cudaEventSynchronize(event));
  while (how == 3 && cudaEventQuery(event) == cudaErrorNotReady)
    ;
  rests(stream, how == 0);
}

/* From here on the host may look at it. */
static void settle(const buffer *of) {
  for (int i = 0; i < BUFFERS && !is_concurrent; i++)
    if (buffers[i].stream != IDLE)
      wait_for(buffers[i].stream);
  if (!is_concurrent && device_stream != IDLE)
    wait_for(device_stream);
  if (of->stream != IDLE)
    wait_for(of->stream);
}

/* What is sent into the stream from here on finds what was done in `used`. */
static void join(int *used, int stream) {
  if (*used != IDLE && *used != stream) {
    conform_succeed(cudaEventRecord(event, streams[*used]));
    conform_succeed(cudaStreamWaitEvent(streams[stream], event, 0));
  }
  *used = stream;
}

static int stream_for(part a, part b) {
  int stream = (int)chance(STREAMS);
  join(&a.of->stream, stream);
  join(&b.of->stream, stream);
  return stream;
}

/* ---- actions --------------------------------------------------------------------------------------------- */

static void compare(part a) {
  settle(a.of);
  conform_true(memcmp(a.memory, a.model, a.size) == 0);
}

static void host_looks(void) {
  compare(any_part());
}

static void host_writes(void) {
  part a = any_part();
  unsigned char n = (unsigned char)chance(256);
  settle(a.of);
  for (size_t i = 0; i < a.size; i++)
    a.memory[i] = a.model[i] = (unsigned char)(n + i * 3);
}

static void host_writes_here_and_there(void) {
  buffer *of = &buffers[chance(BUFFERS)];
  settle(of);
  for (int i = 0; i < 20; i++) {
    size_t at = chance(of->size);
    of->memory[at] = of->model[at] = (unsigned char)i;
  }
}

static void kernel_stirs(void) {
  part a = any_part();
  size_t step = chance(3) == 0 ? PAGE : 1 + chance(3);
  unsigned char n = (unsigned char)chance(256);
  void *arguments[] = { &a.memory, &a.size, &step, &n };
  conform_true(conform_launch(stir, streams[stream_for(a, a)], arguments));
  for (size_t i = 0; i * step < a.size; i++)
    a.model[i * step] = (unsigned char)(5 * a.model[i * step] + i + n);
}

static void kernel_merges(void) {
  part a = any_part(), b = part_beside(&a);
  void *arguments[] = { &a.memory, &b.memory, &a.size };
  conform_true(conform_launch(merge, streams[stream_for(a, b)], arguments));
  for (size_t i = 0; i < a.size; i++)
    a.model[i] = (unsigned char)(a.model[i] + 3 * b.model[i]);
}

static void is_copied(void) {
  static const enum cudaMemcpyKind kinds[] = { cudaMemcpyDefault, cudaMemcpyDeviceToDevice };
  part a = any_part(), b = part_beside(&a);
  conform_succeed(cudaMemcpyAsync(a.memory, b.memory, a.size, kinds[chance(2)], streams[stream_for(a, b)]));
  memcpy(a.model, b.model, a.size);
}

static void is_copied_by_way_of_the_device(void) {
  part a = any_part(), b = part_beside(&a);
  int stream = stream_for(a, b);
  join(&device_stream, stream);
  conform_succeed(cudaMemcpyAsync(device, b.memory, a.size, cudaMemcpyDefault, streams[stream]));
  conform_succeed(cudaMemcpyAsync(a.memory, device, a.size, cudaMemcpyDefault, streams[stream]));
  memcpy(a.model, b.model, a.size);
}

/* Calls without a stream keep no order with streams that do not wait for the legacy one. */
static void is_copied_from_plain_memory(void) {
  part a = any_part();
  settle(a.of);
  for (size_t i = 0; i < a.size; i++)
    scratch[i] = (unsigned char)(i * 11 + a.size);
  conform_succeed(cudaMemcpy(a.memory, scratch, a.size, chance(2) ? cudaMemcpyDefault : cudaMemcpyHostToDevice));
  memcpy(a.model, scratch, a.size);
  a.of->stream = 0;
}

static void is_copied_to_plain_memory(void) {
  part a = any_part();
  int stream = stream_for(a, a);
  conform_succeed(cudaMemcpyAsync(scratch, a.memory, a.size, cudaMemcpyDeviceToHost, streams[stream]));
  wait_for(stream);
  conform_true(memcmp(scratch, a.model, a.size) == 0);
}

static void is_set(void) {
  part a = any_part();
  int value = (int)chance(256);
  if (chance(2)) {
    conform_succeed(cudaMemsetAsync(a.memory, value, a.size, streams[stream_for(a, a)]));
  } else {
    settle(a.of);
    conform_succeed(cudaMemset(a.memory, value, a.size));
    a.of->stream = 0;
  }
  memset(a.model, value, a.size);
}

/* A device without concurrent access may refuse, and none takes no bytes. */
static void is_prefetched(void) {
  part a = any_part();
  int to_host = (int)chance(2);
  cudaStream_t stream = streams[stream_for(a, a)];
#if CUDART_VERSION >= 13000
  struct cudaMemLocation where = { to_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, DEVICE };
  cudaError_t error = a.size == 0 ? cudaSuccess : cudaMemPrefetchAsync(a.memory, a.size, where, 0, stream);
#else
  int where = to_host ? cudaCpuDeviceId : DEVICE;
  cudaError_t error = a.size == 0 ? cudaSuccess : cudaMemPrefetchAsync(a.memory, a.size, where, stream);
#endif
  conform_true(error == cudaSuccess || !is_concurrent);
  cudaGetLastError();
}

/* Where system calls do not find the memory, the C library copies it. */
static void goes_through_a_file(void) {
  part a = any_part(), b = part_beside(&a);
  settle(b.of);
  settle(a.of);
  if (calls_reach) {
    conform_true(pwrite(fileno(file), b.memory, a.size, 0) == (ssize_t)a.size);
    conform_true(pread(fileno(file), a.memory, a.size, 0) == (ssize_t)a.size);
  } else {
    memmove(a.memory, b.memory, a.size);
  }
  memcpy(a.model, b.model, a.size);
}

static void make(buffer *of) {
  of->size = any_size();
  of->stream = IDLE;
  of->model = calloc(of->size, 1);
  conform_succeed(cudaMallocManaged((void **)&of->memory, of->size, cudaMemAttachGlobal));
  if (of->model == NULL || of->memory == NULL)
    exit(EXIT_FAILURE);
  settle(of);
  memset(of->memory, 0, of->size);
}

static void drop(buffer *of) {
  conform_succeed(cudaFree(of->memory));
  free(of->model);
}

/* Whatever still works on it. */
static void is_replaced(void) {
  buffer *of = &buffers[chance(BUFFERS)];
  drop(of);
  make(of);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static void begin(void) {
  CUmodule module = conform_load(text);
  stir = conform_function(module, "stir");
  merge = conform_function(module, "merge");
  conform_succeed(cudaDeviceGetAttribute(&is_concurrent, cudaDevAttrConcurrentManagedAccess, DEVICE));
  calls_reach = conform_calls_reach_managed();
  for (int i = 1; i < STREAMS; i++)
    conform_succeed(cudaStreamCreateWithFlags(&streams[i], i % 2 == 0 ? cudaStreamNonBlocking : cudaStreamDefault));
  conform_succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  conform_succeed(cudaMalloc((void **)&device, LARGEST));
  file = tmpfile();
  if (file == NULL)
    exit(EXIT_FAILURE);
  for (int i = 0; i < BUFFERS; i++)
    make(&buffers[i]);
}

static void end(void) {
  for (int i = 0; i < BUFFERS; i++) {
    compare((part){ &buffers[i], buffers[i].memory, buffers[i].model, buffers[i].size });
    drop(&buffers[i]);
  }
  fclose(file);
  conform_succeed(cudaFree(device));
  conform_succeed(cudaEventDestroy(event));
  for (int i = 1; i < STREAMS; i++)
    conform_succeed(cudaStreamDestroy(streams[i]));
}

static const struct {
  void (*act)(void);
  const char *name;
} actions[] = {
  { host_looks, "host_looks" },
  { host_writes, "host_writes" },
  { host_writes_here_and_there, "host_writes_here_and_there" },
  { kernel_stirs, "kernel_stirs" },
  { kernel_stirs, "kernel_stirs" },
  { kernel_merges, "kernel_merges" },
  { is_copied, "is_copied" },
  { is_copied_by_way_of_the_device, "is_copied_by_way_of_the_device" },
  { is_copied_from_plain_memory, "is_copied_from_plain_memory" },
  { is_copied_to_plain_memory, "is_copied_to_plain_memory" },
  { is_set, "is_set" },
  { is_prefetched, "is_prefetched" },
  { goes_through_a_file, "goes_through_a_file" },
  { is_replaced, "is_replaced" },
};

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  long steps = argc > 2 ? strtol(argv[2], NULL, 0) : STEPS;
  state = seed;
  begin();
  for (long step = 0; step < steps && conform_failures == 0; step++) {
    size_t which = chance(sizeof actions / sizeof *actions);
    actions[which].act();
    if (conform_failures != 0)
      printf("    by %s, step %ld of seed %llu\n", actions[which].name, step, (unsigned long long)seed);
  }
  end();
  return conform_done("conform_managed_random");
}
