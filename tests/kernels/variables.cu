/* SPDX-License-Identifier: MIT */
/* variables - __constant__, __device__ and __managed__ variables: what they begin with, and who may change them. */
#include "kernels.h"

#include "shared_names.h"

struct setting {
  char name[6];
  float factors[3];
  struct {
    long long wide;
    bool on;
  } inner;
};

enum { THREE = 3 };
constexpr float HALF = 0.5f;
const int SEVEN = 7;

__constant__ struct setting settings[2] = { { "first", { 1.5f, HALF, -2 }, { 1ll << 40, true } }, { "b", { SEVEN }, {} } };
__constant__ int constants[4][2] = { { 1, 2 }, { THREE }, { 5, 1 + 2 * SEVEN } };
__constant__ double pi = 3.14159265358979;
__constant__ float coefficients[16];
__device__ int counter = 10;
__device__ unsigned char bytes[5] = { 1, 2, 255 };
__device__ float3 vector = { 1, 2, 3 };
__device__ float large[5000];
__device__ const int fixed = -4;
static __device__ long long hidden = -1;
__managed__ int managed_sum = 100;
__device__ __managed__ float managed_row[8] = { 0.5f };
namespace inner {
__device__ int counter = 77;
__constant__ short step = 3;
}
const float NOT_MARKED = 2.25f;

__device__ int next() { return atomicAdd(&counter, inner::step); }

__global__ void read(double *out) {
  int n = 0;
  out[n++] = settings[0].name[1];
  out[n++] = settings[0].factors[0] + settings[0].factors[1] + settings[0].factors[2];
  out[n++] = settings[0].inner.wide + settings[0].inner.on;
  out[n++] = settings[1].factors[0] + settings[1].inner.on + settings[1].name[1];
  out[n++] = constants[1][0] * 100 + constants[1][1] * 10 + constants[2][1];
  out[n++] = pi;
  out[n++] = coefficients[15];
  out[n++] = counter;
  out[n++] = bytes[2] + bytes[4];
  out[n++] = vector.x + vector.y * vector.z;
  out[n++] = large[4999];
  out[n++] = fixed;
  out[n++] = hidden;
  out[n++] = managed_sum;
  out[n++] = managed_row[0] + managed_row[7];
  out[n++] = inner::counter;
  out[n++] = NOT_MARKED;
  out[n++] = LENGTH_OF_NAMES;
  struct setting copy = settings[1];
  out[n++] = copy.name[0];
}

static const double first_values[] = { 'i', 0, (1ll << 40) + 1, 7, 315, 3.14159265358979, 0, 10, 255, 7, 0, -4, -1, 100, 0.5,
                                       77, 2.25, 12, 'b' };
enum { VALUES = sizeof first_values / sizeof *first_values };

__global__ void change(int by) {
  next();
  hidden *= 2;
  vector.y += by;
  large[4999] = 1.5f;
  managed_sum += by;
  managed_row[7] = managed_row[0] * 4;
  int *at = &inner::counter;
  *at -= by;
  bytes[by % 5]++;
}

int main(void) {
  double *out, seen[VALUES];
  CHECK(cudaMalloc((void **)&out, sizeof seen));
  read<<<1, 1>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < VALUES; i++)
    if (seen[i] != first_values[i]) {
      printf("value %d begins as %.17g, not %.17g\n", i, seen[i], first_values[i]);
      failures++;
    }
  EXPECT(managed_sum, 100);
  managed_sum = 1000;
  managed_row[0] = 3;
  float row[16];
  for (int i = 0; i < 16; i++)
    row[i] = i;
  CHECK(cudaMemcpyToSymbol(coefficients, row, sizeof row, 0, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(counter, &managed_sum, sizeof(int), 0, cudaMemcpyHostToDevice));
  change<<<1, 1>>>(12);
  CHECK(cudaDeviceSynchronize());
  EXPECT(managed_sum, 1012);
  EXPECT(managed_row[7], 12);
  read<<<1, 1>>>(out);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[6], 15);
  EXPECT(seen[7], 1003);
  EXPECT(seen[8], 0);
  EXPECT(seen[9], 1 + 14 * 3);
  EXPECT(seen[10] * 2, 3);
  EXPECT(seen[12], -2);
  EXPECT(seen[13], 1012);
  EXPECT(seen[15], 65);
  int value;
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value, 0, cudaMemcpyDeviceToHost));
  EXPECT(value, 1003);
  void *address;
  size_t size;
  CHECK(cudaGetSymbolAddress(&address, large));
  CHECK(cudaGetSymbolSize(&size, large));
  EXPECT(size, sizeof(float) * 5000);
  CHECK(cudaMemset(address, 0, size));
  CHECK(cudaMemcpyFromSymbol(row, large, sizeof(float), 4999 * sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT(row[0], 0);
  CHECK(cudaFree(out));
  return verdict("variables");
}
