/* SPDX-License-Identifier: MIT */
/* memory_cached - loads by __ldg() of numbers and vectors, through pointers that came in a struct. */
#include "check.h"

struct table {
  const float *numbers;
  const float4 *vectors;
  const unsigned char *bytes;
  const double2 *pairs;
  const long long *words;
};

__global__ void sum_up(table from, double *out) {
  int i = (int)threadIdx.x;
  float4 v = __ldg(from.vectors + i);
  double2 p = __ldg(&from.pairs[i]);
  out[i] = (double)__ldg(from.numbers + i) + (double)(v.x + v.y * v.z - v.w) + p.x * p.y +
           (double)__ldg(from.bytes + i) + (double)__ldg(from.words + 63 - i);
}

int main() {
  items<float, 64> numbers;
  items<float4, 64> vectors;
  items<unsigned char, 64> bytes;
  items<double2, 64> pairs;
  items<long long, 64> words;
  items<double, 64> out;
  for (int i = 0; i < 64; i++) {
    numbers.host[i] = (float)i * 0.5f;
    vectors.host[i] = make_float4((float)i, 2.0f, (float)(i % 7), 1.0f);
    bytes.host[i] = (unsigned char)(200 + i);
    pairs.host[i] = make_double2(i, -0.25);
    words.host[i] = (long long)i << 33;
  }
  numbers.send(), vectors.send(), bytes.send(), pairs.send(), words.send();
  sum_up<<<1, 64>>>({ numbers.device, vectors.device, bytes.device, pairs.device, words.device }, out.device);
  out.fetch();
  EXPECT_EACH(64, out[i] == i * 0.5 + (i + 2.0 * (i % 7) - 1) + i * -0.25 + (unsigned char)(200 + i) +
                                (double)((63ll - i) << 33));
  return result();
}
