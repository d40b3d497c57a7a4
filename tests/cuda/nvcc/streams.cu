/* SPDX-License-Identifier: MIT */
/* streams - several of them, events, asynchronous copies, pinned and managed memory, host functions, memory of a pool. */
#include "check.h"

__global__ void scale(float *values, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= by;
}

__global__ void copy(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

static void note(void *data) {
  *static_cast<int *>(data) += 1;
}

int main() {
  enum { STREAMS = 4, N = 1 << 16 };
  cudaStream_t streams[STREAMS];
  float *host[STREAMS], *memory[STREAMS];
  int notes = 0;
  for (int s = 0; s < STREAMS; s++) {
    GOES(cudaStreamCreate(&streams[s]));
    GOES(cudaMallocHost(&host[s], N * sizeof(float)));
    GOES(cudaMallocAsync(&memory[s], N * sizeof(float), streams[s]));
    for (int i = 0; i < N; i++)
      host[s][i] = (float)(s + i);
  }
  for (int s = 0; s < STREAMS; s++) {
    GOES(cudaMemcpyAsync(memory[s], host[s], N * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
    for (int round = 0; round < 3; round++)
      scale<<<N / 256, 256, 0, streams[s]>>>(memory[s], N, 2.0f);
    GOES(cudaMemcpyAsync(host[s], memory[s], N * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
  }
  GOES(cudaLaunchHostFunc(streams[0], note, &notes));
  for (int s = 0; s < STREAMS; s++) {
    GOES(cudaStreamSynchronize(streams[s]));
    for (int i = 0; i < N; i += 77)
      CHECK(host[s][i] == 8.0f * (s + i));
  }
  CHECK(notes == 1);

  cudaEvent_t begin, end;
  float ms, *managed;
  GOES(cudaEventCreate(&begin));
  GOES(cudaEventCreate(&end));
  GOES(cudaEventRecord(begin, streams[1]));
  copy<<<N / 256, 256, 0, streams[1]>>>(memory[0], memory[1], N);
  GOES(cudaEventRecord(end, streams[1]));
  GOES(cudaStreamWaitEvent(streams[2], end, 0));
  copy<<<N / 256, 256, 0, streams[2]>>>(memory[1], memory[2], N);
  GOES(cudaStreamSynchronize(streams[2]));
  GOES(cudaEventElapsedTime(&ms, begin, end));
  CHECK(ms >= 0 && value_at(memory[2], 100) == 800);

  GOES(cudaMallocManaged(&managed, N * sizeof(float)));
  for (int i = 0; i < N; i++)
    managed[i] = (float)i;
  scale<<<N / 256, 256>>>(managed, N, 3.0f);
  GOES(cudaDeviceSynchronize());
  CHECK(managed[1000] == 3000);
  scale<<<1, 256>>>(host[0], 256, 0.5f); /* pinned memory, by its own address */
  GOES(cudaDeviceSynchronize());
  CHECK(host[0][10] == 40 && host[0][300] == 2400);
  for (int s = 0; s < STREAMS; s++) {
    GOES(cudaFreeAsync(memory[s], streams[s]));
    GOES(cudaStreamDestroy(streams[s]));
    GOES(cudaFreeHost(host[s]));
  }
  GOES(cudaFree(managed));
  return 0;
}
