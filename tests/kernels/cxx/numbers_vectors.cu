/* SPDX-License-Identifier: MIT */
/* numbers_vectors - CUDA's vector types: members, loads of 8 and 16 bytes, operators of one's own, narrow ones. */
#include "check.h"

__host__ __device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__host__ __device__ inline int3 operator*(int3 a, int b) {
  return make_int3(a.x * b, a.y * b, a.z * b);
}
template <class V> __host__ __device__ auto dot(V a, V b) -> decltype(a.x * b.x) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

__global__ void run(float4 *a, const float4 *b, int3 *c, uchar4 *d, double2 *e, longlong2 f, ushort3 g) {
  unsigned i = threadIdx.x;
  a[i] = a[i] + b[i];
  c[i] = c[i] * 3;
  c[i].y += dot(c[i], make_int3(1, 2, 3));
  uchar4 pixel = d[i];
  pixel.x = (unsigned char)(pixel.x + pixel.w);
  d[i] = make_uchar4(pixel.w, pixel.z, pixel.y, pixel.x);
  e[i].x += (double)f.x + g.z;
  e[i].y = (double)(f.y >> 3) + dot(a[i], b[i]) + threadIdx.y + blockDim.x;
}

int main() {
  items<float4, 8> a, b;
  items<int3, 8> c;
  items<uchar4, 8> d;
  items<double2, 8> e;
  for (int i = 0; i < 8; i++) {
    float f = (float)i;
    a.host[i] = make_float4(f, f + 1, f + 2, f + 3), b.host[i] = make_float4(1, 2, f, 4);
    c.host[i] = make_int3(i, -i, 2), d.host[i] = make_uchar4((unsigned char)(250 + i), 2, 3, (unsigned char)i);
  }
  a.send(), b.send(), c.send(), d.send();
  run<<<1, 8>>>(a.device, b.device, c.device, d.device, e.device, make_longlong2(1ll << 40, 80), make_ushort3(1, 2, 65535));
  a.fetch(), c.fetch(), d.fetch(), e.fetch();
  EXPECT_EACH(8, a[i].x == (float)i + 1 && a[i].y == (float)i + 3 && a[i].z == 2 * (float)i + 2 && a[i].w == (float)i + 7);
  EXPECT_EACH(8, c[i].x == 3 * i && c[i].y == -3 * i + 3 * i - 6 * i + 18 && c[i].z == 6);
  EXPECT_EACH(8, d[i].x == i && d[i].y == 3 && d[i].z == 2 && d[i].w == (unsigned char)(250 + 2 * i));
  EXPECT_EACH(8, e[i].x == 1099511627776.0 + 65535 && e[i].y == 10 + dot(a[i], b[i]) + 8);
  static_assert(sizeof(int3) == 12 && alignof(float4) == 16 && sizeof(ushort3) == 6, "");
  return result();
}
