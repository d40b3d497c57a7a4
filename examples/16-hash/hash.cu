/* SPDX-License-Identifier: MIT */
/*
 * hash - a hash table that threads fill, ask and empty all at once by atomic operations, each step checked against
 * std::unordered_map on the CPU.
 *
 *     nvcc or vptrcc -O2 -std=c++17 -o hash hash.cu && ./hash
 *
 * A key's slot is the first one from its hash on that is free or has it. A key that is taken out leaves a mark, since
 * others may lie behind it, and no key comes into that slot again: so no two slots ever have one key.
 */
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

typedef unsigned int u32;

enum : u32 { EMPTY = 0xffffffffu, REMOVED = 0xfffffffeu, ABSENT = 0xffffffffu };
enum { SLOTS = 1 << 16, THREADS = 128 };

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}
#define CHECK(call) check((call), #call)

struct slot {
  u32 key, value;
};

__device__ u32 hash_of(u32 key) {
  key = (key ^ key >> 16) * 0x7feb352du;
  key = (key ^ key >> 15) * 0x846ca68bu;
  return (key ^ key >> 16) % SLOTS;
}

/* The slot that has the key; NULL: none. */
__device__ slot *find(slot *table, u32 key) {
  for (u32 at = hash_of(key), tried = 0; tried < SLOTS; at = (at + 1) % SLOTS, tried++) {
    const u32 seen = *(volatile u32 *)&table[at].key;
    if (seen == key)
      return &table[at];
    if (seen == EMPTY)
      break;
  }
  return NULL;
}

/* Adds to the value of a key, which begins with 0. */
__global__ void insert(slot *table, const u32 *keys, const u32 *values, int count, int *failed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  for (u32 at = hash_of(keys[i]), tried = 0; tried < SLOTS; at = (at + 1) % SLOTS, tried++) {
    const u32 seen = atomicCAS(&table[at].key, (u32)EMPTY, keys[i]);
    if (seen == EMPTY || seen == keys[i]) {
      atomicAdd(&table[at].value, values[i]);
      return;
    }
  }
  atomicAdd(failed, 1); /* the table is full */
}

__global__ void look_up(slot *table, const u32 *keys, u32 *values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const slot *found = find(table, keys[i]);
  values[i] = found != NULL ? found->value : (u32)ABSENT;
}

/* Of several threads with one key one takes it out, and counts it. */
__global__ void take_out(slot *table, const u32 *keys, int count, int *taken) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  slot *found = i < count ? find(table, keys[i]) : NULL;
  if (found != NULL && atomicCAS(&found->key, keys[i], (u32)REMOVED) == keys[i])
    atomicAdd(taken, 1);
}

/* ---- both tables ----------------------------------------------------------------------------------------- */

static slot *table;
static int *counter;
static std::unordered_map<u32, u32> model;

/* A vector's copy on the device. */
struct on_device {
  u32 *at;
  explicit on_device(const std::vector<u32> &from) {
    CHECK(cudaMalloc(&at, from.size() * sizeof *at));
    CHECK(cudaMemcpy(at, from.data(), from.size() * sizeof *at, cudaMemcpyHostToDevice));
  }
  ~on_device() {
    cudaFree(at);
  }
};

static int blocks_for(const std::vector<u32> &items) {
  return ((int)items.size() + THREADS - 1) / THREADS;
}

static int counted() {
  int count = 0;
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(counter, 0, sizeof count));
  return count;
}

static bool told(const char *what, size_t of, bool is_same) {
  printf("%-10s %6zu keys, %s\n", what, of, is_same ? "as the CPU's" : "which is WRONG");
  return is_same;
}

static bool inserted(const std::vector<u32> &keys, u32 by) {
  std::vector<u32> values(keys.size());
  for (size_t i = 0; i < keys.size(); i++)
    model[keys[i]] += values[i] = (u32)i * by % 1000;
  on_device k(keys), v(values);
  insert<<<blocks_for(keys), THREADS>>>(table, k.at, v.at, (int)keys.size(), counter);
  return told("inserted", model.size(), counted() == 0);
}

static bool found(const std::vector<u32> &keys) {
  std::vector<u32> seen(keys.size()), wanted(keys.size());
  size_t there = 0;
  for (size_t i = 0; i < keys.size(); i++) {
    const auto at = model.find(keys[i]);
    wanted[i] = at != model.end() ? at->second : (u32)ABSENT;
    there += at != model.end();
  }
  on_device k(keys), v(seen);
  look_up<<<blocks_for(keys), THREADS>>>(table, k.at, v.at, (int)keys.size());
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen.data(), v.at, seen.size() * sizeof seen[0], cudaMemcpyDeviceToHost));
  return told("found", there, seen == wanted);
}

static bool taken_out(const std::vector<u32> &keys) {
  size_t before = model.size();
  for (u32 key : keys)
    model.erase(key);
  on_device k(keys);
  take_out<<<blocks_for(keys), THREADS>>>(table, k.at, (int)keys.size(), counter);
  return told("taken out", before - model.size(), (size_t)counted() == before - model.size());
}

int main() {
  std::vector<slot> empty(SLOTS, slot{ EMPTY, 0 });
  std::vector<u32> first(40000), second(12000), some(25000), all(70000);
  for (u32 i = 0; i < first.size(); i++)
    first[i] = i * 2654435761u % 30011; /* most of them more than once */
  for (u32 i = 0; i < second.size(); i++)
    second[i] = 20000 + i * 3;
  for (u32 i = 0; i < some.size(); i++)
    some[i] = i * 5 % 36007;
  for (u32 i = 0; i < all.size(); i++)
    all[i] = i;
  CHECK(cudaMalloc(&table, SLOTS * sizeof *table));
  CHECK(cudaMalloc(&counter, sizeof *counter));
  CHECK(cudaMemcpy(table, empty.data(), SLOTS * sizeof *table, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(counter, 0, sizeof *counter));

  bool is_good = inserted(first, 7);
  is_good &= found(all);
  is_good &= taken_out(some);
  is_good &= found(all);
  is_good &= inserted(second, 11); /* some of them for the second time */
  is_good &= found(all);
  CHECK(cudaFree(table));
  CHECK(cudaFree(counter));
  return is_good ? 0 : 1;
}
