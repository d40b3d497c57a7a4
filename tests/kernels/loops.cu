/* SPDX-License-Identifier: MIT */
/*
 * loops - kernels that one work-item may run for all threads of a block, cut at their barriers: what lives across a cut, what
 * is the same for the block, and blocks of all shapes. Whoever runs the threads, the results are those that are computed
 * here for each thread.
 */
#include "kernels.h"

enum { MANY = 4096 };

static int *memory, *input;
static int seen[MANY], given[MANY];

static void begin(void) {
  CHECK(cudaMemset(memory, 0, sizeof seen));
}

static void fetch(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
}

/* ---- values across cuts ---------------------------------------------------------------------------------- */

struct pair {
  int first, second;
};

/* A scalar, a struct, a pointer and a value that is written under a condition, all of them read behind barriers. */
__global__ void values(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, mine = in[t], *where = out + t;
  struct pair two = { mine + 1, mine * 2 };
  int late;
  if (t & 1)
    late = mine + 7;
  else
    late = -mine;
  s[t] = mine;
  __syncthreads();
  int other = s[63 - t];
  __syncthreads();
  two.second += other;
  s[t] = two.second;
  __syncthreads();
  *where = mine + 3 * two.first + 5 * two.second + 7 * late + 11 * s[(t + 1) & 63] + 13 * other;
}

static void values_tested(void) {
  begin();
  values<<<1, 64>>>(input, memory);
  fetch();
  for (int t = 0; t < 64; t++) {
    int next = (t + 1) & 63, other = given[63 - t], second = given[t] * 2 + other;
    int late = t & 1 ? given[t] + 7 : -given[t];
    EXPECT(seen[t], given[t] + 3 * (given[t] + 1) + 5 * second + 7 * late +
                        11 * (given[next] * 2 + given[63 - next]) + 13 * other);
  }
}

__device__ int sum_of(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

/* Arrays of the thread's own: by elements alone, by a list, in two dimensions, by their address, and one of constants. */
__global__ void arrays(const int *in, int *out) {
  __shared__ int s[32];
  const int weights[3] = { 2, 3, 5 };
  int t = threadIdx.x, elements[4], listed[3] = { t, t + 1, t * t }, square[2][3], pointed[4] = { 1, 2 };
  for (int i = 0; i < 4; i++)
    elements[i] = in[t + i] + i;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      square[i][j] = t * (i + 1) + j;
  s[t] = elements[t & 3];
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    elements[i] += s[(t + i) & 31];
    pointed[i] += elements[i];
  }
  __syncthreads();
  int *at = pointed + (t & 1);
  at[1] += 100;
  __syncthreads();
  out[t] = elements[0] + 2 * elements[3] + listed[0] + listed[1] + listed[2] + square[1][2] + square[0][1] +
           weights[t % 3] + sum_of(pointed, 4);
}

static void arrays_tested(void) {
  const int weights[3] = { 2, 3, 5 };
  begin();
  arrays<<<1, 32>>>(input, memory);
  fetch();
  for (int t = 0; t < 32; t++) {
    int elements[4], pointed = 3 + 100;
    for (int i = 0; i < 4; i++) {
      int other = (t + i) & 31;
      elements[i] = given[t + i] + i + given[other + (other & 3)] + (other & 3);
      pointed += elements[i];
    }
    EXPECT(seen[t], elements[0] + 2 * elements[3] + t + t + 1 + t * t + t * 2 + 2 + t + 1 + weights[t % 3] + pointed);
  }
}

/* What is named before a barrier, and reached by a pointer behind it. */
__global__ void pointed(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, one = in[t], many[3] = { t, 2, 3 }, *at = &one, *in_many = many + (t & 1);
  int &named = one;
  s[t] = t;
  __syncthreads();
  *at += s[63 - t];
  in_many[1] *= 5;
  __syncthreads();
  named += in_many[0];
  s[t] = in_many[1];
  __syncthreads();
  out[t] = *at + s[(t + 1) & 63];
}

