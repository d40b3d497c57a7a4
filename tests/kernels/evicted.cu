/* SPDX-License-Identifier: MIT */
/* evicted - a program whose arrays take twice what the device has: sums of arrays in random order, beside a model, and a list
 * that a kernel follows in memory, which must be on the device as a whole. It runs itself anew with the budget. */
#include "kernels.h"

#include <unistd.h>
#include <vector>

enum { COUNT = 1 << 16, MANY = 24, ROUNDS = 200, SPARSE = 1000 };
static const char budget[] = "4M"; /* with room for half of the arrays, and for what the library has */

struct node {
  int *values;
  struct node *next;
};

__global__ void begin(int *values, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = first + i;
}

__global__ void add(int *to, const int *more, const int *less) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] += more[i] - less[i];
}

__global__ void follow(const struct node *at, long long *sum) {
  long long total = 0;
  for (; at != NULL; at = at->next)
    for (int i = 0; i < COUNT; i += SPARSE)
      total += at->values[i];
  *sum = total;
}

static int *arrays[MANY];
static std::vector<int> model[MANY];

static void run_anew(char **arguments) {
  setenv("VPTR_OVERSUBSCRIBE", "1", 1);
  setenv("VPTR_DEVICE_BYTES", budget, 1);
  setenv("VPTR_TEST_EVICTED", "1", 1);
  execv("/proc/self/exe", arguments);
  perror("evicted: running itself anew");
  exit(1);
}

static void arrays_begun(void) {
  for (int k = 0; k < MANY; k++) {
    CHECK(cudaMalloc((void **)&arrays[k], COUNT * sizeof(int)));
    begin<<<COUNT / 256, 256>>>(arrays[k], 7 * k);
    for (int i = 0; i < COUNT; i++)
      model[k].push_back(7 * k + i);
  }
}

static int next_below(int limit) {
  static unsigned state = 1;
  state = state * 1103515245u + 12345u;
  return (int)(state / 65536 % (unsigned)limit);
}

static void sums_in_random_order(void) {
  for (int round = 0; round < ROUNDS; round++) {
    int a = next_below(MANY), b = next_below(MANY), c = next_below(MANY);
    add<<<COUNT / 256, 256>>>(arrays[a], arrays[b], arrays[c]);
    CHECK(cudaGetLastError());
    std::vector<int> more = model[b], less = model[c];
    for (int i = 0; i < COUNT; i++)
      model[a][i] += more[i] - less[i];
  }
}

static void arrays_compared(void) {
  std::vector<int> back(COUNT);
  for (int k = 0; k < MANY; k++) {
    CHECK(cudaMemcpy(back.data(), arrays[k], COUNT * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(back == model[k], true);
  }
}

/* All that may be reached must fit: so there is an error first, and none when the others have been freed. */
static void a_list_followed(void) {
  struct node *nodes, list[3];
  long long *sum, got = 0, expected = 0;
  CHECK(cudaMalloc((void **)&nodes, sizeof list));
  CHECK(cudaMalloc((void **)&sum, sizeof *sum));
  for (int k = 0; k < 3; k++) {
    list[k].values = arrays[k];
    list[k].next = k < 2 ? nodes + k + 1 : NULL;
    for (int i = 0; i < COUNT; i += SPARSE)
      expected += model[k][i];
  }
  CHECK(cudaMemcpy(nodes, list, sizeof list, cudaMemcpyHostToDevice));
  follow<<<1, 1>>>(nodes, sum);
  EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
  for (int k = 3; k < MANY; k++)
    CHECK(cudaFree(arrays[k]));
  follow<<<1, 1>>>(nodes, sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
  EXPECT(got, expected);
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(sum));
}

int main(int count, char **arguments) {
  size_t free_bytes = 0, total = 0;
  (void)count;
  if (getenv("VPTR_TEST_EVICTED") == NULL)
    run_anew(arguments);
  CHECK(cudaMemGetInfo(&free_bytes, &total));
  EXPECT((long long)total, 4 << 20);
  arrays_begun();
  sums_in_random_order();
  arrays_compared();
  a_list_followed();
  return verdict("evicted");
}
