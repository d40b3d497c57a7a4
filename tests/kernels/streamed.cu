/* SPDX-License-Identifier: MIT */
/* streamed - kernels whose accesses grow evenly with the thread's index, over an array of several buffers: seams in the
 * middle of a block and of a word's neighbours, blocks that lie over all of them, numbers that wrap around, blocks of
 * two dimensions, counting down, arguments that are the same memory, and accesses that only some threads make. Beside
 * the same on the host. tests/kernels/apart.sh runs it with buffers that lie apart, in both forms of a kernel. */
#include "kernels.h"

#include <vector>

enum { COUNT = 33 << 20, PART = 16 << 20, BLOCK = 256, EDGE = 5000, LANES = 64 };

struct pair {
  unsigned *first;
  const unsigned *second;
  unsigned n;
};

struct quad {
  unsigned long long words[4];
};

__global__ void begin(unsigned *values, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = i * 2654435761u;
}

/* From 2^32 - 100 on the sum wraps around, in the middle of a block. */
__global__ void wrap(unsigned *values, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 100 && i - 100 < n)
    values[i - 100u] += i;
}

__global__ void turn(unsigned *to, const unsigned *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[n - 1 - i] = from[i] + 1;
}

__global__ void spread(unsigned *values, unsigned stride) {
  values[(size_t)threadIdx.x * stride] += threadIdx.x + 1;
}

__global__ void tile(unsigned *values, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    values[y * width + x] ^= (unsigned)(x - y);
}

__global__ void twice(unsigned *to, const unsigned *from, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += from[i];
}

__global__ void by_value(pair both) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < both.n)
    both.first[i] = both.second[i] + both.second[i + 1];
}

__global__ void wide(quad *values, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 4; k++)
      values[i].words[k] += i + k;
}

__global__ void four(uint4 *values, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uint4 all = values[i];
    values[i] = make_uint4(all.w, all.x, all.y, all.z + 1);
  }
}

__global__ void bytes(unsigned char *values, long first) {
  long i = first + (long)blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = (unsigned char)(i * 7);
}

__global__ void count(unsigned *values, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&values[i], 3u);
}

__global__ void stride_on(unsigned *values, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] += 5;
}

__global__ void through(unsigned **rows, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    rows[0][i] += 9;
}

static std::vector<unsigned> seen(COUNT), is(COUNT);

/* What the array should be is in `is`. */
static void check(const char *what, const unsigned *values) {
  size_t wrong = 0;
  CHECK(cudaMemcpy(seen.data(), values, COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < COUNT; i++)
    wrong += seen[i] != is[i];
  if (wrong > 0)
    printf("%s: %zu words are wrong\n", what, wrong);
  EXPECT((int)wrong, 0);
}

/* One seam in the middle of a block, another one close to the end, which no block ends at. */
static const unsigned lead = PART - EDGE - 77, some = PART + 2 * EDGE + 3, blocks = some / BLOCK + 1;

static void check_lines(unsigned *a) {
  unsigned *at = a + lead;
  for (unsigned i = 0; i < some; i++)
    is[lead + i] = i * 2654435761u;
  begin<<<blocks, BLOCK>>>(at, some);
  wrap<<<blocks + 1, BLOCK>>>(at, some);
  count<<<blocks, BLOCK>>>(at, some);
  stride_on<<<40, BLOCK>>>(at, some);
  for (unsigned i = 0; i < some; i++)
    is[lead + i] += i + 100 + 3 + 5;
  check("lines", a);
  for (unsigned k = 0; k < LANES; k++)
    is[77 + k * (COUNT / LANES)] += k + 1;
  spread<<<1, LANES>>>(a + 77, COUNT / LANES);
  check("spread", a);
}

static void check_turned(unsigned *a) {
  const unsigned n = 2 * EDGE, from = PART - EDGE + 5, to = 2 * PART - EDGE - 9;
  for (unsigned i = 0; i < n; i++)
    is[to + n - 1 - i] = is[from + i] + 1;
  turn<<<n / BLOCK + 1, BLOCK>>>(a + to, a + from, (int)n);
  check("turned", a);
  /* both arguments are the same memory */
  for (unsigned i = 0; i < n; i++)
    is[from + i] *= 2;
  twice<<<n / BLOCK + 1, BLOCK>>>(a + from, a + from, n);
  for (unsigned i = 0; i + 1 < n; i++)
    is[to + i] = is[from + i] + is[from + i + 1];
  by_value<<<n / BLOCK + 1, BLOCK>>>({ a + to, a + from, n });
  check("by value", a);
}

static void check_tiles(unsigned *a) {
  const int width = 1001, height = 70;
  const unsigned first = PART - 35 * 1001 - 13;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      is[first + y * width + x] ^= (unsigned)(x - y);
  tile<<<dim3(width / 32 + 1, height / 8 + 1), dim3(32, 8)>>>(a + first, width, height);
  check("tiles", a);
}

static void check_sizes(unsigned *a) {
  const unsigned first = PART - EDGE - 4, quads = EDGE / 4; /* a quad lies across the seam */
  unsigned long long *words = (unsigned long long *)(is.data() + first);
  for (unsigned i = 0; i < quads; i++)
    for (int k = 0; k < 4; k++)
      words[4 * i + k] += i + k;
  for (unsigned *at = is.data() + first, *end = at + 8 * quads; at < end; at += 4) {
    const unsigned last = at[3];
    at[3] = at[2] + 1, at[2] = at[1], at[1] = at[0], at[0] = last;
  }
  wide<<<quads / BLOCK + 1, BLOCK>>>((quad *)(a + first), quads);
  four<<<2 * quads / BLOCK + 1, BLOCK>>>((uint4 *)(a + first), 2 * quads);
  check("sizes", a);
  unsigned char *all = (unsigned char *)is.data();
  const long low = 2l * PART * 4 - 3 * BLOCK - 11;
  for (long i = low; i < low + 6 * BLOCK; i++)
    all[i] = (unsigned char)(i * 7);
  bytes<<<6, BLOCK>>>((unsigned char *)a, low);
  check("bytes", a);
}

static void check_pointers(unsigned *a) {
  unsigned **rows = NULL, *at = a + PART - EDGE;
  CHECK(cudaMalloc((void **)&rows, sizeof *rows));
  CHECK(cudaMemcpy(rows, &at, sizeof at, cudaMemcpyHostToDevice));
  for (unsigned i = 0; i < 2 * EDGE; i++)
    is[PART - EDGE + i] += 9;
  through<<<2 * EDGE / BLOCK + 1, BLOCK>>>(rows, 2 * EDGE);
  check("pointers", a);
  CHECK(cudaFree(rows));
}

int main(void) {
  unsigned *a = NULL;
  CHECK(cudaMalloc((void **)&a, COUNT * sizeof(unsigned)));
  CHECK(cudaMemset(a, 0, COUNT * sizeof(unsigned)));
  check_lines(a);
  check_turned(a);
  check_tiles(a);
  check_sizes(a);
  check_pointers(a);
  CHECK(cudaFree(a));
  return verdict("streamed");
}
