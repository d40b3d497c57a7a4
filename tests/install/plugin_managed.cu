// SPDX-License-Identifier: MIT
// plugin_managed - a shared object with a managed variable, which work in flight writes to when the object is closed.

__managed__ int last;
static int runs;

// Long enough that the plugin is closed meanwhile.
__global__ void linger(int rounds) {
  int value = 1;
  for (int round = 0; round < rounds; round++)
    value = value * 1664525 + round;
  last = value;
}

static int expected(int rounds) {
  unsigned value = 1;
  for (int round = 0; round < rounds; round++)
    value = value * 1664525 + round;
  return (int)value;
}

// The n-th round, from 0 on: what the round before sent has arrived, since the plugin has stayed where it was.
extern "C" int plugin_run(int n) {
  if (runs++ != n)
    return 1;
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 2;
  return n == 0 || last == expected(1000000 + n) ? 0 : 3;
}

extern "C" int plugin_start(int n) {
  last = 0;
  linger<<<1, 1>>>(1000000 + n + 1);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
