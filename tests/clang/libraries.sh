#!/bin/sh
# SPDX-License-Identifier: MIT
# libraries - Thrust, CUB and Eigen's Tensor as Debian has them, unmodified, in both halves of a program that clang
# compiles. Each where it is installed; the test is left out where none is.
. "$srcdir/tests/clang/compiler.sh"
status=0
tried=

# try NAME HEADER FLAGS: the program on standard input, if that header is there
try() {
  program=$(cat)
  printf '#include <%s>\n' "$2" | half host $3 -w -E - >/dev/null 2>&1 || { echo "left out: no $1 here"; return; }
  tried="$tried $1"
  for side in device host; do
    echo "$program" | half $side $3 -w -fsyntax-only - || { echo "^ $1 for the $side, with $clang"; status=1; }
  done
}

try Thrust thrust/version.h <<'EOF'
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
struct square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
int main() {
  thrust::device_vector<int> a(1000), b(1000), c(1000);
  thrust::transform(a.begin(), a.end(), b.begin(), square());
  thrust::sort(a.begin(), a.end());
  thrust::sort_by_key(a.begin(), a.end(), b.begin(), thrust::greater<int>());
  thrust::inclusive_scan(a.begin(), a.end(), b.begin());
  thrust::copy_if(a.begin(), a.end(), b.begin(), odd());
  thrust::unique(a.begin(), a.end());
  thrust::reduce_by_key(a.begin(), a.end(), b.begin(), c.begin(), b.begin());
  thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  thrust::host_vector<int> h = a;
  return thrust::reduce(thrust::make_transform_iterator(thrust::counting_iterator<int>(0), square()),
                        thrust::make_transform_iterator(thrust::counting_iterator<int>(9), square())) + h[0];
}
EOF

try "Thrust's asynchronous algorithms" thrust/async/reduce.h <<'EOF'
#include <thrust/async/copy.h>
#include <thrust/async/for_each.h>
#include <thrust/async/reduce.h>
#include <thrust/async/scan.h>
#include <thrust/async/transform.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/optional.h>
struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct doubled {
  __host__ __device__ void operator()(int &x) const { x *= 2; }
};
int main() {
  thrust::device_vector<int> a(1000), b(1000);
  thrust::host_vector<int> h(1000);
  thrust::device_event done = thrust::async::transform(a.begin(), a.end(), b.begin(), twice());
  auto more = thrust::async::for_each(thrust::device.after(done), b.begin(), b.end(), doubled());
  auto scan = thrust::async::inclusive_scan(thrust::device.after(more), b.begin(), b.end(), a.begin());
  thrust::device_future<int> sum = thrust::async::reduce(thrust::device.after(scan), a.begin(), a.end());
  auto copied = thrust::async::copy(a.begin(), a.end(), h.begin());
  int x = 1;
  thrust::optional<int> number(5);
  thrust::optional<int &> same(x);
  number.emplace(6);
  return sum.get() + *number + *same;
}
EOF

try CUB cub/version.cuh <<'EOF'
#include <cub/cub.cuh>
template <int Threads> __global__ void blocks(int *x) {
  using Reduce = cub::BlockReduce<int, Threads>;
  using Scan = cub::BlockScan<int, Threads>;
  using Sort = cub::BlockRadixSort<int, Threads, 4>;
  using Warp = cub::WarpReduce<int>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename Warp::TempStorage warp;
  } room;
  int value = x[threadIdx.x], items[4] = { value };
  int sum = Reduce(room.reduce).Sum(value);
  __syncthreads();
  Scan(room.scan).ExclusiveSum(value, value);
  __syncthreads();
  Sort(room.sort).Sort(items);
  __syncthreads();
  x[threadIdx.x] = value + items[0] + sum + Warp(room.warp).Sum(value);
}
int main() {
  size_t size = 0;
  int *x = nullptr;
  blocks<128><<<1, 128>>>(x);
  cub::DeviceReduce::Sum(nullptr, size, x, x, 5);
  cub::DeviceScan::InclusiveSum(nullptr, size, x, x, 5);
  cub::DeviceRadixSort::SortPairs(nullptr, size, x, x, x, x, 5);
  cub::DeviceSelect::Unique(nullptr, size, x, x, x, 5);
  cub::DeviceHistogram::HistogramEven(nullptr, size, x, x, 5, 0, 4, 5);
  return cub::DeviceSegmentedReduce::Sum(nullptr, size, x, x, 2, x, x);
}
EOF

try Eigen Eigen/src/Core/util/Macros.h "${EIGEN3_CFLAGS:--I/usr/include/eigen3}" <<'EOF'
#define EIGEN_USE_GPU
#include <unsupported/Eigen/CXX11/Tensor>
#include <Eigen/Dense>
__global__ void fixed(Eigen::Matrix3f *m) { m[0] = m[1] * m[2].transpose() + Eigen::Matrix3f::Identity(); }
int main() {
  Eigen::GpuStreamDevice stream;
  Eigen::GpuDevice device(&stream);
  Eigen::TensorMap<Eigen::Tensor<float, 2>> x(nullptr, 10, 10), y(nullptr, 10, 10);
  Eigen::TensorMap<Eigen::Tensor<float, 0>> sum(nullptr);
  x.device(device) = y + y.exp() * 2.0f;
  sum.device(device) = x.sum();
  Eigen::array<Eigen::IndexPair<int>, 1> by = { Eigen::IndexPair<int>(1, 0) };
  x.device(device) = x.contract(y, by);
  x.device(device) = y.cumsum(0);
  Eigen::TensorMap<Eigen::Tensor<Eigen::half, 2>> h(nullptr, 10, 10);
  h.device(device) = h + h.tanh();
  fixed<<<1, 1>>>(nullptr);
}
EOF

[ -n "$tried" ] || exit 77
exit $status
