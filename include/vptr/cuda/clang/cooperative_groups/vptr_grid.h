/* SPDX-License-Identifier: MIT */
/*
 * vptr_grid - grid_group and cluster_group: where the thread is in its grid and in its cluster, which is one block.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_GRID_H
#define VPTR_CUDA_CLANG_GROUPS_GRID_H

/* They have no definition: who reads the IR knows them by their names. */
__device__ __attribute__((convergent)) void vptr_grid_sync();
__device__ __attribute__((convergent)) unsigned int vptr_grid_is_valid();

namespace cooperative_groups {

class grid_group {
public:
  struct arrival_token {};

  /* Whether sync() may be called: a cooperative launch. In others sync() fails the launch. */
  __device__ bool is_valid() const { return ::vptr_grid_is_valid() != 0; }
  __device__ void sync() const {
    if (is_valid())
      ::vptr_grid_sync();
    else
      ::__trap();
  }
  /* A wait is all of it, as thread_block's. */
  __device__ arrival_token barrier_arrive() const { return arrival_token(); }
  __device__ void barrier_wait(arrival_token &&) const { sync(); }

  static __device__ unsigned long long size() { return num_threads(); }
  static __device__ unsigned long long num_threads() { return num_blocks() * vptr_lanes::block_size(); }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * vptr_lanes::block_size() + vptr_lanes::rank_in_block();
  }
  static __device__ dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  static __device__ dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static __device__ dim3 group_dim() { return dim_blocks(); }
  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long block_rank() {
    return blockIdx.x + gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static __device__ dim3 dim_clusters() { return dim_blocks(); }
  static __device__ unsigned long long num_clusters() { return num_blocks(); }
  static __device__ dim3 cluster_index() { return block_index(); }
  static __device__ unsigned long long cluster_rank() { return block_rank(); }

private:
  __device__ grid_group() {}
  friend __device__ grid_group this_grid();
};

__device__ inline grid_group this_grid() { return grid_group(); }

class cluster_group {
public:
  struct arrival_token {};

  static __device__ void sync() { ::__syncthreads(); }
  static __device__ arrival_token barrier_arrive() { return arrival_token(); }
  static __device__ void barrier_wait() { ::__syncthreads(); }
  static __device__ void barrier_wait(arrival_token &&) { ::__syncthreads(); }

  /* The block's own shared memory is all that there is. */
  static __device__ unsigned int query_shared_rank(const void *) { return 0; }
  template <class T> static __device__ T *map_shared_rank(T *pointer, int) { return pointer; }

  static __device__ dim3 block_index() { return dim3(0, 0, 0); }
  static __device__ unsigned int block_rank() { return 0; }
  static __device__ dim3 dim_blocks() { return dim3(1, 1, 1); }
  static __device__ unsigned int num_blocks() { return 1; }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ unsigned int thread_rank() { return vptr_lanes::rank_in_block(); }
  static __device__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ unsigned int num_threads() { return vptr_lanes::block_size(); }
  static __device__ unsigned int size() { return num_threads(); }

private:
  __device__ cluster_group() {}
  friend __device__ cluster_group this_cluster();
};

__device__ inline cluster_group this_cluster() { return cluster_group(); }

}

#endif
