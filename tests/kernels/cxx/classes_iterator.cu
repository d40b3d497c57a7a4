/* SPDX-License-Identifier: MIT */
/* classes_iterator - iterators of one's own: range-for, counting ones, strided ones over global memory. */
#include "check.h"

class counting {
  int at_;

public:
  __host__ __device__ explicit counting(int at) : at_(at) {}
  __host__ __device__ int operator*() const { return at_; }
  __host__ __device__ counting &operator++() { return ++at_, *this; }
  __host__ __device__ bool operator!=(const counting &o) const { return at_ != o.at_; }
};
struct range {
  int first, last;
  __host__ __device__ counting begin() const { return counting(first); }
  __host__ __device__ counting end() const { return counting(last); }
};

template <class T> struct strided {
  T *at;
  int step;
  __host__ __device__ T &operator*() const { return *at; }
  __host__ __device__ T &operator[](int i) const { return at[i * step]; }
  __host__ __device__ strided &operator++() { return at += step, *this; }
  __host__ __device__ strided operator+(int n) const { return { at + n * step, step }; }
  __host__ __device__ long operator-(const strided &o) const { return (at - o.at) / step; }
  __host__ __device__ bool operator!=(const strided &o) const { return at != o.at; }
};
template <class I> __host__ __device__ int sum(I first, I last) {
  int all = 0;
  for (; first != last; ++first)
    all += *first;
  return all;
}

__global__ void columns(int *out, const int *table, int rows, int width) {
  strided<const int> top = { table + threadIdx.x, width }, bottom = top + rows;
  int all = sum(top, bottom) + (int)(bottom - top) + top[1];
  for (int i : range{ 0, (int)threadIdx.x })
    all += i;
  out[threadIdx.x] = all + sum(counting(5), counting(8));
}

int main() {
  items<int, 60> table;
  items<int, 6> out;
  for (int i = 0; i < 60; i++)
    table.host[i] = i * i;
  table.send();
  columns<<<1, 6>>>(out.device, table.device, 10, 6);
  out.fetch();
  for (int c = 0; c < 6; c++) {
    int wanted = 10 + table[6 + c] + c * (c - 1) / 2 + 18;
    for (int r = 0; r < 10; r++)
      wanted += table[r * 6 + c];
    check_item(out[c] == wanted, c, "a column's sum", __FILE__, __LINE__);
  }
  return result();
}
