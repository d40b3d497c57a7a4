/* SPDX-License-Identifier: MIT */
/*
 * tables - const arrays, structs and numbers at namespace level, which say no __device__, are read and pointed to by
 * kernels. nvcc refuses most of this: it wants them marked.
 */
#include "kernels.h"

struct point {
  float x, y;
  int ids[3];
};

const int LENGTH = 4;
const float weights[LENGTH] = { 0.25f, 0.5f, 1.0f / 8, -2 };
static const int faces[2][3] = { { 1, 2, 3 }, { 4, 5, 6 + LENGTH } };
constexpr unsigned char steps[] = { 3, 1, 250 };
const struct point corners[2] = { { 1, 2, { 3, 4, 5 } }, { 6, 7, { 8 } } };
const point middle = { 0.5f, 1.5f, { 10, 20, 30 } };
const char letters[] = "table";
const double NUMBER = 0.1;
const dim3 shape(3, 4);
namespace inner {
const int faces[2] = { 100, 200 };
}
namespace {
const long long hidden[2] = { -1, 1ll << 40 };
}

__host__ __device__ float weigh(const float *row, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += row[i];
  return sum;
}

__host__ __device__ int third(const point &p) { return p.ids[2]; }
__host__ __device__ int last(const int (&row)[3]) { return row[2]; }
__host__ __device__ double twice(const double *number) { return *number * 2; }

__host__ __device__ void read(double *out, int i) {
  int n = 0;
  const point copy = corners[i & 1], *pointer = &corners[1];
  const float *behind = weights + i;
  out[n++] = weights[i] + weights[2];
  out[n++] = faces[i & 1][i];
  out[n++] = steps[i] + letters[i];
  out[n++] = corners[i & 1].ids[i & 1] + copy.y;
  out[n++] = pointer->x + pointer->ids[1];
  out[n++] = weigh(weights, LENGTH) + *behind;
  out[n++] = third(middle) + third(corners[0]);
  out[n++] = last(faces[1]);
  out[n++] = twice(&NUMBER) + NUMBER;
  out[n++] = shape.x * shape.y + shape.z;
  out[n++] = inner::faces[i & 1] + hidden[i & 1];
  out[n++] = sizeof weights / sizeof *weights;
}
enum { VALUES = 12 };

__global__ void read_all(double *out) { read(out + threadIdx.x * VALUES, threadIdx.x); }

int main(void) {
  double *out, seen[3 * VALUES], expected[3 * VALUES];
  CHECK(cudaMalloc((void **)&out, sizeof seen));
  read_all<<<1, 3>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 3; i++)
    read(expected + i * VALUES, i);
  for (int i = 0; i < 3 * VALUES; i++)
    if (seen[i] != expected[i]) {
      printf("value %d is %.17g, not %.17g\n", i, seen[i], expected[i]);
      failures++;
    }
  CHECK(cudaFree(out));
  return verdict("tables");
}
