/* SPDX-License-Identifier: MIT */
/* printed_formats - formats of printf() that are known only when the kernel runs (../formats.h), and by templates. */
#include "check.h"

#include "../formats.h"

template <class... T> __device__ int write(const char *format, T... values) {
  return printf(format, values...);
}

template <class T> struct named {
  static __device__ const char *format() { return sizeof(T) == 8 ? "wide %ld\n" : "narrow %d\n"; }
};

__global__ void by_templates(int *counts) {
  counts[0] = write("%d %d %s\n", 1, 2, "three");
  counts[1] = write(named<long>::format(), 5l) + write(named<int>::format(), 6);
}

int main() {
  items<int, 2> counts;
  EXPECT(formats_differ() == 0);
  by_templates<<<1, 1>>>(counts.device);
  counts.fetch();
  EXPECT(counts[0] == 3);
  EXPECT(counts[1] == 2);
  return result();
}
