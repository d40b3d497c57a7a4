/* SPDX-License-Identifier: MIT */
/* memory_heap - new, delete and malloc() in kernels: objects that one kernel makes, others use, and a third deletes; lists of
 * many threads at once; memory that is used again; a heap that is full, and its size. */
#include "check.h"

struct shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~shape() {}
};
__device__ int gone;
struct square : shape {
  float side;
  __device__ square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  __device__ ~square() override { atomicAdd(&gone, 1); }
};
struct box : shape {
  float *sides;
  __device__ box(float a, float b) : sides(new float[2]) { sides[0] = a, sides[1] = b; }
  __device__ float area() const override { return sides[0] * sides[1]; }
  __device__ ~box() override {
    delete[] sides;
    atomicAdd(&gone, 100);
  }
};

enum { SHAPES = 64, THREADS = 64, BLOCKS = 4, ALL = THREADS * BLOCKS };

__global__ void make(shape **out) {
  int i = (int)threadIdx.x;
  if (i % 2)
    out[i] = new square((float)i);
  else
    out[i] = new box((float)i, 2);
}
__global__ void measure(shape *const *in, float *out) { out[threadIdx.x] = in[threadIdx.x]->area(); }
__global__ void unmake(shape **in) { delete in[threadIdx.x]; }

struct node {
  int value;
  node *next;
};

/* Each thread makes a list of its own, adds it up, and frees it. */
__global__ void lists(int *out, int rounds) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), sum = 0;
  for (int round = 0; round < rounds; round++) {
    node *first = nullptr;
    for (int k = 0; k <= i % 5; k++)
      first = new node{ i + k, first };
    for (node *at = first; at != nullptr;) {
      node *next = at->next;
      sum += at->value;
      delete at;
      at = next;
    }
  }
  out[i] = sum;
}

__global__ void fill(int *count, char **kept, size_t bytes) {
  *count = 0;
  while (char *piece = (char *)malloc(bytes)) {
    piece[0] = piece[bytes - 1] = (char)*count;
    kept[(*count)++] = piece;
  }
}
__global__ void empty(int count, char *const *kept, int *wrong) {
  for (int i = 0; i < count; i++) {
    *wrong += kept[i][0] != (char)i || ((unsigned long long)kept[i] & 15) != 0;
    free(kept[i]);
  }
}

static void objects() {
  items<shape *, SHAPES> shapes;
  items<float, SHAPES> areas;
  int count;
  make<<<1, SHAPES>>>(shapes.device);
  measure<<<1, SHAPES>>>(shapes.device, areas.device);
  areas.fetch();
  EXPECT_EACH(SHAPES, areas[i] == (i % 2 ? (float)(i * i) : 2.0f * (float)i));
  unmake<<<1, SHAPES>>>(shapes.device);
  CALL(cudaMemcpyFromSymbol(&count, gone, sizeof count));
  EXPECT(count == SHAPES / 2 * 101);
}

static void a_full_heap() {
  items<int, 2> numbers;
  items<char *, 1000> kept;
  size_t limit;
  CALL(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
#ifdef __VPTRCC__ /* CUDA's runtime takes more than it is asked for */
  EXPECT(limit == 1 << 20);
#endif
  for (int round = 0; round < 2; round++) { /* what was freed is given again */
    fill<<<1, 1>>>(numbers.device, kept.device, 10000);
    numbers.fetch();
    EXPECT(numbers[0] > 50 && (size_t)numbers[0] <= limit / 10000);
    empty<<<1, 1>>>(numbers[0], kept.device, numbers.device + 1);
    numbers.fetch();
    EXPECT(numbers[1] == 0);
  }
}

int main() {
  CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  objects();
  {
    items<int, ALL> sums;
    lists<<<BLOCKS, THREADS>>>(sums.device, 200); /* as one list of all of them it would not fit */
    sums.fetch();
    EXPECT_EACH(ALL, sums[i] == 200 * (i * (i % 5 + 1) + (i % 5) * (i % 5 + 1) / 2));
  }
  EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 21) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  a_full_heap();
  CALL(cudaDeviceReset());
  CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  objects();
  a_full_heap();
  return result();
}