static void pointed_tested(void) {
  begin();
  pointed<<<1, 64>>>(input, memory);
  fetch();
  for (int t = 0; t < 64; t++)
    EXPECT(seen[t], given[t] + 63 - t + (t & 1 ? 2 : t) + ((t + 1) & 1 ? 15 : 10));
}

/* Two variables of one name, and a parameter that each thread changes. */
__global__ void names(int n, int *out) {
  __shared__ int s[16];
  int t = threadIdx.x, sum = 0;
  n += t;
  {
    int x = t * 2;
    s[t] = x;
    __syncthreads();
    sum += x + s[15 - t];
    __syncthreads();
  }
  {
    int x = t * 3 + n;
    s[t] = x;
    __syncthreads();
    for (int x = 0; x < 3; x++)
      sum += x * s[t];
    sum += x + s[15 - t];
  }
  out[t] = sum * 10 + n;
}

static void names_tested(void) {
  begin();
  names<<<1, 16>>>(100, memory);
  fetch();
  for (int t = 0; t < 16; t++) {
    int n = 100 + t, x = t * 3 + n, y = (15 - t) * 3 + 100 + 15 - t;
    EXPECT(seen[t], (t * 2 + (15 - t) * 2 + 3 * x + x + y) * 10 + n);
  }
}

/* ---- control ---------------------------------------------------------------------------------------------- */

/* Loops and conditions of the block's, three deep, with barriers in them, and values of both kinds changed there. */
__global__ void nested_loops(const int *in, int n, int *out) {
  __shared__ int s[48];
  int t = threadIdx.x, mine = t, rounds = 0;
  for (int i = 0; i < n; i++) {
    s[t] = mine + i;
    __syncthreads();
    if (in[i] & 1) {
      int j = 0;
      while (j < (in[i] & 3)) {
        mine += s[(t + j + 1) % 48];
        __syncthreads();
        s[t] = mine;
        __syncthreads();
        j++;
        rounds++;
        if (rounds == 7)
          break;
      }
    } else if (in[i] & 2) {
      mine -= s[47 - t];
    }
    __syncthreads();
  }
  out[t] = mine * 16 + rounds;
}

static void nested_loops_tested(void) {
  enum { N = 9, T = 48 };
  int mine[T], s[T], next[T], rounds = 0;
  begin();
  nested_loops<<<1, T>>>(input, N, memory);
  fetch();
  for (int t = 0; t < T; t++)
    mine[t] = t;
  for (int i = 0; i < N; i++) {
    for (int t = 0; t < T; t++)
      s[t] = mine[t] + i;
    if (given[i] & 1) {
      for (int j = 0; j < (given[i] & 3);) {
        for (int t = 0; t < T; t++)
          next[t] = mine[t] + s[(t + j + 1) % T];
        for (int t = 0; t < T; t++)
          s[t] = mine[t] = next[t];
        j++;
        if (++rounds == 7)
          break;
      }
    } else if (given[i] & 2) {
      for (int t = 0; t < T; t++)
        mine[t] -= s[T - 1 - t];
    }
  }
  for (int t = 0; t < T; t++)
    EXPECT(seen[t], mine[t] * 16 + rounds);
}

/* One variable counts in loops with barriers, and in others that each thread goes round by itself. */
__global__ void counters(const int *in, int n, int *out) {
  __shared__ int s[48];
  int t = threadIdx.x, mine = t, i, j;
  for (i = 0; i < n; i++) {
    for (j = 0; j < (in[i] & 3); j++) {
      s[t] = mine + j;
      __syncthreads();
      mine += s[47 - t];
      __syncthreads();
    }
    j = t & 7;
    while (j > i)
      mine += j--;
  }
  s[t] = mine;
  __syncthreads();
  for (i = t; i < 48; i += 16)
    mine ^= s[i] + i;
  out[t] = mine;
}

