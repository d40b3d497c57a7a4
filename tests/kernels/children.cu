/* SPDX-License-Identifier: MIT */
/* children - grids that kernels launch: their arguments, their order in default, named, tail-launch and fire-and-forget
 * streams, what waits for them, how deep they go, and what the host is told when there are too many. */
#include "kernels.h"

#include <pthread.h>

static void expect(const char *what, double seen, double wanted) {
  if (seen != wanted && failures++ < 20)
    printf("%s: %g, not %g\n", what, seen, wanted);
}

/* ---- a reduction whose levels are tail launches ---------------------------------------------------------- */

enum { WIDTH = 64 };

/* Each level reads one buffer and writes the other: a block of the same level may still read what it would overwrite. */
__global__ void reduce(const float *from, float *to, float *spare, int count) {
  __shared__ float sums[WIDTH];
  int i = blockIdx.x * WIDTH + threadIdx.x;
  sums[threadIdx.x] = i < count ? from[i] : 0.0f;
  __syncthreads();
  for (int half = WIDTH / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    to[blockIdx.x] = sums[0];
  if (i == 0) {
    if (gridDim.x > 1)
      reduce<<<(gridDim.x + WIDTH - 1) / WIDTH, WIDTH, 0, cudaStreamTailLaunch>>>(to, spare, to, gridDim.x);
    else
      *spare = to[0];
  }
}

static void test_reduction(void) {
  enum { COUNT = WIDTH * WIDTH * 2 + 5 };
  float *from, *rooms, sum = 0;
  static float host[COUNT];
  for (int i = 0; i < COUNT; i++)
    host[i] = (float)(i % 7);
  double wanted = 0;
  for (int i = 0; i < COUNT; i++)
    wanted += host[i];
  CHECK(cudaMalloc(&from, sizeof host));
  CHECK(cudaMalloc(&rooms, 2 * sizeof(float) * 256));
  CHECK(cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice));
  reduce<<<(COUNT + WIDTH - 1) / WIDTH, WIDTH>>>(from, rooms, rooms + 256, COUNT);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, rooms, sizeof sum, cudaMemcpyDeviceToHost));
  expect("the sum of all levels", sum, wanted);
  CHECK(cudaFree(from));
  CHECK(cudaFree(rooms));
}

/* ---- arguments ------------------------------------------------------------------------------------------- */

struct part {
  char letter;
  double *place;
  short numbers[3];
};

__global__ void take_all(char c, struct part part, int4 four, double d, int *out, const void *nothing, bool flag) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[0] = c;
  out[1] = part.letter + part.numbers[0] + part.numbers[2];
  out[2] = four.x + 10 * four.y + 100 * four.z + 1000 * four.w;
  out[3] = (int)d;
  out[4] = nothing == NULL;
  out[5] = flag;
  out[6] = gridDim.x + 10 * gridDim.y + 100 * blockDim.x + 1000 * blockDim.y;
  out[7] = shared[blockDim.x - 1];
  *part.place = d / 2;
}

__global__ void take_none(void) {}

__device__ void launch_all(int *out, double *place) {
  struct part part;
  part.letter = 'a';
  part.place = place + 1;
  part.numbers[0] = 1;
  part.numbers[1] = 2;
  part.numbers[2] = 3;
  take_none<<<1, 1>>>();
  take_all<<<dim3(2, 3), 4 << 1 >> 1, sizeof(int) * 4>>>('x', part, make_int4(1, 2, 3, 4), 7.5, out + 1, NULL, true);
}

__global__ void hand_over(int *out, double *place) {
  if (threadIdx.x == 1)
    launch_all(out, place);
}

static void test_arguments(void) {
  const int wanted[] = { 'x', 'a' + 4, 4321, 7, 1, 1, 2 + 30 + 400 + 1000, 3 };
  int *out, host[9];
  double *place, value;
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMallocManaged(&place, 2 * sizeof *place));
  place[1] = 0;
  CHECK(cudaMemset(out, 0, sizeof host));
  hand_over<<<1, 2>>>(out, place);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  value = place[1];
  expect("nothing before", host[0], 0);
  for (int i = 0; i < 8; i++)
    expect("an argument of a child", host[1 + i], wanted[i]);
  expect("through a pointer in a struct", value, 3.75);
  CHECK(cudaFree(out));
  CHECK(cudaFree(place));
}

