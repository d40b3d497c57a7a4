/* SPDX-License-Identifier: MIT */
/* unified - managed memory and __managed__ variables between kernels: copies, sets, prefetches and advice in streams' order. */
#include "kernels.h"

enum { COUNT = 3000, BLOCK = 128, BLOCKS = (COUNT + BLOCK - 1) / BLOCK, DEVICE = 0 };

__managed__ int variable[COUNT];

__global__ void add(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    x[i] += n;
}

__global__ void add_to_variable(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    variable[i] += n;
}

static cudaStream_t stream;
static int *device, *pinned;
static int plain[COUNT];

static void add_on(int *x, int n) {
  if (x == variable)
    add_to_variable<<<BLOCKS, BLOCK, 0, stream>>>(n);
  else
    add<<<BLOCKS, BLOCK, 0, stream>>>(x, n);
  CHECK(cudaGetLastError());
}

static bool all_are(const int *x, int value) {
  for (int i = 0; i < COUNT; i++)
    if (x[i] != value)
      return false;
  return true;
}

static bool device_is(int value) {
  CHECK(cudaMemcpy(plain, device, sizeof plain, cudaMemcpyDeviceToHost));
  return all_are(plain, value);
}

/* A copy in a stream takes what the kernel before it left, and the kernel behind it finds what the copy brought. */
static void copies_keep_to_their_stream(int *x) {
  const enum cudaMemcpyKind to_device[] = { cudaMemcpyDefault, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice };
  const enum cudaMemcpyKind to_host[] = { cudaMemcpyDefault, cudaMemcpyDeviceToHost, cudaMemcpyHostToHost };
  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < COUNT; i++)
      x[i] = 10;
    add_on(x, 5);
    CHECK(cudaMemcpyAsync(device, x, sizeof plain, to_device[kind], stream));
    add_on(x, 100);
    CHECK(cudaMemcpyAsync(pinned, x, sizeof plain, to_host[kind], stream));
    add_on(device, 1);
    CHECK(cudaMemcpyAsync(x, device, sizeof plain, cudaMemcpyDefault, stream));
    add_on(x, 2000);
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(device_is(16), true);
    EXPECT(all_are(pinned, 115), true);
    EXPECT(all_are(x, 2016), true);
  }
}