static void counters_tested(void) {
  enum { N = 7, T = 48 };
  int mine[T], s[T];
  begin();
  counters<<<1, T>>>(input, N, memory);
  fetch();
  for (int t = 0; t < T; t++)
    mine[t] = t;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < (given[i] & 3); j++) {
      for (int t = 0; t < T; t++)
        s[t] = mine[t] + j;
      for (int t = 0; t < T; t++)
        mine[t] += s[T - 1 - t];
    }
    for (int t = 0; t < T; t++)
      for (int j = t & 7; j > i; j--)
        mine[t] += j;
  }
  memcpy(s, mine, sizeof s);
  for (int t = 0; t < T; t++) {
    for (int i = t; i < T; i += 16)
      mine[t] ^= s[i] + i;
    EXPECT(seen[t], mine[t]);
  }
}

/* A switch of the block's; labels that fall through; threads that go on, or return, by themselves where no barrier follows. */
__global__ void ways(int which, int n, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, mine = t * 3;
  s[t] = mine;
  __syncthreads();
  switch (which) {
  case 0:
    mine += s[31 - t];
    __syncthreads();
    s[t] = mine;
  case 1:
    __syncthreads();
    mine += s[(t + 1) & 31];
    break;
  case 2:
    out[t] = -1;
    return;
  default:
    mine = 5;
  }
  for (int i = 0; i < n; i++) {
    __syncthreads();
    s[t] = mine + i;
    __syncthreads();
    if (s[t] % 3 == 0)
      continue;
    mine += s[(t + i) & 31] & 15;
    if (t == i)
      continue;
    mine++;
  }
  if (t > 20)
    return;
  mine += 1000;
  if (t == 4) {
    out[t] = 4;
    return;
  }
  out[t] = mine;
}

static int way_of(int which, int n, int *mine) {
  int s[32], before[32];
  for (int t = 0; t < 32; t++)
    s[t] = mine[t] = t * 3;
  if (which == 0) {
    for (int t = 0; t < 32; t++)
      mine[t] += s[31 - t];
    memcpy(s, mine, sizeof s);
  }
  if (which <= 1)
    for (int t = 0; t < 32; t++)
      mine[t] += s[(t + 1) & 31];
  else
    for (int t = 0; t < 32; t++)
      mine[t] = 5;
  for (int i = 0; i < n; i++) {
    for (int t = 0; t < 32; t++)
      s[t] = before[t] = mine[t] + i;
    for (int t = 0; t < 32; t++)
      if (before[t] % 3 != 0)
        mine[t] += (s[(t + i) & 31] & 15) + (t != i);
  }
  return which == 2;
}

static void ways_tested(void) {
  for (int which = 0; which < 4; which++) {
    int mine[32], is_left = way_of(which, 5, mine);
    begin();
    ways<<<1, 32>>>(which, 5, memory);
    fetch();
    for (int t = 0; t < 32; t++)
      EXPECT(seen[t], is_left ? -1 : t > 20 ? 0 : t == 4 ? 4 : mine[t] + 1000);
  }
}

/* Blocks that return before the first barrier, and votes that decide about loops. */
__global__ void votes(int n, int *out) {
  int t = threadIdx.x, left = t % 5, rounds = 0;
  if (blockIdx.x >= n)
    return;
  while (__syncthreads_or(left > 0)) {
    left -= left > 0;
    rounds++;
  }
  do
    left++;
  while (__syncthreads_count(left < t) > 3);
  for (int i = 0; __syncthreads_and(i < n); i++)
    rounds += 10;
  out[blockIdx.x * blockDim.x + t] = rounds * 100 + left;
}

static void votes_tested(void) {
  begin();
  votes<<<4, 20>>>(3, memory);
  fetch();
  for (int i = 0; i < 80; i++)
    EXPECT(seen[i], i < 60 ? (4 + 30) * 100 + 16 : 0);
}

/* ---- functions -------------------------------------------------------------------------------------------- */

/* Of all threads together: arguments that differ, one that is the same, and one that is changed. */
__device__ int rotated(int value, int by, int &calls, int *s) {
  int t = threadIdx.x + threadIdx.y * blockDim.x, count = blockDim.x * blockDim.y;
  s[t] = value;
  __syncthreads();
  int got = s[(t + by) % count];
  __syncthreads();
  calls += by;
  if (by > 2)
    return got;
  return got + 1;
}