/* ---- order ----------------------------------------------------------------------------------------------- */

/* A log of numbers: log[0] counts. */
__global__ void note(int *log, int number) { log[atomicAdd(&log[0], 1) + 1] = number; }

/* What comes behind a launch may run beside it. */
__global__ void note_with_child(int *log, int number) {
  log[atomicAdd(&log[0], 1) + 1] = number;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, number + 2);
  note<<<1, 1>>>(log, number + 1);
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(log + 100, number);
}

__global__ void note_in_order(int *log) {
  cudaStream_t stream;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
    return;
#ifdef __VPTRCC__ /* which CUDA's document says, and its runtime does not */
  if (cudaStreamCreateWithFlags(&stream, cudaStreamDefault) == cudaSuccess)
    return;
#endif
  log[atomicAdd(&log[0], 1) + 1] = 10;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 50);
  note_with_child<<<1, 1, 0, stream>>>(log, 20);
  note_with_child<<<1, 1, 0, stream>>>(log, 30);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 51);
  note<<<1, 1, 0, stream>>>(log, cudaGetLastError() == cudaSuccess ? 40 : 41);
  cudaStreamDestroy(stream);
}

static void test_order(void) {
  const int wanted[] = { 10, 20, 21, 22, 30, 31, 32, 40, 50, 51 };
  int *log, host[128];
  CHECK(cudaMalloc(&log, sizeof host));
  CHECK(cudaMemset(log, 0, sizeof host));
  note_in_order<<<1, 1>>>(log);
  CHECK(cudaMemcpy(host, log, sizeof host, cudaMemcpyDeviceToHost));
  expect("all have noted", host[0], 10);
  for (int i = 0; i < 10; i++)
    expect("in the order of the streams", host[1 + i], wanted[i]);
  expect("fire and forget", host[100], 2);
  CHECK(cudaFree(log));
}

/* ---- depth ----------------------------------------------------------------------------------------------- */

__global__ void descend(int *deepest, int level, int last) {
  atomicMax(deepest, level);
  if (level < last)
    descend<<<1, 1>>>(deepest, level + 1, last);
}

static void test_depth(void) {
  int *deepest, host;
  CHECK(cudaMalloc(&deepest, sizeof host));
  CHECK(cudaMemset(deepest, 0, sizeof host));
  descend<<<1, 1>>>(deepest, 0, 24);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&host, deepest, sizeof host, cudaMemcpyDeviceToHost));
  expect("24 levels", host, 24);
#ifdef __VPTRCC__ /* CUDA's document has the limit, and CUDA 13's runtime goes on */
  CHECK(cudaMemset(deepest, 0, sizeof host));
  descend<<<1, 1>>>(deepest, 0, 25);
  EXPECT(cudaDeviceSynchronize(), cudaErrorLaunchMaxDepthExceeded);
  cudaGetLastError();
  CHECK(cudaMemcpy(&host, deepest, sizeof host, cudaMemcpyDeviceToHost));
  expect("and no more", host, 24);
#endif
  CHECK(cudaFree(deepest));
}

/* ---- too many, and what is no launch --------------------------------------------------------------------- */

__global__ void add_one(int *sum) { atomicAdd(sum, 1); }

__global__ void launch_many(int *sum, int *error) {
  add_one<<<1, 1>>>(sum);
  if (cudaPeekAtLastError() != cudaSuccess)
    *error = cudaGetLastError();
}

static void test_too_many(void) {
  int *sums, host[2];
  size_t limit = 0;
  CHECK(cudaMalloc(&sums, sizeof host));
  CHECK(cudaMemset(sums, 0, sizeof host));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  expect("the usual limit", limit, 2048);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 40));
  launch_many<<<2, 20>>>(sums, sums + 1);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  expect("as many as there may be", host[0], 40);
  expect("without an error", host[1], 0);
