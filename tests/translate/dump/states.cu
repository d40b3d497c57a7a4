// C++, and operations of warps: clang compiles it, and the threads of a block are loops, or states.
template <typename T> __global__ void states(T *p) {
  T mine = p[threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    mine += __shfl_xor_sync(~0u, mine, step);
  if (threadIdx.x == 0)
    *p = mine;
}
template __global__ void states(float *);
