/* SPDX-License-Identifier: MIT */
/* memory_managed - __managed__ variables and managed memory: objects, arrays, pointers, classes with their own new. */
#include "check.h"

#include <new>

struct sample {
  int id;
  float value;
};
__managed__ sample both = { 1, 2.5f };
__managed__ int numbers[4] = { 1, 2, 3, 4 };
__managed__ int *where;

struct managed {
  void *operator new(size_t bytes) {
    void *memory = nullptr;
    CALL(cudaMallocManaged(&memory, bytes));
    return memory;
  }
  void operator delete(void *memory) { cudaFree(memory); }
};
template <class T> struct node : managed {
  T value;
  node *next;
  node(T v, node *n) : value(v), next(n) {}
};

template <class T> __global__ void walk(const node<T> *list, T *out) {
  T all = 0;
  for (; list != nullptr; list = list->next)
    all = all * 2 + list->value;
  *out = all;
}
__global__ void change() {
  unsigned i = threadIdx.x;
  numbers[i] *= (int)i + both.id;
  where[i] = numbers[i] + 1;
  if (i == 0)
    both.value += 1;
}

int main() {
  CALL(cudaMallocManaged(&where, 4 * sizeof *where));
  both.id = 10;
  change<<<1, 4>>>();
  LAUNCHED();
  EXPECT_EACH(4, numbers[i] == (i + 1) * (i + 10) && where[i] == numbers[i] + 1);
  EXPECT(both.value == 3.5f);
  node<double> *list = nullptr;
  for (int i = 0; i < 5; i++)
    list = new node<double>(i + 0.5, list);
  items<double, 1> out;
  walk<<<1, 1>>>(list, out.device);
  out.fetch();
  EXPECT(out[0] == (((4.5 * 2 + 3.5) * 2 + 2.5) * 2 + 1.5) * 2 + 0.5);
  while (list != nullptr) {
    node<double> *next = list->next;
    delete list;
    list = next;
  }
  CALL(cudaFree(where));
  return result();
}