#ifdef __VPTRCC__ /* CUDA's runtime makes room for more than it was told to, and does not tell the host */
  launch_many<<<3, 20>>>(sums, sums + 1);
  EXPECT(cudaDeviceSynchronize(), cudaErrorLaunchPendingCountExceeded);
  cudaGetLastError();
  CHECK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  expect("those that fit were launched", host[0], 80);
  expect("the kernel was told", host[1], cudaErrorLaunchPendingCountExceeded);
#endif
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit));
  CHECK(cudaFree(sums));
}

__global__ void launch_wrong(int *sum, int kind) {
  if (kind == 0)
    add_one<<<0, 1>>>(sum);
  if (kind == 1)
    add_one<<<1, 1 << 20>>>(sum);
  add_one<<<1, 1>>>(sum);
}

static void test_wrong(void) {
  const cudaError_t wanted[] = { cudaErrorInvalidConfiguration, cudaErrorInvalidConfiguration, cudaSuccess };
  int *sum, host;
  CHECK(cudaMalloc(&sum, sizeof host));
  for (int kind = 0; kind < 3; kind++) {
    CHECK(cudaMemset(sum, 0, sizeof host));
    launch_wrong<<<1, 1>>>(sum, kind);
#ifdef __VPTRCC__ /* CUDA tells the kernel alone */
    EXPECT(cudaDeviceSynchronize(), wanted[kind]);
#else
    (void)wanted;
    CHECK(cudaDeviceSynchronize());
#endif
    cudaGetLastError();
    CHECK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
    expect("the others are launched", host, 1);
  }
  CHECK(cudaFree(sum));
}

/* ---- streams and threads of the host --------------------------------------------------------------------- */

__global__ void spread(int *sum, int level) {
  if (level > 0)
    spread<<<1, 2>>>(sum, level - 1);
  else
    atomicAdd(sum, 1);
}

__global__ void copy_of(const int *from, int *to) { *to = *from; }

enum { ROUNDS = 6, LEVELS = 4, THREADS = 3 };

/* 1 thread launches 1, whose 2 launch one each, ... */
static void *use_stream(void *failed) {
  cudaStream_t stream;
  cudaEvent_t event;
  int *sums, host[2 * ROUNDS];
  bool good = cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&event) == cudaSuccess &&
              cudaMalloc(&sums, sizeof host) == cudaSuccess &&
              cudaMemsetAsync(sums, 0, sizeof host, stream) == cudaSuccess;
  for (int i = 0; i < ROUNDS && good; i++) {
    spread<<<1, 1, 0, stream>>>(sums + i, LEVELS);
    copy_of<<<1, 1, 0, stream>>>(sums + i, sums + ROUNDS + i);
    good = cudaEventRecord(event, stream) == cudaSuccess;
  }
  good = good && cudaMemcpyAsync(host, sums, sizeof host, cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
         cudaEventSynchronize(event) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess;
  for (int i = 0; i < 2 * ROUNDS && good; i++)
    good = host[i] == 1 << LEVELS;
  cudaFree(sums);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  if (!good)
    *(bool *)failed = true;
  return NULL;
}

static void test_streams(void) {
  pthread_t threads[THREADS];
  bool failed[THREADS] = { false };
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, use_stream, &failed[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    expect("later work of a stream sees all grandchildren's", failed[i], 0);
  }
}

/* ---- managed memory that the host uses meanwhile ---------------------------------------------------------- */

__global__ void count_up(int *counts, int level) {
  for (int i = 0; i < 2000; i++)
    ((volatile int *)counts)[level] += 1;
  if (level > 0)
    count_up<<<1, 1>>>(counts, level - 1);
}

