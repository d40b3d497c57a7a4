/* SPDX-License-Identifier: MIT */
/*
 * leaving - kernels of which some threads return before the others go round loops together: at the edge of the data, at
 * borders, in triangles, and whole blocks. Each kernel's text is a function of the host's too, called for each thread;
 * whoever runs the threads of a block on the device, and together or by themselves, the results are the same.
 */
#include "kernels.h"

enum { MANY = 1 << 14 };

static int *memory, *input;
static int given[MANY], seen[MANY], right[MANY];

__host__ __device__ void add(int *to, int value) {
#ifdef __CUDA_ARCH__
  atomicAdd(to, value);
#else
  *to += value;
#endif
}

__host__ __device__ int half(int value) {
  return value / 2;
}

#define KERNEL(name, ...)                                                                                         \
  __global__ void name(const int *in, int n, int m, int *out) {                                                   \
    __VA_ARGS__                                                                                                   \
  }                                                                                                               \
  static void name##_of_host(dim3 threadIdx, dim3 blockIdx, dim3 blockDim, dim3 gridDim, const int *in, int n,    \
                             int m, int *out) {                                                                   \
    (void)threadIdx, (void)blockIdx, (void)blockDim, (void)gridDim, (void)in, (void)n, (void)m, (void)out;        \
    __VA_ARGS__                                                                                                   \
  }

#define PLACE                                                                                                     \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;                       \
  int z = blockIdx.z * blockDim.z + threadIdx.z, at = (z * 32 + y) * 64 + x;

/* ---- where the data ends ---------------------------------------------------------------------------------- */

KERNEL(each, PLACE if (x >= n) return; int mine = in[x]; if (y >= m) return; if (z > 2) return; int sum = mine;
       for (int k = 0; k < 5; k++) sum = sum * 3 + in[x + k];
       out[at] = sum + mine;)

/* One in another, the names of some in a variable, what differs behind them. */
KERNEL(nested, PLACE bool is_out = x >= n; if (m > 3) {
  if (is_out)
    return;
  if (y == 2)
    return;
} if (z < 2) {
  int sum = y;
  if (x > m) {
    for (int k = 0; k < m; k++)
      sum += in[x + k];
    out[at] = sum;
  }
})

KERNEL(wrapped, PLACE unsigned last = (unsigned)x - 3u; if (last >= (unsigned)n) return; int sum = 0;
       for (int k = 0; k < 6; k++) sum += in[last + k] ^ k;
       out[at] = sum;)

/* ---- what is no box ---------------------------------------------------------------------------------------- */

KERNEL(border, PLACE if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1) return; int sum = 0;
       for (int v = -1; v <= 1; v++) for (int u = -1; u <= 1; u++) sum += in[(y + v) * 64 + x + u] * (u + 2 * v);
       out[at] = sum;)

KERNEL(triangle, PLACE if (y > x || x >= n) return; int sum = 0; for (int k = 0; k < m; k++) sum += in[k * 64 + x];
       out[at] = sum;)

KERNEL(hole, PLACE if (x == n || (x > m && x < n - 3)) return; int sum = 0;
       for (int k = 0; k < 4; k++) sum += in[k + x] - k;
       out[at] = sum;)

/* ---- what they do besides ---------------------------------------------------------------------------------- */

/* Before they leave, and in leaving. */
KERNEL(counted, PLACE add(out, 1); if (x >= n) { add(out + 1, x); return; } int sum = 0;
       for (int k = 0; k < 4; k++) sum += in[k + x];
       add(out + 2, sum);)

/* A parameter, an array of its own, a pointer and a loop that some leave at the end of a round. */
KERNEL(values, PLACE int own[4] = { x, y, 3, 4 }, left = n - x; if (left <= 0) return; const int *from = in + x;
       m += left; for (int k = 0; k < 4; k++) {
         own[k] += from[k] * left;
         if (own[k] & 1)
           continue;
         m += k;
       } out[at] = own[0] ^ own[1] ^ own[2] ^ own[3] ^ m;)

/* Some leave again, all leave, and some at the end. */
KERNEL(again, PLACE if (x >= n) return; if (m == 7) return; int sum = 1; for (int k = 0; k < m; k++) {
  sum = sum * 3 + in[x + k];
  if (k == 4)
    break;
} out[at] = sum;
       if (sum & 1) return; out[at] = half(sum);)

/* Where nobody stays nothing may be worked out. */
KERNEL(nobody, PLACE if (x >= n) return; int left = n - (int)(blockIdx.x * blockDim.x), each = 100 / (left < 0 ? 0 : left);
       int sum = 0; for (int k = 0; k < 3; k++) sum += each + in[x + k];
       out[at] = sum;)

/* ---- all of them ------------------------------------------------------------------------------------------- */

typedef void kernel_of_host(dim3 thread, dim3 block, dim3 threads, dim3 blocks, const int *in, int n, int m, int *out);

static void run_on_host(kernel_of_host *kernel, dim3 blocks, dim3 threads, int n, int m) {
  dim3 block, thread;
  for (block.z = 0; block.z < blocks.z; block.z++)
    for (block.y = 0; block.y < blocks.y; block.y++)
      for (block.x = 0; block.x < blocks.x; block.x++)
        for (thread.z = 0; thread.z < threads.z; thread.z++)
          for (thread.y = 0; thread.y < threads.y; thread.y++)
            for (thread.x = 0; thread.x < threads.x; thread.x++)
              kernel(thread, block, threads, blocks, given, n, m, right);
}

static void compare(const char *name, dim3 threads, int n, int m) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < MANY; i++)
    if (seen[i] != right[i]) {
      printf("leaving: %s(n %d, m %d) by %u x %u x %u: %d at %d, not %d\n", name, n, m, threads.x, threads.y, threads.z,
             seen[i], i, right[i]);
      EXPECT(seen[i], right[i]);
      return;
    }
}

#define RUN(name)                                                                                                 \
  CHECK(cudaMemset(memory, 0, sizeof seen));                                                                      \
  memset(right, 0, sizeof right);                                                                                 \
  name<<<blocks, threads>>>(input, n, m, memory);                                                                 \
  run_on_host(name##_of_host, blocks, threads, n, m);                                                             \
  compare(#name, threads, n, m);

static void test(dim3 blocks, dim3 threads, int n, int m) {
  RUN(each)
  RUN(nested)
  RUN(wrapped)
  RUN(border)
  RUN(triangle)
  RUN(hole)
  RUN(counted)
  RUN(values)
  RUN(again)
  RUN(nobody)
}

int main() {
  static const int sizes[][2] = { { 0, 3 }, { 1, 1 }, { 9, 7 }, { 16, 16 }, { 21, 6 }, { 40, 20 }, { 64, 32 } };
  for (int i = 0; i < MANY; i++)
    given[i] = (i * 7919 + i / 3) % 23;
  CHECK(cudaMalloc((void **)&memory, sizeof seen));
  CHECK(cudaMalloc((void **)&input, sizeof given));
  CHECK(cudaMemcpy(input, given, sizeof given, cudaMemcpyHostToDevice));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    test(dim3(6, 4, 1), dim3(9, 7), sizes[i][0], sizes[i][1]);
    test(dim3(4, 2, 2), dim3(16, 8, 2), sizes[i][0], sizes[i][1]);
    test(dim3(9, 3, 1), dim3(5, 3), sizes[i][0], sizes[i][1]);
  }
  CHECK(cudaFree(memory));
  CHECK(cudaFree(input));
  return verdict("leaving");
}