__device__ int place() {
  return threadIdx.y * blockDim.x + threadIdx.x;
}

__global__ void functions(const int *in, int *out) {
  extern __shared__ int dynamic[];
  int calls = place(), value = in[place()];
  value = rotated(value, 1, calls, dynamic) * 2;
  int more = rotated(value + calls, 5, calls, dynamic) + rotated(place(), 2, calls, dynamic);
  out[place()] = value + more * 3 + calls * 5;
}

static void functions_tested(void) {
  enum { X = 7, Y = 5, T = X * Y };
  begin();
  functions<<<1, dim3(X, Y), T * sizeof(int)>>>(input, memory);
  fetch();
  for (int t = 0; t < T; t++) {
    int at = (t + 5) % T, value = (given[(t + 1) % T] + 1) * 2, others = (given[(at + 1) % T] + 1) * 2 + at + 1;
    EXPECT(seen[t], value + (others + (t + 2) % T + 1) * 3 + (t + 1 + 5 + 2) * 5);
  }
}

/* ---- shapes ----------------------------------------------------------------------------------------------- */

/* Every thread is one of its block, and no other: whatever shape that has. */
__global__ void shapes(int *out) {
  __shared__ int count, sum;
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z, block = blockIdx.y * gridDim.x + blockIdx.x;
  if (t == 0)
    count = sum = 0;
  __syncthreads();
  int before = atomicAdd(&count, 1);
  atomicMax(&sum, (int)(threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z));
  __syncthreads();
  if (before < (int)threads)
    atomicAdd(&out[block * 4], 1);
  if (t == threads - 1) {
    out[block * 4 + 1] = count;
    out[block * 4 + 2] = sum;
    out[block * 4 + 3] = warpSize;
  }
}

static void shape_tested(dim3 block) {
  int threads = (int)(block.x * block.y * block.z);
  begin();
  shapes<<<dim3(3, 2), block>>>(memory);
  fetch();
  for (int i = 0; i < 6; i++) {
    EXPECT(seen[i * 4], threads);
    EXPECT(seen[i * 4 + 1], threads);
    EXPECT(seen[i * 4 + 2], (int)(block.x - 1 + 100 * (block.y - 1) + 10000 * (block.z - 1)));
    EXPECT(seen[i * 4 + 3], 32);
  }
}

static void shapes_tested(void) {
  shape_tested(dim3(1));
  shape_tested(dim3(1024));
  shape_tested(dim3(37));
  shape_tested(dim3(1, 129));
  shape_tested(dim3(13, 7));
  shape_tested(dim3(3, 5, 7));
  shape_tested(dim3(1, 1, 64));
  shape_tested(dim3(16, 8, 8));
}

/* ---- what programs do ------------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(256) reduction(const int *in, int *out) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t != 0)
    return;
  out[blockIdx.x] = s[0];
}

__global__ void scan(const int *in, int *out) {
  __shared__ int s[2][256];
  int t = threadIdx.x, from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}

__global__ void histogram(const int *in, int n, int *out) {
  __shared__ int counts[16];
  if (threadIdx.x < 16)
    counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&counts[in[i] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

static void sums_tested(void) {
  begin();
  reduction<<<4, 256>>>(input, memory);
  fetch();
  for (int block = 0; block < 4; block++) {
    int sum = 0;
    for (int t = 0; t < 256; t++)
      sum += given[block * 256 + t];
    EXPECT(seen[block], sum);
  }
  begin();
  scan<<<1, 256>>>(input, memory);
  fetch();
  for (int t = 0, sum = 0; t < 256; t++)
    EXPECT(seen[t], sum += given[t]);
  begin();
  histogram<<<2, 100>>>(input, 1000, memory);
  fetch();
  for (int i = 0; i < 16; i++) {
    int count = 0;
    for (int j = 0; j < 1000; j++)
      count += (given[j] & 15) == i;
    EXPECT(seen[i], 2 * count);
  }
}

enum { N = 48, TILE = 16 };

__global__ void tiled(const int *a, const int *b, int *c) {
  __shared__ int as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y, sum = 0;
  for (int first = 0; first < N; first += TILE) {
    as[y][x] = a[row * N + first + x];
    bs[y][x] = b[(first + y) * N + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * N + column] = sum;
}

/* Without a barrier: all threads go round the loop together, or each by itself. */
__global__ void product(const int *a, const int *b, int n, int *c) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
  for (int k = 0; k < n; k++) {
    if (a[row * n + k] == 3)
      continue;
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}