static void plain_copies_wait_for_kernels(int *x) {
  for (int i = 0; i < COUNT; i++)
    x[i] = 1;
  add_on(x, 2);
  CHECK(cudaMemcpy(plain, x, sizeof plain, cudaMemcpyDefault));
  EXPECT(all_are(plain, 3), true);
  add_on(x, 2);
  CHECK(cudaMemcpy(device, x, sizeof plain, cudaMemcpyDefault));
  EXPECT(device_is(5), true);
  add_on(x, 2);
  CHECK(cudaMemcpy(x, device, sizeof plain, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  EXPECT(all_are(x, 5), true);
}

static void sets_keep_to_their_stream(int *x) {
  for (int i = 0; i < COUNT; i++)
    x[i] = 1;
  add_on(x, 2);
  CHECK(cudaMemsetAsync(x, 0, sizeof plain, stream));
  add_on(x, 7);
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(all_are(x, 7), true);
  CHECK(cudaMemset(x, 0, sizeof plain));
  CHECK(cudaDeviceSynchronize());
  EXPECT(all_are(x, 0), true);
}

/* Wherever it is sent between kernels and the host's writes, nothing is lost. */
static void prefetches_lose_nothing(int *x) {
  const struct cudaMemLocation there = { cudaMemLocationTypeDevice, DEVICE }, here = { cudaMemLocationTypeHost, 0 };
  int sum = 0;
  for (int i = 0; i < COUNT; i++)
    x[i] = 0;
  CHECK(cudaMemAdvise(x, sizeof plain, cudaMemAdviseSetAccessedBy, there));
  CHECK(cudaMemAdvise(x, sizeof plain / 2, cudaMemAdviseSetReadMostly, there));
  CHECK(cudaMemAdvise(x, sizeof plain, cudaMemAdviseSetPreferredLocation, there));
  for (int round = 1; round < 9; round++) {
    CHECK(cudaMemPrefetchAsync(x, sizeof plain, round % 3 == 0 ? here : there, 0, stream));
    add_on(x, round);
    CHECK(cudaMemPrefetchAsync(x, sizeof plain / 2, round % 2 == 0 ? here : there, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < COUNT; i++)
      x[i] += 1000;
    sum += round + 1000;
    EXPECT(all_are(x, sum), true);
  }
  int last = 77;
  CHECK(cudaMemRangeGetAttribute(&last, sizeof last, cudaMemRangeAttributeLastPrefetchLocation, x, 4));
  EXPECT(last, cudaCpuDeviceId);
}

/* Of the system's memory the same, where kernels take it: no copy may run ahead of the kernel that writes its source. */
static void plain_memory_keeps_to_its_stream(int *x) {
  const enum cudaMemcpyKind to_device[] = { cudaMemcpyDefault, cudaMemcpyHostToDevice };
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < COUNT; i++)
      x[i] = 10;
    for (int round = 1; round < 20; round++) {
      add_on(x, 5);
      CHECK(cudaMemcpyAsync(device, x, sizeof plain, to_device[kind], stream));
      add_on(device, 1);
      CHECK(cudaMemcpyAsync(x, device, sizeof plain, cudaMemcpyDefault, stream));
    }
    add_on(x, 2000);
    CHECK(cudaMemcpy(pinned, x, sizeof plain, cudaMemcpyDefault));
    EXPECT(all_are(pinned, 10 + 19 * 6 + 2000), true);
    EXPECT(all_are(x, 10 + 19 * 6 + 2000), true);
  }
}

/* One that is attached to a stream is the host's while other streams work. */
static void the_host_uses_what_no_kernel_was_given(int *x) {
  int *busy;
  CHECK(cudaMallocManaged(&busy, sizeof plain));
  CHECK(cudaMemset(busy, 0, sizeof plain));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamAttachMemAsync(stream, busy, 0, cudaMemAttachSingle));
  CHECK(cudaStreamSynchronize(stream));
  for (int round = 0; round < 20; round++) {
    add_on(busy, 1);
    for (int i = 0; i < COUNT; i++)
      x[i] = round;
  }
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(all_are(busy, 20), true);
  EXPECT(all_are(x, 19), true);
  CHECK(cudaFree(busy));
}

static void what_it_is_is_told(int *x) {
  struct cudaPointerAttributes what;
  for (int at = 0; at < COUNT; at += COUNT - 1) {
    CHECK(cudaPointerGetAttributes(&what, x + at));
    EXPECT(what.type, cudaMemoryTypeManaged);
    EXPECT(what.devicePointer == x + at && what.hostPointer == x + at, true);
    EXPECT(what.device, DEVICE);
  }
}

static void try_all(int *x) {
  copies_keep_to_their_stream(x);
  plain_copies_wait_for_kernels(x);
  sets_keep_to_their_stream(x);
  prefetches_lose_nothing(x);
  what_it_is_is_told(x);
}

int main(void) {
  int *memory;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&device, sizeof plain));
  CHECK(cudaMallocHost(&pinned, sizeof plain));
  CHECK(cudaMallocManaged(&memory, sizeof plain));
  try_all(memory);
  try_all(variable);
  the_host_uses_what_no_kernel_was_given(memory);
  int takes_any;
  CHECK(cudaDeviceGetAttribute(&takes_any, cudaDevAttrPageableMemoryAccess, DEVICE));
  int *heap = (int *)malloc(sizeof plain);
  if (takes_any)
    plain_memory_keeps_to_its_stream(heap);
  free(heap);
  CHECK(cudaFree(memory));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device));
  CHECK(cudaStreamDestroy(stream));
  return verdict("unified");
}
