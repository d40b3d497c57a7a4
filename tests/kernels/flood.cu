/* SPDX-License-Identifier: MIT */
/*
 * flood - more is printed than the buffer has room for. Where kernels take plain memory (CPUs) all of it arrives, by the next
 * wait, each line whole and each thread's in their order; elsewhere, what did not is counted on stderr.
 */
#include "kernels.h"

#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 250, THREADS = 200, LINES = 4, ALL = BLOCKS * THREADS * LINES, STREAMS = 4, ROUNDS = 300, SMALL = 1 << 16 };

__global__ void flood(const char *words) {
  for (int i = 0; i < LINES; i++)
    printf("block %u thread %u line %d %s %lld %.2f\n", blockIdx.x, threadIdx.x, i, words, (long long)i << 40, i / 4.0);
}

/* Threads that meet between their lines. */
__global__ void take_turns(int *sum) {
  __shared__ int turn;
  for (int i = 0; i < 8; i++) {
    if (threadIdx.x == i)
      turn = i;
    __syncthreads();
    if (threadIdx.x == 7 - i)
      printf("turn %d of block %d by %d\n", turn, blockIdx.x, threadIdx.x);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, turn);
}

__global__ void tell(int stream, int round) { printf("stream %d round %d\n", stream, round); }

__device__ int depth_of(int n) {
  printf("inner %d\n", n);
  return n + 1;
}
__global__ void nest(void) { printf("outer %d\n", depth_of(depth_of(1))); }

__global__ void tell_much(const char *text) { printf("%s\n", text); }

static FILE *out, *err;
static int saved[2];

static void capture(void) {
  fflush(stdout);
  out = tmpfile();
  err = tmpfile();
  saved[0] = dup(1);
  saved[1] = dup(2);
  dup2(fileno(out), 1);
  dup2(fileno(err), 2);
}

static void release(void) {
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    dup2(saved[i], i + 1);
    close(saved[i]);
  }
  rewind(out);
  rewind(err);
}

static void close_files(void) {
  fclose(out);
  fclose(err);
}

/* How many calls were said to be lost. */
static unsigned lost(void) {
  char line[512];
  unsigned sum = 0, count;
  while (fgets(line, sizeof line, err) != NULL) {
    const char *said = strstr(line, " calls of printf() in kernels were lost");
    while (said != NULL && said > line && said[-1] != ' ')
      said--;
    sum += said != NULL && sscanf(said, "%u", &count) == 1 ? count : 0;
  }
  return sum;
}

static bool keeps_all(void) {
#ifdef VPTR_CUDA_API
  int takes;
  CHECK(cudaDeviceGetAttribute(&takes, cudaDevAttrPageableMemoryAccess, 0));
  return takes != 0;
#else
  return false;
#endif
}

static void check_flood(void) {
  static unsigned char next[BLOCKS][THREADS];
  char line[256], wanted[256];
  unsigned wrong = 0, seen = 0, block, thread;
  int i;
  memset(next, 0, sizeof next);
  for (; fgets(line, sizeof line, out) != NULL; seen++) {
    if (sscanf(line, "block %u thread %u line %d", &block, &thread, &i) != 3 || block >= BLOCKS || thread >= THREADS || i < next[block][thread]) {
      wrong++;
      continue;
    }
    next[block][thread] = (unsigned char)(i + 1);
    snprintf(wanted, sizeof wanted, "block %u thread %u line %d %s %lld %.2f\n", block, thread, i, "of a flood of words", (long long)i << 40, i / 4.0);
    wrong += strcmp(line, wanted) != 0;
  }
  EXPECT(wrong, 0);
#ifdef VPTR_CUDA_API
  unsigned gone = lost();
  EXPECT(seen + gone, ALL);
  EXPECT(keeps_all() && gone > 0, 0);
#endif
}