__global__ void stencil(const int *in, int n, int *out) {
  extern __shared__ int part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, sum = 0;
  part[t + 2] = in[i];
  if (t < 2) {
    part[t] = i < 2 ? 0 : in[i - 2];
    part[t + 2 + blockDim.x] = i + (int)blockDim.x < n ? in[i + blockDim.x] : 0;
  }
  __syncthreads();
  for (int k = 0; k <= 4; k++)
    sum += (k + 1) * part[t + k];
  out[i] = sum;
}

static void products_tested(void) {
  static int expected[2][N * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) {
        int one = given[i * N + k] * given[k * N + j + 7];
        expected[0][i * N + j] += one;
        expected[1][i * N + j] += given[i * N + k] == 3 ? 0 : one;
      }
  for (int way = 0; way < 4; way++) {
    const dim3 blocks[] = { dim3(TILE, TILE), dim3(TILE, TILE), dim3(3, 4), dim3(48, 1) };
    begin();
    if (way == 0)
      tiled<<<dim3(N / TILE, N / TILE), blocks[way]>>>(input, input + 7, memory);
    else
      product<<<dim3(N / blocks[way].x, N / blocks[way].y), blocks[way]>>>(input, input + 7, N, memory);
    fetch();
    for (int i = 0; i < N * N; i++)
      EXPECT(seen[i], expected[way > 0][i]);
  }
  begin();
  stencil<<<8, 50, 54 * sizeof(int)>>>(input, 400, memory);
  fetch();
  for (int i = 0; i < 400; i++) {
    int sum = 0;
    for (int k = -2; k <= 2; k++)
      sum += i + k < 0 || i + k >= 400 ? 0 : (k + 3) * given[i + k];
    EXPECT(seen[i], sum);
  }
}

/* ---- which threads of a row, and which blocks of a grid ------------------------------------------------------- */

__global__ void parts(const int *in, int n, int *out) {
  __shared__ int s[8][16], count;
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = 0;
  if (x == 0 && y == 0)
    count = 0;
  __syncthreads();
  if (x == 3)
    s[y][x] += 1;
  __syncthreads();
  if (n == x)
    s[y][x] += 2;
  __syncthreads();
  if (threadIdx.x == 15u && y > 2)
    s[y][x] += 4;
  __syncthreads();
  if (in[y] > 8 && x < n)
    s[y][x] += 8;
  __syncthreads();
  if (atomicAdd(&count, 1) >= 0 && x == n)
    s[y][x] += 16;
  __syncthreads();
  if (x == 0) {
    for (int i = 1; i < 16; i++)
      s[y][0] += 32 * s[y][i];
  }
  __syncthreads();
  out[y * 16 + x] = s[y][x] * 1000 + count;
}

static void parts_tested(void) {
  for (int n = -1; n <= 17; n += 3) {
    begin();
    parts<<<1, dim3(16, 8)>>>(input, n, memory);
    fetch();
    for (int y = 0; y < 8; y++) {
      int row[16], sum = 0;
      for (int x = 0; x < 16; x++) {
        row[x] = (x == 3) + 2 * (n == x) + 4 * (x == 15 && y > 2) + 8 * (given[y] > 8 && x < n) + 16 * (x == n);
        sum += x > 0 ? row[x] : 0;
      }
      row[0] += 32 * sum;
      for (int x = 0; x < 16; x++)
        EXPECT(seen[y * 16 + x], row[x] * 1000 + 128);
    }
  }
}