/* The host waits for all that was sent, the launch behind the first one's children too. */
static void test_managed(void) {
  enum { COUNT = 1 << 18, ROUNDS_OF_TWO = 3 };
  int *counts, *others;
  CHECK(cudaMallocManaged(&counts, COUNT * sizeof *counts));
  CHECK(cudaMallocManaged(&others, COUNT * sizeof *others));
  for (int round = 0; round < ROUNDS_OF_TWO; round++) {
    for (int i = 0; i < 3; i++)
      counts[i] = 0;
    count_up<<<1, 1>>>(counts, 2);
    others[COUNT - 1] = round;
    count_up<<<1, 1>>>(counts, 1);
    others[round] = counts[COUNT / 2];
    CHECK(cudaDeviceSynchronize());
    expect("counted by the first", counts[2], 2000);
    expect("and by both", counts[0] + counts[1], 8000);
  }
  CHECK(cudaFree(counts));
  CHECK(cudaFree(others));
}

/* ---- __managed__ variables ------------------------------------------------------------------------------- */

__managed__ int steps[4] = { 1, 2, 3, 4 };
__managed__ double total;

/* Which no parent names. */
__global__ void add_steps(int level) {
  for (int i = 0; i < 4; i++)
    total += steps[i];
  steps[level % 4] += 1;
  if (level > 0)
    add_steps<<<1, 1, 0, cudaStreamTailLaunch>>>(level - 1);
}

__global__ void launch_steps(int level) { add_steps<<<1, 1>>>(level); }
__global__ void double_total(void) { total *= 2; }
__global__ void add_there(const int *there, int *sum) { *sum += there[1]; }
__global__ void give_address(const int *there, int *sum) { add_there<<<1, 1>>>(there, sum); }

/* 10 + 11 + 12, and steps[2], [1] and [0] are one more. */
static void test_managed_variables(void) {
  launch_steps<<<1, 1>>>(2);
  CHECK(cudaDeviceSynchronize());
  expect("the sum of children", total, 33);
  expect("a variable of children", steps[0] + 10 * steps[1] + 100 * steps[2] + 1000 * steps[3], 4432);
  total = 1;
  for (int i = 0; i < 4; i++)
    steps[i] = i;
  launch_steps<<<1, 1>>>(0);
  double_total<<<1, 1>>>();
  launch_steps<<<1, 1>>>(0);
  CHECK(cudaDeviceSynchronize());
  expect("in the stream's order", total, (1 + 6) * 2 + 7);
}

#ifdef __VPTRCC__ /* on a GPU both streams run at once */
/* Each launch has the variables behind the one before it, on whatever stream that is. */
static void test_managed_in_two_streams(void) {
  enum { ROUNDS_OF_TWO = 8 };
  cudaStream_t streams[2];
  double wanted = 0;
  total = 0;
  for (int i = 0; i < 4; i++)
    steps[i] = 1;
  CHECK(cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
  for (int i = 0; i < ROUNDS_OF_TWO; i++) {
    launch_steps<<<1, 1, 0, streams[i % 2]>>>(1);
    wanted += (4 + 2 * i) + (5 + 2 * i);
    double_total<<<1, 1, 0, streams[(i + 1) % 2]>>>();
    wanted *= 2;
  }
  CHECK(cudaDeviceSynchronize());
  expect("one behind the other", total, wanted);
  CHECK(cudaStreamDestroy(streams[0]));
  CHECK(cudaStreamDestroy(streams[1]));
}
#endif

static void test_managed_address(void) {
  int *sum, host;
  CHECK(cudaMalloc(&sum, sizeof host));
  CHECK(cudaMemset(sum, 0, sizeof host));
  steps[1] = 17;
  give_address<<<1, 1>>>(steps, sum);
  CHECK(cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost));
  expect("by an address of a managed variable", host, 17);
  CHECK(cudaFree(sum));
}

int main(void) {
  test_reduction();
  test_arguments();
  test_order();
  test_depth();
  test_too_many();
  test_wrong();
  test_streams();
  test_managed();
  test_managed_variables();
#ifdef __VPTRCC__
  test_managed_in_two_streams();
#endif
  test_managed_address();
  return verdict("children");
}
