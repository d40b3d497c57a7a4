/* SPDX-License-Identifier: MIT */
/* linked.cu - a kernel behind a C function, for programs that other compilers link. */
__device__ int factor = 3;
__constant__ int offset = 1;
__managed__ int launches;

__global__ void scale(int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = values[i] * factor + offset;
  if (i == 0)
    launches++;
}

/* 0, or CUDA's error. */
extern "C" int scale_on_device(int *values, int count) {
  int *device = nullptr;
  size_t bytes = (size_t)count * sizeof *values;
  cudaError_t error = cudaMalloc(&device, bytes);
  if (error == cudaSuccess)
    error = cudaMemcpy(device, values, bytes, cudaMemcpyHostToDevice);
  scale<<<(count + 63) / 64, 64>>>(device, count);
  if (error == cudaSuccess)
    error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpy(values, device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return (int)error;
}
