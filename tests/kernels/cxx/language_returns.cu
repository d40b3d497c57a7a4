/* SPDX-License-Identifier: MIT */
/* language_returns - early returns of threads and of inlined functions, before and behind what others do. */
#include "check.h"

__device__ int classified(int i) {
  if (i < 0)
    return -1;
  for (int k = 2; k < 10; k++) {
    if (i % k)
      continue;
    if (i > 40)
      return k * 100;
    for (int j = 0; j < k; j++)
      if (j * j == i)
        return j * 1000;
  }
  if (i & 1)
    return i;
  return 7;
}

__global__ void classify(int *out, int count) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count)
    return;
  if (i % 10 == 0) {
    out[i] = -i;
    return;
  }
  int found = classified(i - 3);
  if (found > 500) {
    out[i] = found;
    if (i % 2)
      return;
    out[i]++;
    return;
  }
  out[i] = found + 1;
}

static int wanted(int i) {
  int n = i - 3, found = n < 0 ? -1 : n & 1 ? n : 7;
  for (int k = 2, is_open = n >= 0; k < 10 && is_open; k++) {
    if (n % k)
      continue;
    if (n > 40)
      found = k * 100, is_open = 0;
    for (int j = 0; j < k && is_open; j++)
      if (j * j == n)
        found = j * 1000, is_open = 0;
  }
  return i % 10 == 0 ? -i : found > 500 ? found + (i % 2 == 0) : found + 1;
}

int main() {
  items<int, 128> out;
  classify<<<4, 32>>>(out.device, 101);
  out.fetch();
  EXPECT_EACH(101, out[i] == wanted(i));
  EXPECT(out[101] == 0 && out[127] == 0);
  return result();
}
