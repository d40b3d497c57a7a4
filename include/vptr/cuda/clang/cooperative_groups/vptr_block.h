/* SPDX-License-Identifier: MIT */
/*
 * vptr_block - thread_block: the block that the thread is in.
 */
#ifndef VPTR_CUDA_CLANG_GROUPS_BLOCK_H
#define VPTR_CUDA_CLANG_GROUPS_BLOCK_H

namespace cooperative_groups {

/* What tiles of more than 32 threads exchange lies in shared variables of their own, so that this is a word only. */
template <unsigned int Threads = 1024> struct block_tile_memory {
  unsigned int vptr_unused;
};

class thread_block : public thread_group {
public:
  /* A wait is the whole barrier: between the two a thread may not wait for what another does behind its own wait. */
  struct arrival_token {};

  static __device__ void sync() { ::__syncthreads(); }
  __device__ arrival_token barrier_arrive() const { return arrival_token(); }
  __device__ void barrier_wait(arrival_token &&) const { ::__syncthreads(); }

  static __device__ unsigned int size() { return vptr_lanes::block_size(); }
  static __device__ unsigned int num_threads() { return vptr_lanes::block_size(); }
  static __device__ unsigned int thread_rank() { return vptr_lanes::rank_in_block(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }

private:
  __device__ thread_block() : thread_group(block_kind, 0, 0, 0, 0, 0, 1) {}
  friend __device__ thread_block this_thread_block();
};

__device__ inline thread_block this_thread_block() { return thread_block(); }
template <unsigned int Threads> __device__ inline thread_block this_thread_block(block_tile_memory<Threads> &) {
  return this_thread_block();
}

}

#endif
