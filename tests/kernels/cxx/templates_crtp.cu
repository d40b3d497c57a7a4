/* SPDX-License-Identifier: MIT */
/* templates_crtp - bases that know the class derived from them: expressions that are computed when they are assigned. */
#include "check.h"

template <class E> struct expression {
  __host__ __device__ const E &self() const { return static_cast<const E &>(*this); }
  __host__ __device__ float operator[](int i) const { return self().item(i); }
};
template <class L, class R> struct sum : expression<sum<L, R>> {
  L left;
  R right;
  __host__ __device__ sum(L l, R r) : left(l), right(r) {}
  __host__ __device__ float item(int i) const { return left[i] + right[i]; }
};
template <class L> struct scaled : expression<scaled<L>> {
  L left;
  float by;
  __host__ __device__ scaled(L l, float b) : left(l), by(b) {}
  __host__ __device__ float item(int i) const { return left[i] * by; }
};
struct vector : expression<vector> {
  const float *items;
  explicit vector(const float *p) : items(p) {}
  __host__ __device__ float item(int i) const { return items[i]; }
};
template <class L, class R> sum<L, R> operator+(const expression<L> &l, const expression<R> &r) {
  return { l.self(), r.self() };
}
template <class L> scaled<L> operator*(const expression<L> &l, float by) {
  return { l.self(), by };
}

template <class E> __global__ void assign(float *out, E e, int count) {
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += (int)(gridDim.x * blockDim.x))
    out[i] = e[i];
}

int main() {
  items<float, 100> a, b, out;
  for (int i = 0; i < 100; i++)
    a.host[i] = (float)i, b.host[i] = 0.5f * (float)i;
  a.send(), b.send();
  vector x(a.device), y(b.device);
  assign<<<2, 16>>>(out.device, (x + y * 4.0f) * 0.25f + y, 100);
  out.fetch();
  EXPECT_EACH(100, out[i] == (a[i] + b[i] * 4.0f) * 0.25f + b[i]);
  return result();
}
