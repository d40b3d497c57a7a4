/* SPDX-License-Identifier: MIT */
/*
 * language_rotated - loops whose variables hand their values on: swapped, rotated, one turn behind another, used behind
 * the loop, the same for all threads or not, with barriers between the turns. What shares a variable must not be
 * overwritten while it is still used.
 */
#include "check.h"

enum { THREADS = 128, BLOCKS = 3, TURNS = 9 };

__host__ __device__ unsigned fibonacci(unsigned n) {
  unsigned a = 0, b = 1;
  for (unsigned i = 0; i < n; i++) {
    unsigned sum = a + b;
    a = b;
    b = sum;
  }
  return a * 31 + b;
}

__host__ __device__ unsigned rotated(unsigned n) {
  unsigned a = n, b = n * 7 + 1, c = n ^ 0x55, d = 0;
  for (unsigned i = 0; i < n % 11 + 2; i++) {
    if ((a & 3) == 1) {
      unsigned held = a;
      a = b, b = c, c = held;
    } else if ((a & 3) == 2) {
      unsigned held = b;
      b = a, a = held + i;
    }
    d = d * 3 + a;
    if (d % 13 == 5)
      continue;
    if (d % 17 == 4)
      break;
    c += d;
  }
  return a + 3 * b + 5 * c + 7 * d;
}

__host__ __device__ int behind(int n) {
  int now = n, before = -1, twice = -2, turns = 0;
  while (now > 1 && turns < 40) {
    twice = before;
    before = now;
    now = now % 2 != 0 ? 3 * now + 1 : now / 2;
    turns++;
  }
  return now + 10 * before + 1000 * twice + 100000 * turns;
}

__host__ __device__ float best(int n) {
  float most = -1, second = -2;
  int at = -1;
  for (int i = 0; i < 12; i++) {
    float value = (float)((n * 37 + i * i * 11) % 101);
    if (value > most) {
      second = most;
      most = value;
      at = i;
    } else if (value > second) {
      second = value;
    }
  }
  return most * 1000 + second + (float)at / 16;
}

__host__ __device__ int chosen(int n) {
  int state = n % 5, sum = 0, last = 0;
  for (int i = 0; i < 20; i++) {
    int next;
    switch (state) {
    case 0: next = 3; sum += last; break;
    case 1: next = sum % 4; break;
    case 2: return sum * 3 + last;
    case 3: next = last & 1 ? 4 : 1; sum -= i; break;
    default: next = (state + i) % 5; break;
    }
    last = state;
    state = next;
  }
  return sum * 10 + last + state;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    return (int)(fibonacci((unsigned)i % 40) + rotated((unsigned)i) + (unsigned)behind(i + 1) + (unsigned)chosen(i)) +
           (int)(best(i) * 16);
  }
};

/* What all threads count stays apart from what each has, although the one becomes the other now and then. */
__global__ void turned(const int *in, int *out, int turns) {
  __shared__ int held[2][THREADS];
  int thread = (int)threadIdx.x, now = 0, step = 1, own = in[blockIdx.x * THREADS + threadIdx.x], old = 0;
  held[0][thread] = own;
  for (int i = 0; i < turns; i++) {
    __syncthreads();
    int other = held[now][(thread + step) % THREADS];
    now ^= 1;
    int sum = own + other + old;
    old = own;
    own = i % 3 == 2 ? step + thread : sum;
    held[now][thread] = own;
    int next = step * 2 % 31 + i;
    step = next;
  }
  out[blockIdx.x * THREADS + threadIdx.x] = own + 3 * old + 5 * step + now;
}

static void turn_on_host(const int *in, int *out, int turns) {
  for (int block = 0; block < BLOCKS; block++) {
    int held[2][THREADS], own[THREADS], old[THREADS] = { 0 }, now = 0, step = 1;
    for (int t = 0; t < THREADS; t++)
      held[0][t] = own[t] = in[block * THREADS + t];
    for (int i = 0; i < turns; i++) {
      for (int t = 0; t < THREADS; t++) {
        int sum = own[t] + held[now][(t + step) % THREADS] + old[t];
        old[t] = own[t];
        own[t] = i % 3 == 2 ? step + t : sum;
        held[now ^ 1][t] = own[t];
      }
      now ^= 1;
      step = step * 2 % 31 + i;
    }
    for (int t = 0; t < THREADS; t++)
      out[block * THREADS + t] = own[t] + 3 * old[t] + 5 * step + now;
  }
}

int main() {
  same_on_both<int>(body{});
  static items<int, BLOCKS * THREADS> in, out;
  static int expected[BLOCKS * THREADS];
  for (int i = 0; i < BLOCKS * THREADS; i++)
    in.host[i] = i * 7 % 1000;
  in.send();
  for (int turns = 0; turns <= TURNS; turns++) {
    turned<<<BLOCKS, THREADS>>>(in.device, out.device, turns);
    out.fetch();
    turn_on_host(in.host, expected, turns);
    EXPECT_EACH(BLOCKS * THREADS, out[i] == expected[i]);
  }
  return result();
}