/* One thread of each so many of a row; and a loop in which 32 neighbours do the same, which one of them does for all. */
__global__ void led(const int *in, int n, int *out) {
  __shared__ int s[64];
  int x = threadIdx.x, y = threadIdx.y, at = y * blockDim.x + x, k, before, last;
  if (at < 64)
    s[at] = in[at];
  __syncthreads();
  if (x % 32 == 5 && y == 0)
    s[x / 32] += 3;
  __syncthreads();
  if ((x & 15) == n)
    atomicAdd(&s[40], x + y);
  __syncthreads();
  for (before = 0, last = -1, k = 0; k < x / 32 + y; k++) {
    if (s[k] % 5 == 3)
      continue;
    before += s[k] * n;
    last = k;
  }
  out[at] = before * 10 + last + s[40] + x;
  __syncthreads();
  for (before = 0, k = 0; k < x / 32 + 2; k++)
    before += s[k];
  before += x; /* each has its own behind it */
  out[at] += before;
}

static void led_tested(void) {
  static const dim3 shapes[] = { dim3(256), dim3(100), dim3(33, 3), dim3(32, 2), dim3(64, 8), dim3(7, 11), dim3(1, 64) };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int n = -1; n <= 16; n++) {
      const int width = shapes[i].x, height = shapes[i].y;
      int s[64];
      for (int k = 0; k < 64; k++)
        s[k] = given[k];
      for (int x = 5; x < width; x += 32)
        s[x / 32] += 3;
      for (int x = 0; x < width; x++)
        for (int y = 0; y < height && x % 16 == n; y++)
          s[40] += x + y;
      begin();
      led<<<1, shapes[i]>>>(input, n, memory);
      fetch();
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
          int before = 0, last = -1, again = x;
          for (int k = 0; k < x / 32 + y; k++)
            if (s[k] % 5 != 3)
              before += s[k] * n, last = k;
          for (int k = 0; k < x / 32 + 2; k++)
            again += s[k];
          EXPECT(seen[y * width + x], before * 10 + last + s[40] + x + again);
        }
    }
}

__device__ int place_in_grid(void) {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

/* What one block leaves in shared memory and in its parameters the next one does not find in its variables. */
__global__ void blocks(int n, int *out) {
  __shared__ int s[4];
  int t = threadIdx.x, own = place_in_grid();
  s[t] = n + own;
  n += t;
  __syncthreads();
  atomicAdd(out + own, s[3 - t] * 8 + n + (t == 0 ? gridDim.z * 10000 : 0));
  if (blockIdx.x == 1)
    return;
  __syncthreads();
  atomicAdd(out + own, 100000);
}

static void blocks_tested(void) {
  static const struct {
    unsigned x, y, z;
  } grids[] = { { 4000, 1, 1 }, { 1, 401, 9 }, { 7, 13, 11 }, { 1, 1, 3 }, { 2, 1, 999 }, { 1, 1, 1 } };
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    dim3 grid(grids[i].x, grids[i].y, grids[i].z);
    int count = grid.x * grid.y * grid.z;
    begin();
    blocks<<<grid, 4>>>(5, memory);
    fetch();
    for (int b = 0; b < MANY; b++) {
      int value = 4 * (5 + b) * 8 + 4 * 5 + 6 + (int)grid.z * 10000 + ((unsigned)b % grid.x == 1 ? 0 : 400000);
      EXPECT(seen[b], b < count ? value : 0);
    }
  }
}

/* ---- atomic operations on the block's own memory ---------------------------------------------------------------- */

typedef unsigned long long wide;

__device__ int counted(int *p, int by) {
  return atomicAdd(p, by);
}

