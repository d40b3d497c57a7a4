/* SPDX-License-Identifier: MIT */
/*
 * recorded_cxx - launches in C++ for recorded.sh: eight threads, each with a stream, walk lists of their own by a
 * template and a lambda. They share nothing, since a recorder sees what others write meanwhile.
 */
#include <cuda_runtime.h>

#include <stdio.h>

#include <thread>
#include <vector>

template <class T> struct cell {
  T value;
  cell *next;
};

template <class T, class F> __global__ void each(cell<T> *first, F function) {
  for (cell<T> *it = first; it != nullptr; it = it->next)
    it->value = function(it->value);
}

static double walk(int thread) {
  cell<double> *cells[3], last;
  cudaStream_t stream;
  double factor = thread;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (auto &it : cells)
    cudaMalloc(&it, sizeof *it);
  for (int i = 0; i < 3; i++) {
    cell<double> held{ double(i), i < 2 ? cells[i + 1] : nullptr };
    cudaMemcpy(cells[i], &held, sizeof held, cudaMemcpyHostToDevice);
  }
  for (int i = 0; i < 2; i++)
    each<<<1, 1, 0, stream>>>(cells[0], [factor] __device__(double value) { return value * factor + 1; });
  cudaStreamSynchronize(stream);
  cudaMemcpy(&last, cells[2], sizeof last, cudaMemcpyDeviceToHost);
  return last.value;
}

int main() {
  std::vector<std::thread> threads;
  double results[8];
  for (int i = 0; i < 8; i++)
    threads.emplace_back([&results, i] { results[i] = walk(i); });
  for (auto &thread : threads)
    thread.join();
  for (int i = 0; i < 8; i++)
    if (results[i] != (2.0 * i + 1) * i + 1)
      return printf("wrong: thread %d has %g\n", i, results[i]);
  puts("right");
  return 0;
}
