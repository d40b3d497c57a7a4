/* SPDX-License-Identifier: MIT */
/* children_sort - a quicksort of any type by any order, whose parts are sorted by children, and small parts by one thread. */
#include "check.h"

namespace sorting {

template <class T, class Less> __device__ void insert_all(T *items, int count, Less less) {
  for (int i = 1; i < count; i++) {
    T moved = items[i];
    int at = i;
    for (; at > 0 && less(moved, items[at - 1]); at--)
      items[at] = items[at - 1];
    items[at] = moved;
  }
}

template <class T, class Less> __device__ int part(T *items, int count, Less less) {
  T pivot = items[count / 2];
  int left = 0, right = count - 1;
  while (left <= right) {
    while (less(items[left], pivot))
      left++;
    while (less(pivot, items[right]))
      right--;
    if (left <= right) {
      T other = items[left];
      items[left++] = items[right];
      items[right--] = other;
    }
  }
  return left;
}

enum { SMALL = 16, DEEPEST = 12 };

template <class T, class Less> __global__ void sort(T *items, int count, Less less, int depth) {
  if (count <= SMALL || depth == DEEPEST) {
    insert_all(items, count, less);
    return;
  }
  int middle = part(items, count, less);
  if (middle > 1)
    sort<<<1, 1>>>(items, middle, less, depth + 1);
  if (count - middle > 1)
    sort<T, Less><<<1, 1>>>(items + middle, count - middle, less, depth + 1);
}

} // namespace sorting

struct pair {
  short key;
  double value;
};

struct by_key {
  int sign;
  __device__ bool operator()(const pair &a, const pair &b) const { return sign * a.key < sign * b.key; }
};

struct rising {
  __device__ bool operator()(float a, float b) const { return a < b; }
};

enum { COUNT = 400 };

int main() {
  items<pair, COUNT> pairs;
  items<float, COUNT> numbers;
  unsigned state = 7;
  for (int i = 0; i < COUNT; i++) {
    state = state * 1664525u + 1013904223u;
    pairs.host[i] = { (short)(state >> 20), (double)(state >> 20) / 2 };
    numbers.host[i] = (float)(int)(state >> 8) / 3 - 1e6f;
  }
  pairs.send();
  numbers.send();
  sorting::sort<<<1, 1>>>(pairs.device, (int)COUNT, by_key{ -1 }, 0);
  sorting::sort<<<1, 1>>>(numbers.device, (int)COUNT, rising{}, 0);
  pairs.fetch();
  numbers.fetch();
  EXPECT_EACH(COUNT - 1, pairs[i].key >= pairs[i + 1].key);
  EXPECT_EACH(COUNT, pairs[i].value == pairs[i].key / 2.0);
  EXPECT_EACH(COUNT - 1, numbers[i] <= numbers[i + 1]);
  return result();
}