/* What each operation gives back, added up, and what is left: the same in any order of the threads. */
__global__ void own_words(int *out) {
  __shared__ int s[8];
  __shared__ unsigned u[8];
  __shared__ float f[2];
  __shared__ int sums[16];
  int t = threadIdx.x;
  if (t < 8) {
    s[t] = t == 2 ? 1000 : t == 4 ? -1 : 0;
    u[t] = t == 3 ? ~0u : t == 4 ? 7 : 0;
    sums[t] = sums[t + 8] = 0;
    f[t & 1] = 0;
  }
  __syncthreads();
  atomicAdd(&sums[0], counted(&s[0], 1));
  atomicAdd(&sums[1], atomicSub(&s[1], 2));
  atomicMin(&s[2], 500 - t);
  atomicMax(&s[3], t * 3 - 50);
  atomicAnd(&s[4], ~(1 << (t & 15)));
  atomicOr(&s[5], 1 << (t & 31));
  atomicXor(&s[6], t * 77);
  atomicAdd(&sums[2], atomicCAS(&s[7], 0, t + 1) == 0);
  atomicAdd(&sums[3], (int)atomicInc(&u[0], 5));
  atomicAdd(&sums[4], (int)atomicDec(&u[1], 6));
  atomicAdd(&sums[5], (int)atomicExch(&u[2], t + 1u));
  atomicMin(&u[3], 0x80000000u + t);
  atomicMax(&u[4], 0x90000000u - t);
  atomicAdd(&u[5], 0x10000001u);
  atomicSub(&u[6], 3u);
  atomicAdd(&f[0], 0.5f * t);
  atomicAdd(&sums[6], (int)atomicExch(&f[1], t + 1.0f));
  atomicAdd((int *)&sums[7], (int)atomicCAS(&u[7], 9u, 1u));
  __syncthreads();
  if (t == 0) {
    sums[5] += (int)u[2];
    sums[6] += (int)f[1];
  }
  __syncthreads();
  if (t < 8) {
    out[t] = s[t] * (t != 7);
    out[8 + t] = (int)u[t] * (t != 2);
    out[16 + t] = sums[t];
    out[24] = (int)(f[0] * 4);
  }
}

__global__ void own_wide(wide *out) {
  __shared__ wide s[8];
  __shared__ long long least, most;
  __shared__ double d;
  int t = threadIdx.x;
  if (t < 8)
    s[t] = t == 1 || t == 3 ? ~(wide)0 : 0;
  if (t == 0) {
    least = 5;
    most = -5000000000;
    d = 0;
  }
  __syncthreads();
  atomicAdd(&s[0], 0x100000001ull);
  atomicMin(&s[1], 0x8000000000000000ull + t);
  atomicMax(&s[2], 0x9000000000000000ull - t);
  atomicAnd(&s[3], ~(1ull << t));
  atomicOr(&s[4], 1ull << t);
  atomicXor(&s[5], 0x123456789ull * t);
  atomicAdd(&s[6], atomicExch(&s[7], t + 1ull));
  atomicAdd(&s[6], atomicCAS(&s[0], 1ull, 0ull) == 1);
  atomicMin(&least, -5000000000 - t);
  atomicMax(&most, (long long)t - 4000000000);
  atomicAdd(&d, 0.25 * t);
  __syncthreads();
  if (t < 6)
    out[t] = s[t];
  else if (t == 6)
    out[t] = s[6] + s[7];
  else if (t == 7)
    out[t] = (wide)least;
  else if (t == 8)
    out[t] = (wide)most;
  else if (t == 9)
    out[t] = (wide)(d * 4);
}

/* Its threads are work-items in every form, and call what threads of a block's work-item call. */
__global__ void own_items(int *out) {
  extern __shared__ int unset[];
  int at = counted(out, 1);
  out[1 + at] += 1;
  if (out[0] < 0)
    unset[0] = counted(unset, at);
}