static void flood_tested(void) {
  char *words;
  CHECK(cudaMalloc((void **)&words, 32));
  CHECK(cudaMemcpy(words, "of a flood of words", 20, cudaMemcpyHostToDevice));
  capture();
  flood<<<BLOCKS, THREADS>>>(words);
  CHECK(cudaDeviceSynchronize());
  release();
  check_flood();
  close_files();
  CHECK(cudaFree(words));
}

static void turns_tested(void) {
  int *sum, value = 0, next[40] = { 0 }, block, turn, thread;
  unsigned wrong = 0, seen = 0;
  char line[128];
  CHECK(cudaMalloc((void **)&sum, sizeof *sum));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  capture();
  take_turns<<<40, 8>>>(sum);
  CHECK(cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost));
  release();
  EXPECT(value, 40 * 7);
  for (; fgets(line, sizeof line, out) != NULL; seen++)
    wrong += sscanf(line, "turn %d of block %d by %d", &turn, &block, &thread) != 3 || thread != 7 - turn || next[block]++ != turn;
  EXPECT(seen, 320);
  EXPECT(wrong, 0);
  close_files();
}

/* Each stream's lines in its order; an event's wait is enough. */
static void streams_tested(void) {
  cudaStream_t streams[STREAMS];
  cudaEvent_t event;
  int next[STREAMS] = { 0 }, stream, round;
  unsigned wrong = 0, seen = 0;
  char line[128];
  CHECK(cudaEventCreate(&event));
  for (int i = 0; i < STREAMS; i++)
    CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  capture();
  for (int i = 0; i < ROUNDS; i++)
    for (int k = 0; k < STREAMS; k++)
      tell<<<1, 1, 0, streams[k]>>>(k, i);
  for (int k = 0; k < STREAMS; k++) {
    CHECK(cudaEventRecord(event, streams[k]));
    CHECK(cudaEventSynchronize(event));
  }
  release();
  for (; fgets(line, sizeof line, out) != NULL; seen++)
    wrong += sscanf(line, "stream %d round %d", &stream, &round) != 2 || next[stream]++ != round;
  EXPECT(seen, STREAMS * ROUNDS);
  EXPECT(wrong, 0);
  close_files();
}

/* Arguments are evaluated before anything of their call is printed. */
static void nested_tested(void) {
  char text[64] = "";
  capture();
  nest<<<1, 1>>>();
  CHECK(cudaStreamSynchronize(0));
  release();
  text[fread(text, 1, sizeof text - 1, out)] = 0;
  EXPECT(strcmp(text, "inner 1\ninner 2\nouter 3\n"), 0);
  close_files();
}

/* Of two processes one prints, and neither prints what the other did. */
static void fork_tested(void) {
  char text[256] = "";
  int status = 1;
  capture();
  tell<<<1, 1>>>(7, 8);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    exit(0);
  waitpid(child, &status, 0);
  CHECK(cudaDeviceSynchronize());
  release();
  text[fread(text, 1, sizeof text - 1, out)] = 0;
  EXPECT(status, 0);
  EXPECT(strcmp(text, "stream 7 round 8\n"), 0);
  close_files();
}

/* A buffer is as small as it is set, and what is too large for it alone is lost, and said to be. */
static void limit_tested(void) {
#ifdef VPTR_CUDA_API
  char *text;
  CHECK(cudaDeviceReset());
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, SMALL));
  CHECK(cudaMalloc((void **)&text, 2 * SMALL));
  CHECK(cudaMemset(text, 'x', 2 * SMALL - 1));
  CHECK(cudaMemset(text + 2 * SMALL - 1, 0, 1));
  capture();
  tell_much<<<1, 1>>>(text);
  tell_much<<<1, 1>>>(text + 2 * SMALL - 30000);
  CHECK(cudaDeviceSynchronize());
  release();
  fseek(out, 0, SEEK_END);
  EXPECT(ftell(out), 30000);
  EXPECT(lost(), 1);
  close_files();
  flood_tested();
  CHECK(cudaDeviceReset());
#endif
}

int main(void) {
  flood_tested();
  turns_tested();
  streams_tested();
  nested_tested();
  fork_tested();
  limit_tested();
  return verdict("flood");
}
