/* SPDX-License-Identifier: MIT */
/* needs: thrust/version.h */
/* thrust_resources - where Thrust's memory comes from and in which stream it works: allocators, memory resources, streams of
 * one's own, vectors of structs, of pinned and of managed memory. */
#include "check.h"

#include <memory>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/disjoint_pool.h>
#include <thrust/mr/new.h>
#include <thrust/mr/pool.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/system/cuda/memory_resource.h>
#include <thrust/system/cuda/vector.h>
#include <thrust/transform.h>

struct point {
  float x, y;
  int tag;
};
struct moved {
  float by;
  __host__ __device__ point operator()(const point &p) const { return { p.x + by, p.y - by, p.tag * 2 }; }
};
struct sum_of_points {
  __host__ __device__ point operator()(const point &a, const point &b) const {
    return { a.x + b.x, a.y + b.y, a.tag > b.tag ? a.tag : b.tag };
  }
};

/* Counts what Thrust asks for its own use. */
struct counting_allocator {
  typedef char value_type;
  int *live, *all;
  char *allocate(std::ptrdiff_t bytes) {
    void *memory;
    CALL(cudaMalloc(&memory, (size_t)bytes));
    ++*live, ++*all;
    return static_cast<char *>(memory);
  }
  void deallocate(char *memory, size_t) {
    --*live;
    CALL(cudaFree(memory));
  }
};

enum { COUNT = 3001 };

static void structs() {
  std::vector<point> made(COUNT);
  for (int i = 0; i < COUNT; i++)
    made[i] = { i * 0.5f, (float)-i, i % 100 };
  thrust::device_vector<point> in(made.begin(), made.end()), out(COUNT);
  thrust::transform(in.begin(), in.end(), out.begin(), moved{ 2 });
  point last = out[COUNT - 1];
  EXPECT(last.x == (COUNT - 1) * 0.5f + 2 && last.y == -(float)(COUNT - 1) - 2 && last.tag == (COUNT - 1) % 100 * 2);
  out[5] = point{ 1, 2, 777 };
  thrust::host_vector<point> back = out;
  EXPECT(back[5].tag == 777 && back[6].tag == 12);
  point most = thrust::reduce(out.begin(), out.end(), point{ 0, 0, 0 }, sum_of_points());
  EXPECT(most.tag == 777);
}

static void streams_and_allocators() {
  int live = 0, all = 0;
  cudaStream_t stream;
  counting_allocator own{ &live, &all };
  CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  thrust::device_vector<int> numbers(COUNT), sums(COUNT);
  CALL(cudaDeviceSynchronize());
  thrust::sequence(thrust::cuda::par.on(stream), numbers.begin(), numbers.end());
  int total = thrust::reduce(thrust::cuda::par(own).on(stream), numbers.begin(), numbers.end());
  EXPECT(total == COUNT * (COUNT - 1) / 2);
  thrust::inclusive_scan(thrust::cuda::par(own).on(stream), numbers.begin(), numbers.end(), sums.begin());
  CALL(cudaStreamSynchronize(stream));
  EXPECT(sums[COUNT - 1] == total && sums[10] == 55);
  EXPECT(all >= 2 && live == 0);
  CALL(cudaStreamDestroy(stream));
}

static void resources() {
  typedef thrust::system::cuda::memory_resource device;
  thrust::mr::disjoint_unsynchronized_pool_resource<device, thrust::mr::new_delete_resource> pool(
      thrust::mr::get_global_resource<device>(), thrust::mr::get_global_resource<thrust::mr::new_delete_resource>());
  thrust::mr::allocator<int, decltype(pool)> of_pool(&pool);
  thrust::device_vector<int, decltype(of_pool)> pooled(COUNT, of_pool);
  thrust::fill(pooled.begin(), pooled.end(), 3);
  EXPECT(thrust::reduce(thrust::cuda::par(of_pool), pooled.begin(), pooled.end()) == 3 * COUNT);
  thrust::system::cuda::universal_vector<int> seen_by_both(100);
  thrust::sequence(thrust::device, seen_by_both.begin(), seen_by_both.end());
  CALL(cudaDeviceSynchronize());
  int host_sum = 0;
  for (int i = 0; i < 100; i++)
    host_sum += thrust::raw_pointer_cast(seen_by_both.data())[i];
  EXPECT(host_sum == 4950);
}

int main() {
  structs();
  streams_and_allocators();
  resources();
  return result();
}
