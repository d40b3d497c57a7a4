/* SPDX-License-Identifier: MIT */
/* seams - every kind of access to global memory, around the seam of two buffers that lie apart, beside the same on one
 * buffer, which the usual form of the same kernels does. tests/kernels/apart.sh compiles the program for kernels that
 * find buffers, by both front ends, and it runs itself anew with buffers of 1 MiB. */
#include "kernels.h"

#include <unistd.h>

enum { REGION = 12000, PART = 1 << 20, THREADS = 64, LEADS = 7 };

struct rgb {
  unsigned char r, g, b;
};
struct body {
  float3 at;
  int tag[3];
};
struct link {
  struct link *next;
  int *value;
  int spare;
};
struct view {
  int *first;
  int count;
};
enum kind { SOLID = 3, LIQUID = 500 };

__device__ int table[THREADS];
__device__ struct body shape;

__global__ void records(unsigned char *bytes, int n) {
  float3 *triples = (float3 *)bytes;
  for (int i = threadIdx.x; i < n / 12; i += THREADS) {
    float3 v = triples[i];
    v.x = (float)(i & 1023);
    v.y += v.x < 5 ? 1.0f : 2.0f;
    triples[i] = v;
    triples[i].z = v.x;
  }
  __syncthreads();
  struct rgb *pixels = (struct rgb *)bytes;
  for (int i = threadIdx.x; i < n / 3; i += THREADS) {
    struct rgb p = pixels[i];
    const unsigned char r = p.r;
    p.r = p.b;
    p.b = r;
    pixels[i] = p;
    pixels[i].g ^= 0x5a;
  }
  __syncthreads();
  struct body *bodies = (struct body *)bytes;
  for (int i = threadIdx.x; i < n / 24 - 1; i += THREADS) {
    struct body *b = &bodies[i];
    b->at.x = 1.5f;
    b->at.z = (float)i;
    for (int k = 0; k < 3; k++)
      b->tag[k]++, b->tag[k] -= 3 * k;
    if (i == 5)
      shape = *b;
  }
  __syncthreads();
  bodies[n / 24 - 1] = shape;
}

__device__ int raise(int &value, int by) {
  value += by;
  return value++;
}

__device__ int *choose(int *a, int *b, bool first) {
  return first ? a : b;
}

__global__ void numbers(unsigned char *bytes, int n) {
  int *words = (int *)bytes;
  int (*rows)[5] = (int (*)[5])bytes;
  for (int i = threadIdx.x; i < n / 4; i += THREADS) {
    words[i] = words[i] * 3 + i;
    words[i] <<= 1;
    int seen = ++words[i];
    seen += words[i]--;
    words[i] ^= seen;
    raise(words[i], 7);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n / 20; i += THREADS)
    rows[i][i % 5] = rows[i][(i + 1) % 5] + *(rows[i] + 3);
  __syncthreads();
  for (int i = threadIdx.x; i + 1 < n / 4; i += 2 * THREADS) {
    (i % 3 ? words[i] : words[i + 1]) = i;
    int got = (words[i] = 4 * i) + (i % 5 ? words[i] : words[i + 1]);
    *choose(&words[i], &words[i + 1], i % 7 == 0) += got;
  }
  __syncthreads();
  double *reals = (double *)(bytes + (8 - (unsigned long long)bytes % 8) % 8);
  for (int i = threadIdx.x; i < n / 8 - 1; i += THREADS) {
    reals[i] = i * 0.25;
    reals[i] /= 3;
  }
  __syncthreads();
  volatile short *shorts = (volatile short *)bytes;
  for (int i = threadIdx.x; i < n / 2; i += THREADS)
    shorts[i] = (short)(shorts[i] + i);
  __syncthreads();
  bool *flags = (bool *)bytes;
  for (int i = threadIdx.x; i < n; i += THREADS)
    flags[i] = (bytes[i] & 1) != 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += THREADS)
    flags[i] |= i % 3 == 0;
  __syncthreads();
  enum kind *kinds = (enum kind *)bytes;
  for (int i = threadIdx.x; i < n / 16; i += THREADS)
    kinds[i] = kinds[i] == SOLID ? LIQUID : SOLID;
}

__global__ void calls(unsigned char *bytes, int n) {
  float *reals = (float *)bytes;
  int *words = (int *)bytes;
  for (int i = 4 * threadIdx.x; i + 3 < n / 4; i += 4 * THREADS) {
    sincosf(i * 0.125f, &reals[i], &reals[i + 1]);
    reals[i + 2] = frexpf((float)i + 1, &words[i + 3]);
  }
  __syncthreads();
  for (int i = 4 * threadIdx.x; i + 3 < n / 4; i += 4 * THREADS) {
    const float whole = __ldg(&reals[i + 2]);
    reals[i] = modff(whole * 100, reals + i + 1);
    reals[i + 2] = remquof(whole, 0.3f, &words[i + 3]);
    __stcg(&words[i + 3], __ldcg(words + i + 3) & 7);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n / 12; i += THREADS) {
    float3 *triples = (float3 *)bytes;
    __stcg(&triples[i].y, __ldg(&triples[i].x));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned char own[100];
    memmove(bytes + 300, bytes + 10, n - 500);
    memmove(bytes + 20, bytes + 777, n - 800);
    memcpy(own, bytes + n / 2 - 50, sizeof own);
    memset(bytes + n / 2 - 200, 0x33, 300);
    memcpy(bytes + n / 2 - 99, own, sizeof own);
    memcpy(bytes + 1, bytes + n / 2, n / 2 - 1);
  }
}

