/* SPDX-License-Identifier: MIT */
/* memory_addresses - addresses in what variables begin with: strings, members, tables of tables, templates, numbers. */
#include "check.h"

struct rule {
  const char *name;
  int weight;
  const rule *next;
  const int *rows[2];
};
__device__ int rows[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
extern __device__ rule last;
__device__ rule first = { "alpha", 1, &last, { rows[1], &rows[2][3] } };
__device__ rule last = { "omega", 2, &first, {} };
static __constant__ const char *const names[] = { "zero", "one", "two", "three" };
static __device__ const rule *const rules[] = { &first, &last, nullptr };
__device__ int *where = &rows[0][1];
__device__ int **at_where = &where;
template <class T> __device__ T value = T(3);
template <class T> __device__ T *address = &value<T>;
__device__ unsigned long long as_number = reinterpret_cast<unsigned long long>(&rows[1][0]);
struct counter {
  static __device__ int count;
  static __device__ int *const place;
};
__device__ int counter::count = 41;
__device__ int *const counter::place = &counter::count;

__device__ int length_of(const char *text) {
  int length = 0;
  while (text[length] != 0)
    length++;
  return length;
}

__global__ void read(int *out, int round) {
  int n = 0, i = (int)threadIdx.x & 1;
  out[n++] = length_of(names[i + round]) * 1000 + names[i + 1][0];
  out[n++] = first.name[1] * 1000 + rules[1]->name[2];
  out[n++] = rules[i]->next->weight * 10 + (rules[2] == nullptr);
  out[n++] = first.rows[0][2] * 100 + *first.rows[1];
  out[n++] = **at_where;
  out[n++] = (int)*address<float> + *address<int>;
  out[n++] = *reinterpret_cast<int *>(as_number);
  out[n++] = ++*counter::place;
  if (round == 0)
    where = &rows[2][0], *address<float> = 10, first.next = &first;
}

int main() {
  items<int, 8> out;
  read<<<1, 1>>>(out.device, 0);
  out.fetch();
  const int expected[] = { 4 * 1000 + 'o', 'l' * 1000 + 'e', 21, 712, 2, 6, 5, 42 };
  EXPECT_EACH(8, out[i] == expected[i]);
  int *stored = nullptr, *there = nullptr;
  CALL(cudaMemcpyFromSymbol(&stored, where, sizeof stored));
  CALL(cudaGetSymbolAddress((void **)&there, rows));
  EXPECT(stored == there + 8);
  read<<<1, 1>>>(out.device, 3);
  out.fetch();
  const int later[] = { 5 * 1000 + 'o', 'l' * 1000 + 'e', 11, 712, 9, 13, 5, 43 };
  EXPECT_EACH(8, out[i] == later[i]);
  return result();
}
