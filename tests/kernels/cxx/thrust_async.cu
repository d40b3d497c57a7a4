/* SPDX-License-Identifier: MIT */
/* needs: thrust/async/reduce.h */
/* thrust_async - Thrust's asynchronous algorithms: futures and events, what waits for others, copies between host and device. */
#include "check.h"

#include <thrust/async/copy.h>
#include <thrust/async/for_each.h>
#include <thrust/async/reduce.h>
#include <thrust/async/scan.h>
#include <thrust/async/transform.h>
#include <thrust/device_vector.h>
#include <thrust/future.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

enum { COUNT = 3001, SUM = COUNT * (COUNT - 1) / 2 };

struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct plus_one {
  __host__ __device__ void operator()(int &x) const { x++; }
};

static void reduced(const thrust::device_vector<int> &numbers) {
  thrust::device_future<int> sum = thrust::async::reduce(numbers.begin(), numbers.end(), 7, thrust::plus<int>());
  EXPECT(sum.valid_stream() && sum.get() == SUM + 7);
  thrust::system::cuda::unique_eager_future<int> again = thrust::async::reduce(numbers.begin(), numbers.end());
  again.wait();
  EXPECT(again.ready() && again.extract() == SUM);
  EXPECT(!again.valid_content());
}

static void chained(const thrust::device_vector<int> &numbers) {
  thrust::device_vector<int> doubled(COUNT), copied(COUNT);
  thrust::device_event transformed =
      thrust::async::transform(numbers.begin(), numbers.end(), doubled.begin(), twice());
  auto added = thrust::async::for_each(thrust::device.after(transformed), doubled.begin(), doubled.end(), plus_one());
  auto moved = thrust::async::copy(thrust::device.after(added), doubled.begin(), doubled.end(), copied.begin());
  auto sum = thrust::async::reduce(thrust::device.after(moved), copied.begin(), copied.end());
  EXPECT(sum.get() == 2 * SUM + COUNT);
}

static void scanned(const thrust::device_vector<int> &numbers) {
  thrust::device_vector<int> sums(COUNT), before(COUNT);
  auto first = thrust::async::inclusive_scan(numbers.begin(), numbers.end(), sums.begin());
  auto second = thrust::async::exclusive_scan(thrust::device.after(first), sums.begin(), sums.end(), before.begin(), 3);
  second.wait();
  EXPECT(sums[COUNT - 1] == SUM && before[0] == 3 && before[4] == 3 + 0 + 1 + 3 + 6);
}

static void to_and_from_the_host() {
  thrust::host_vector<int> sent(COUNT), fetched(COUNT);
  thrust::device_vector<int> left(COUNT), right(COUNT);
  for (int i = 0; i < COUNT; i++)
    sent[i] = 3 * i;
  auto one = thrust::async::copy(sent.begin(), sent.end(), left.begin());
  auto other = thrust::async::copy(sent.begin(), sent.end(), right.begin());
  auto both = thrust::when_all(one, other);
  auto back = thrust::async::copy(thrust::device.after(both), thrust::host, right.begin(), right.end(), fetched.begin());
  back.wait();
  EXPECT(left[17] == 51);
  EXPECT_EACH(COUNT, fetched[i] == 3 * i);
}

int main() {
  thrust::device_vector<int> numbers(COUNT);
  thrust::sequence(numbers.begin(), numbers.end());
  reduced(numbers);
  chained(numbers);
  scanned(numbers);
  to_and_from_the_host();
  return result();
}