__global__ void atomics(unsigned char *bytes, int n) {
  int *words = (int *)bytes;
  float *reals = (float *)bytes;
  unsigned long long *wide = (unsigned long long *)(bytes + (8 - (unsigned long long)bytes % 8) % 8);
  for (int i = threadIdx.x; i < n / 4; i += THREADS)
    reals[i] = 1;
  __syncthreads();
  for (int i = 0; i < n / 4; i += THREADS / 4)
    atomicAdd(&reals[i + threadIdx.x % 16], 2.0f);
  __syncthreads();
  for (int i = 0; i < n / 4; i++)
    atomicMax(words + i, (int)threadIdx.x + i);
  for (int i = threadIdx.x; i < n / 4; i += THREADS) {
    atomicExch(&words[i], i);
    atomicCAS(&words[i], i, 2 * i);
    atomicSub(&words[i], 3);
  }
  __syncthreads();
  for (int i = 0; i < n / 8 - 1; i++)
    atomicAdd(wide + i, 1ull << 33);
}

/* Pointers in memory, which are the host's there; what is left are numbers. */
__global__ void links(unsigned char *bytes, int n) {
  struct link *all = (struct link *)(bytes + (8 - (unsigned long long)bytes % 8) % 8);
  const int count = n / (int)sizeof(struct link) - 1;
  for (int i = threadIdx.x; i < count; i += THREADS) {
    all[i].next = &all[(i * 7 + 1) % count];
    all[i].value = &all[i].spare;
    all[i].spare = i;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += THREADS)
    *all[i].value += 5 * (int)(all[i].next->next - all);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += THREADS) {
    struct link copy = all[i];
    *copy.next->value += 1000;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += THREADS) {
    all[i].next++;
    all[i].next += 2;
    all[i].next--;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += THREADS)
    *all[i].value += (int)(all[i].next - &all[(i * 7 + 1) % count]);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += THREADS) {
    all[i].next = 0;
    all[i].value = 0;
  }
}

/* A struct by value with a pointer in it, shared memory, and a variable of the module's. */
__global__ void sums(struct view view) {
  __shared__ int part[THREADS];
  int sum = 0;
  table[threadIdx.x] = threadIdx.x;
  for (int i = threadIdx.x; i < view.count; i += THREADS)
    sum += view.first[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < view.count; i += THREADS)
    view.first[i] = part[0] + table[i % THREADS] + table[threadIdx.x]--;
}

/* ---- the host -------------------------------------------------------------------------------------------- */

static void run_anew(char **arguments) {
  setenv("VPTR_BUFFER_BYTES", "1M", 1);
  setenv("VPTR_RESERVE", "256M", 1); /* parts are windows of addresses, 1 MiB then */
  setenv("VPTR_TEST_SPANNED", "1", 1);
  execv("/proc/self/exe", arguments);
  perror("seams: running itself anew");
  exit(1);
}

static void run_all(unsigned char *bytes, unsigned char (*seen)[REGION]) {
  for (int k = 0; k < 6; k++) {
    unsigned char begin[REGION];
    for (int i = 0; i < REGION; i++)
      begin[i] = (unsigned char)(i * 7 + i / 251);
    CHECK(cudaMemcpy(bytes, begin, REGION, cudaMemcpyHostToDevice));
    if (k == 0)
      records<<<1, THREADS>>>(bytes, REGION);
    else if (k == 1)
      numbers<<<1, THREADS>>>(bytes, REGION);
    else if (k == 2)
      calls<<<1, THREADS>>>(bytes, REGION);
    else if (k == 3)
      atomics<<<1, THREADS>>>(bytes, REGION);
    else if (k == 4)
      links<<<1, THREADS>>>(bytes, REGION);
    else {
      struct view view;
      view.first = (int *)bytes;
      view.count = REGION / 4;
      sums<<<1, THREADS>>>(view);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(seen[k], bytes, REGION, cudaMemcpyDeviceToHost));
  }
}

static unsigned char expected[6][REGION], seen[6][REGION];

int main(int count, char **arguments) {
  (void)count;
  if (getenv("VPTR_TEST_SPANNED") == NULL)
    run_anew(arguments);
  unsigned char *span = NULL, *plain = NULL;
  CHECK(cudaMalloc((void **)&plain, REGION + 256));
  for (int lead = 0; lead < LEADS; lead++) { /* what lies across the seam differs */
    run_all(plain + 4 * lead % 8, expected);
    if (span == NULL)
      CHECK(cudaMalloc((void **)&span, 3 * PART));
    unsigned char *at = span + (1 + lead % 2) * PART - REGION / 2;
    run_all(at - (unsigned long long)at % 8 + 4 * lead % 8 - 8 * (lead / 2), seen);
    for (int k = 0; k < 6; k++)
      for (int i = 0; i < REGION; i++)
        if (seen[k][i] != expected[k][i]) {
          printf("kernel %d, lead %d, byte %d of %d: %d, not %d\n", k, lead, i, REGION, seen[k][i], expected[k][i]);
          EXPECT(seen[k][i], expected[k][i]);
          break;
        }
  }
  CHECK(cudaFree(span));
  CHECK(cudaFree(plain));
  return verdict("seams");
}
