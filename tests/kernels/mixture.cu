/* SPDX-License-Identifier: MIT */
/* mixture - what programs do with several features at once: rows of shared memory as arguments, references into every memory,
 * records with arrays in shared memory, conditions as places, tables of constants, long parameter lists. */
#include "kernels.h"

/* ---- bodies of both sides -------------------------------------------------------------------------------- */

struct cell {
  unsigned char state[3];
  short next;
  float weights[2][2];
};

struct whole {
  struct cell cells[3];
  int count;
};

enum direction { NORTH, EAST, SOUTH, WEST };

__host__ __device__ static direction turned(direction from, int by) { return (direction)((from + by) & 3); }

__host__ __device__ static struct whole make_whole(int i) {
  struct whole w = {};
  for (w.count = 0; w.count < 3; ++w.count) {
    struct cell &c = w.cells[w.count];
    c.state[w.count] = (unsigned char)(200 + i);
    c.next = (short)(i * 1000);
    c.weights[w.count & 1][1] = i / 3.0f;
  }
  return w;
}

__host__ __device__ static float total(const struct cell &c) {
  float sum = 0;
  for (int row = 0; row < 2; row++)
    for (const float *w = c.weights[row]; w < c.weights[row] + 2; w++)
      sum += *w;
  return sum;
}

__host__ __device__ static unsigned hash(const unsigned char *bytes, unsigned count) {
  unsigned h = 2166136261u;
  while (count--)
    h = (h ^ *bytes++) * 16777619u;
  return h;
}

__host__ __device__ static int many(char a, short b, int c, long long d, float e, double f, bool g, unsigned char h,
                                    const int *i, int (&j)[2], struct cell k, direction l) {
  return a + b + c + (int)d + (int)e + (int)f + g + h + *i + j[1] + k.next + l;
}

TEST(places) {
  int a = i, b = 5, list[3] = { 1, 2, 3 };
  (i % 2 ? a : b) = 70;
  put(out, a * 100 + b);
  (a > b ? list[0] : list[2]) += i;
  put(out, list[0] * 1000 + list[2]);
  int &first = list[i % 3], *at = &first;
  first = 9;
  put(out, *at + list[i % 3]);
  (a += 2) *= 3;
  put(out, a);
  ++++b;
  put(out, b);
  int x = 0, y = (x = 4, x + 1);
  put(out, x + y);
  x = y = a;
  put(out, x == y);
  put(out, a < b < 2);
  put(out, !a == !b);
  put(out, a & 1 ? b | 4 : b ^ 7);
  put(out, -a % 4 + ~b);
  bool p = a, q = b & 4;
  p &= q;
  q ^= true;
  p |= i == 3;
  put(out, p + q * 2);
  unsigned char c = 255;
  c++;
  put(out, c);
  put(out, (unsigned char)(c - 1) > 0);
  float f = 16777217;
  f += 1;
  put(out, f);
  put(out, (int)'\xff');
  put(out, 3 > 2 > 1);
}

TEST(records_of_arrays) {
  struct whole w = make_whole(i), v = w;
  v.cells[1].state[0] = 17;
  put(out, w.cells[1].state[0] + v.cells[1].state[0]);
  put(out, w.cells[2].state[2]);
  put(out, w.cells[0].next);
  put(out, total(w.cells[1]));
  put(out, make_whole(i + 1).count);
  put(out, hash(w.cells[i % 3].state, 3));
  struct cell swap = w.cells[0];
  w.cells[0] = w.cells[2];
  w.cells[2] = swap;
  put(out, w.cells[0].state[2]);
  int one = 1, two[2] = { 1, i };
  put(out, many('a', -3, i, 1ll << 33, 2.5f, -3.5, i & 1, 250, &one, two, w.cells[0], turned(WEST, i)));
  direction d = turned(EAST, 2);
  put(out, d == WEST);
  switch (d) {
  case WEST: put(out, 1); break;
  default: put(out, 0);
  }
  put(out, sizeof d);
}

#define TESTS(test) test(places) test(records_of_arrays)
PROGRAM(TESTS)

/* ---- shared memory as argument --------------------------------------------------------------------------- */

enum { SIDE = 8 };

__device__ void transpose(float (*tile)[SIDE + 1]) {
  float mine = tile[threadIdx.y][threadIdx.x];
  __syncthreads();
  tile[threadIdx.x][threadIdx.y] = mine;
  __syncthreads();
}

