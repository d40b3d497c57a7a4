/* SPDX-License-Identifier: MIT */
/* needs: thrust/version.h */
/* thrust_select - what is copied if a predicate holds, once for each run, and what two sorted ranges have both. */
#include "check.h"

#include <algorithm>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/set_operations.h>
#include <thrust/unique.h>

struct is_odd {
  __host__ __device__ bool operator()(int x) const {
    return x & 1;
  }
};

typedef thrust::device_vector<int>::iterator place;

static bool is_same(place first, place last, const std::vector<int> &expected) {
  std::vector<int> got(last - first);
  thrust::copy(first, last, got.begin());
  return got == expected;
}

int main() {
  for (int count : { 0, 1, 33, 4099 }) {
    std::vector<int> a(count), b(count / 2 + 1), expected;
    for (int i = 0; i < count; i++)
      a[i] = (int)((unsigned)i * 2654435761u >> 28) % 5;
    thrust::device_vector<int> in(a.begin(), a.end()), out(count + 1);
    std::copy_if(a.begin(), a.end(), std::back_inserter(expected), is_odd());
    EXPECT(is_same(out.begin(), thrust::copy_if(in.begin(), in.end(), out.begin(), is_odd()), expected));
    expected.clear();
    std::unique_copy(a.begin(), a.end(), std::back_inserter(expected));
    EXPECT(is_same(out.begin(), thrust::unique_copy(in.begin(), in.end(), out.begin()), expected));
    for (int i = 0; i < count; i++)
      a[i] = i * 2 / 3;
    for (size_t i = 0; i < b.size(); i++)
      b[i] = (int)i * 3 / 2;
    expected.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    thrust::device_vector<int> one(a.begin(), a.end()), other(b.begin(), b.end());
    EXPECT(is_same(out.begin(),
                   thrust::set_intersection(one.begin(), one.end(), other.begin(), other.end(), out.begin()),
                   expected));
  }
  return result();
}
