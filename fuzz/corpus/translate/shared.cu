#define TILE 16
__constant__ float taps[5] = { 1, 2, 3, 2, 1 };
__device__ int hits = 3;
struct pair { int a; float b[2]; };
__device__ inline float pick(const pair &p, int i = 0) { return p.b[i] + static_cast<float>(p.a); }
__global__ void __launch_bounds__(256, 2) k(pair p, float *out, unsigned long n) {
  __shared__ float tile[TILE][TILE + 1];
  extern __shared__ int more[];
  tile[threadIdx.y][threadIdx.x] = n > 3 ? pick(p) : pick(p, 1);
  __syncthreads();
#pragma unroll (TILE / 4)
  for (int i = 0; i < 5; ++i)
    out[i] += taps[i] * tile[i][0] + more[i];
  atomicAdd(&hits, 1);
}