__device__ float &corner(float (&tile)[SIDE][SIDE + 1]) { return tile[SIDE - 1][SIDE - 1]; }

__device__ float row_sum(const float *row, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++)
    sum += row[i];
  return sum;
}

__device__ void keep_larger(volatile float *place, float value) {
  if (*place < value)
    *place = value;
}

__constant__ struct cell steps[2] = { { { 1, 2, 3 }, 4, { { 0.5f } } }, { {}, -9, { { 1, 2 }, { 3, 4 } } } };

__device__ const struct cell *step_of(int which) { return steps + which; }

__global__ void tiles(float *out, const float *in, int pitch) {
  __shared__ float tile[SIDE][SIDE + 1];
  __shared__ struct cell cells[SIDE];
  int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * pitch + x];
  if (threadIdx.y == 0) {
    cells[threadIdx.x] = *step_of(threadIdx.x % 2);
    cells[threadIdx.x].next += threadIdx.x;
  }
  __syncthreads();
  transpose(tile);
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    corner(tile) = 1000;
    keep_larger(&tile[0][0], 77);
  }
  __syncthreads();
  float sum = row_sum(tile[threadIdx.y], SIDE) + row_sum(in, 2) + row_sum(cells[threadIdx.x].weights[1], 2);
  out[(blockIdx.y * SIDE + threadIdx.y) * pitch + x] = sum + tile[threadIdx.y][threadIdx.x] + cells[threadIdx.x].next;
}

static void tiles_tested(void) {
  enum { PITCH = 2 * SIDE, COUNT = PITCH * PITCH };
  float *memory, in[COUNT], seen[COUNT];
  for (int i = 0; i < COUNT; i++)
    in[i] = (float)(i % 61);
  CHECK(cudaMalloc((void **)&memory, 2 * sizeof in));
  CHECK(cudaMemcpy(memory, in, sizeof in, cudaMemcpyHostToDevice));
  tiles<<<dim3(2, 2), dim3(SIDE, SIDE)>>>(memory + COUNT, memory, PITCH);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory + COUNT, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++) {
    int bx = i % PITCH / SIDE * SIDE, by = i / PITCH / SIDE * SIDE, tx = i % SIDE, ty = i / PITCH % SIDE;
    float sum = in[0] + in[1] + (tx % 2 ? 7 : 0) + (tx % 2 ? -9 : 4) + tx;
    for (int k = 0; k <= SIDE; k++) {
      int column = k < SIDE ? k : tx;
      float value = in[(by + column) * PITCH + bx + ty];
      if (ty == SIDE - 1 && column == SIDE - 1)
        value = 1000;
      if (ty == 0 && column == 0 && value < 77)
        value = 77;
      sum += value;
    }
    EXPECT(seen[i], sum);
  }
  CHECK(cudaFree(memory));
}

/* ---- parameters and built-in variables as what they are -------------------------------------------------- */

__global__ void parameters(int *a, int n, int *out) {
  int **place = &a, *count = &n;
  *count += 5;
  (*place)++;
  a[0] = n;
  out[0] = threadIdx.x - 1 > 0; /* unsigned */
  out[1] = (int)threadIdx.x - 1 > 0;
  out[2] = blockIdx.x * -1 == 0;
  struct local {
    int x, y;
  } l = { n, 2 };
  enum { A = 3, B };
  typedef int number;
  number m = l.x + B;
  {
    int n = 4;
    m += n;
    {
      int n = 8;
      m += n;
    }
  }
  for (int n = 0; n < 2; n++)
    m += n;
  out[3] = m;
  long long far = (long long)n << 40;
  out[4] = a + far - far - a;
}

static void parameters_tested(void) {
  const int expected[] = { 1, 0, 1, 29, 0 };
  int *memory, seen[7];
  CHECK(cudaMalloc((void **)&memory, sizeof seen));
  parameters<<<1, 1>>>(memory, 7, memory + 2);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[1], 12);
  for (int i = 0; i < 5; i++)
    EXPECT(seen[2 + i], expected[i]);
  CHECK(cudaFree(memory));
}

int main(void) {
  run_tests();
  parameters_tested();
  tiles_tested();
  return verdict("mixture");
}
