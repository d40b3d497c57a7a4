/* SPDX-License-Identifier: MIT */
/* memory_retyped - bytes that are written as one type and read as another, as CUDA programs do through casts of pointers. */
#include "check.h"

struct pair {
  unsigned short low, high;
};
struct wide {
  unsigned long long words[2];
};

__device__ float root(float x) {
  int bits = *(int *)&x;
  bits = 0x5f3759df - (bits >> 1);
  float y = *(float *)&bits;
  return y * (1.5f - 0.5f * x * y * y);
}

/* Halves of a packet are changed between its being written and read whole, as Eigen does. */
__device__ void add_halves(const wide &from, wide *to) {
  const pair *other = reinterpret_cast<const pair *>(&from);
  pair *own = reinterpret_cast<pair *>(to);
  for (int i = 0; i < 4; i++) {
    own[i].low = (unsigned short)(own[i].low + other[i].low);
    own[i].high = (unsigned short)(own[i].high + other[i].high);
  }
}

/* Two pointers lead to one place. */
__global__ void store_both(float *real, int *number, float *seen) {
  int i = (int)threadIdx.x;
  real[i] = 1;
  number[i] = 2;
  seen[i] = real[i];
}

__global__ void run(const wide *in, wide *out, float *roots, int *swapped) {
  __shared__ wide room[32];
  int i = (int)threadIdx.x;
  wide sum = in[i];
  room[i] = in[31 - i];
  add_halves(room[i], &sum);
  wide again = sum;
  pair *halves = reinterpret_cast<pair *>(&again);
  for (int k = 0; k < 4; k++)
    halves[k] = reinterpret_cast<pair *>(&sum)[3 - k];
  add_halves(again, &sum);
  out[i] = sum;
  roots[i] = root((float)(i + 1));
  *(float *)&swapped[i] = (float)i;
  swapped[i] ^= 1 << 31;
}

int main() {
  items<wide, 32> in;
  items<wide, 96> out;
  items<float, 64> roots;
  items<int, 32> swapped;
  unsigned short expected[32][8];
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 8; k++)
      ((unsigned short *)in.host[i].words)[k] = (unsigned short)(i * 301 + k * 17);
  in.send();
  run<<<1, 32>>>(in.device, out.device, roots.device, swapped.device);
  store_both<<<1, 32>>>((float *)out.device + 256, (int *)out.device + 256, roots.device + 32);
  out.fetch();
  roots.fetch();
  swapped.fetch();
  for (int i = 0; i < 32; i++) {
    unsigned short sum[8], seen[8];
    for (int k = 0; k < 8; k++)
      sum[k] = (unsigned short)(31 * 301 + 2 * k * 17);
    for (int k = 0; k < 8; k++)
      expected[i][k] = (unsigned short)(sum[k] + sum[(3 - k / 2) * 2 + k % 2]);
    memcpy(seen, &out.host[i], sizeof seen);
    check_item(memcmp(seen, expected[i], sizeof seen) == 0, i, "sums of halves", __FILE__, __LINE__);
    float real;
    memcpy(&real, &swapped.host[i], sizeof real);
    check_item(real == -(float)i, i, "a number whose sign was changed as an integer's bit", __FILE__, __LINE__);
    memcpy(&expected[i], &roots.host[32 + i], sizeof(float));
    check_item(expected[i][0] == 2 && expected[i][1] == 0, i, "an integer seen as a float", __FILE__, __LINE__);
    check_item(roots[i] * roots[i] * (float)(i + 1) > 0.99f && roots[i] * roots[i] * (float)(i + 1) < 1.01f, i, "roots", __FILE__,
               __LINE__);
  }
  return result();
}
