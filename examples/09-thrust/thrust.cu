/* SPDX-License-Identifier: MIT */
/*
 * thrust - a shop's sales by Thrust, as older CUDA programs have them: what each sale comes to, the sum and the largest,
 * running totals, and the sales in order of their shops; each is compared with the same steps of C++'s library on the CPU.
 */
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

enum { SALES = 5000, SHOPS = 40 };

static int wrong;

template <class T> static void tell(const char *step, const thrust::device_vector<T> &device, const std::vector<T> &cpu) {
  thrust::host_vector<T> here = device;
  bool is_same = here.size() == cpu.size() && std::equal(cpu.begin(), cpu.end(), here.begin());
  printf("%-16s %s\n", step, is_same ? "as on the CPU" : "is not the CPU's");
  wrong += !is_same;
}

static void tell(const char *step, int device, int cpu) {
  printf("%-16s %d, on the CPU %d\n", step, device, cpu);
  wrong += device != cpu;
}

struct reduced {
  int percent;
  __host__ __device__ int operator()(int price, int count) const { return price * count * (100 - percent) / 100; }
};

int main() {
  std::vector<int> prices(SALES), counts(SALES), shops(SALES), sums(SALES), totals(SALES), order(SALES);
  for (int i = 0; i < SALES; i++)
    prices[i] = 100 + i * 37 % 991, counts[i] = 1 + i % 7, shops[i] = i * 29 % SHOPS;
  thrust::device_vector<int> price = prices, count = counts, shop = shops, sum(SALES), total(SALES), place(SALES);

  thrust::transform(price.begin(), price.end(), count.begin(), sum.begin(), reduced { 5 });
  std::transform(prices.begin(), prices.end(), counts.begin(), sums.begin(), reduced { 5 });
  tell("each sale", sum, sums);
  tell("sum", thrust::reduce(sum.begin(), sum.end()), std::accumulate(sums.begin(), sums.end(), 0));
  tell("largest", thrust::reduce(sum.begin(), sum.end(), 0, thrust::maximum<int>()), *std::max_element(sums.begin(), sums.end()));
  thrust::inclusive_scan(sum.begin(), sum.end(), total.begin());
  std::partial_sum(sums.begin(), sums.end(), totals.begin());
  tell("running totals", total, totals);

  std::iota(order.begin(), order.end(), 0);
  place = order;
  thrust::stable_sort_by_key(shop.begin(), shop.end(), place.begin());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return shops[a] < shops[b]; });
  std::sort(shops.begin(), shops.end());
  tell("shops in order", shop, shops);
  tell("their sales", place, order);
  if (cudaGetLastError() != cudaSuccess)
    wrong++;
  return wrong != 0;
}