static void own_tested(void) {
  static const int words[25] = { 64, -128, 437, 139, (int)0xffff0000, -1, 0, 0, 64 % 6, 0, 0, (int)0x80000000,
                                 (int)0x90000000, (int)0x00000040, -192, 0, 2016, -4032, 1, 0, 0, 2080, 2080, 0, 4032 };
  int inc = 0, sum_inc = 0, dec = 0, sum_dec = 0, all = 0;
  wide spread = 0;
  for (int t = 0; t < 64; t++) {
    sum_inc += inc;
    inc = inc >= 5 ? 0 : inc + 1;
    sum_dec += dec;
    dec = dec == 0 || dec > 6 ? 6 : dec - 1;
    all ^= t * 77;
    spread ^= 0x123456789ull * t;
  }
  begin();
  own_words<<<3, 64>>>(memory);
  fetch();
  for (int i = 0; i < 25; i++)
    EXPECT(seen[i], i == 6 ? all : i == 9 ? dec : i == 19 ? sum_inc : i == 20 ? sum_dec : words[i]);
  const wide wides[10] = { 64ull * 0x100000001ull, 0x8000000000000000ull, 0x9000000000000000ull, 0, ~(wide)0, spread,
                           2080, (wide)-5000000063ll, (wide)(63 - 4000000000ll), 2016 };
  begin();
  own_wide<<<3, 64>>>((wide *)memory);
  fetch();
  for (int i = 0; i < 10; i++)
    EXPECT(((wide *)seen)[i] == wides[i], 1);
  begin();
  own_items<<<2, 64, 64>>>(memory);
  fetch();
  for (int i = 0; i <= 129; i++)
    EXPECT(seen[i], i == 0 ? 128 : i <= 128);
}

/* ---- loops that no thread goes round --------------------------------------------------------------------- */

/* What a block does then each thread does by itself: with and without threads that leave first, and in one arm. */
__global__ void rounds(int n, int from, int count, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 1;
  for (int k = from; k < count; k++)
    sum += in[i + k];
  out[i] = sum;
}

__global__ void rounds_of_blocks(unsigned count, const int *in, int *out) {
  int t = threadIdx.x;
  int sum = 5, other = 0;
  for (unsigned k = blockIdx.x; k < count; k++)
    sum += in[t + k];
  if (count > 2) {
    for (unsigned k = 3; k != count; k++)
      other ^= in[t + k];
  } else {
    other = 77;
  }
  out[blockIdx.x * blockDim.x + t] = sum + 1000 * other;
}

static int sum_of_given(int first, int end, int from) {
  int sum = 0;
  for (int k = first; k < end; k++)
    sum += given[from + k];
  return sum;
}

static void rounds_tested() {
  static const int counts[][2] = { { 0, 0 }, { 0, 3 }, { 4, 3 }, { -2, -2 }, { 2, 9 } };
  for (int i = 0; i < 5; i++)
    for (int block = 4; block <= 64; block *= 4) {
      const int from = counts[i][0], count = counts[i][1], n = 100;
      begin();
      rounds<<<(n + block - 1) / block, block>>>(n, from, count, input, memory);
      fetch();
      for (int k = 0; k < 128; k++)
        EXPECT(seen[k], k < n ? 1 + sum_of_given(from, count, k) : 0);
    }
  for (unsigned count = 0; count <= 6; count++) {
    begin();
    rounds_of_blocks<<<8, 32>>>(count, input, memory);
    fetch();
    for (unsigned k = 0; k < 256; k++) {
      int other = 0;
      for (unsigned at = 3; count > 2 && at < count; at++)
        other ^= given[k % 32 + at];
      EXPECT(seen[k], 5 + sum_of_given((int)(k / 32), (int)count, (int)k % 32) + 1000 * (count > 2 ? other : 77));
    }
  }
}

int main() {
  for (int i = 0; i < MANY; i++)
    given[i] = (i * 7919 + i / 3) % 23;
  CHECK(cudaMalloc((void **)&memory, sizeof seen));
  CHECK(cudaMalloc((void **)&input, sizeof given));
  CHECK(cudaMemcpy(input, given, sizeof given, cudaMemcpyHostToDevice));
  values_tested();
  arrays_tested();
  pointed_tested();
  names_tested();
  nested_loops_tested();
  counters_tested();
  ways_tested();
  votes_tested();
  functions_tested();
  shapes_tested();
  sums_tested();
  products_tested();
  parts_tested();
  led_tested();
  blocks_tested();
  own_tested();
  rounds_tested();
  CHECK(cudaFree(memory));
  CHECK(cudaFree(input));
  return verdict("loops");
}
