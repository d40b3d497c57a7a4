// Barriers, and what one work-item that runs a block makes of the text between them.
__device__ int counter;

__device__ float total(const float *part, float mine) {
  __shared__ float sums[128];
  sums[threadIdx.x] = part[threadIdx.x] + mine;
  __syncthreads();
  return sums[0];
}

__global__ void __launch_bounds__(128) reduce(const float *in, float *out, int n) {
  __shared__ float part[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float kept = 0, pair[2] = { 1, 2 };
  for (int first = 0; first < n; first += 128) {
    float inside = in[first + t];
    part[t] = inside;
    __syncthreads();
    if (t < 64)
      part[t] += part[t + 64];
    __syncthreads();
    kept += part[127 - t] * pair[t & 1];
  }
  float all = total(part, kept);
  if (i >= n)
    return;
  out[i] = all;
  if (t == 0)
    atomicAdd(&counter, 1);
}

// Threads that leave before a loop that all others go round together.
__global__ void product(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  if (x >= n || y >= n)
    return;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
