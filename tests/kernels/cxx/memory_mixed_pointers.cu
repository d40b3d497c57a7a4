/* SPDX-License-Identifier: MIT */
/* memory_mixed_pointers - pointers that lead into shared memory here and into global memory there, or to a thread's own
 * variables, and such pointers in arrays, structs and lists. */
#include "check.h"

enum { N = 64 };

struct node {
  int value;
  node *next;
};

/* One pointer, three memories, chosen while the kernel runs; NULL among them. */
__global__ void choose(const int *in, int *out) {
  __shared__ int room[N];
  int own[4], i = (int)threadIdx.x;
  for (int k = 0; k < 4; k++)
    own[k] = 1000 * k + in[i];
  room[i] = 100 + i;
  __syncthreads();
  const int *from = in[i] % 4 == 0 ? in + i : in[i] % 4 == 1 ? room + (i ^ 1) : in[i] % 4 == 2 ? own + i % 4 : nullptr;
  out[i] = from == nullptr ? -1 : *from;
}

/* Written through, and stepped along. */
__global__ void write(int *out, int which) {
  __shared__ int room[2 * N];
  int i = (int)threadIdx.x;
  int *to = which ? room + N : out;
  to[i] = i;
  __syncthreads();
  for (int k = 0; k < 3; k++, to++)
    to[i * (which ? 1 : 1) - k] += 0;
  int *end = (which ? room + N : out) + 3;
  out[i] = (to == end) * 1000 + (which ? room[N + i] : i) + (int)(end - to);
}

/* In memory: too many for LLVM to make values of. */
__global__ void table(int *out, int turn) {
  __shared__ int room[4][N];
  __shared__ int *shared_table[8];
  int own[8], i = (int)threadIdx.x, sum = 0;
  int *places[8];
  for (int k = 0; k < 4; k++)
    room[k][i] = (k + 1) * 10;
  for (int k = 0; k < 8; k++) {
    own[k] = k;
    places[(k + turn) % 8] = k < 4 ? room[k] + i : k == 7 ? nullptr : own + k;
  }
  if (i < 8)
    shared_table[i] = i < 4 ? room[i] : out + i;
  __syncthreads();
  for (int k = 0; k < 8; k++)
    if (places[(k * 3) % 8] != nullptr)
      sum += *places[(k * 3) % 8];
  for (int k = 0; k < 4; k++)
    sum += shared_table[(k + turn) % 4][i];
  sum += shared_table[4 + i % 4] == out + 4 + i % 4;
  __syncthreads();
  out[i] = sum;
}

/* A list of the block's, of which the first is in global memory, and the last the thread's own. */
__global__ void list(node *first, int *out) {
  __shared__ node nodes[N];
  int i = (int)threadIdx.x;
  nodes[i].value = i;
  nodes[i].next = i + 1 < N ? &nodes[i + 1] : nullptr;
  __syncthreads();
  node last = { 7, i % 2 ? first : nullptr };
  node head = { 1, &nodes[i] };
  int sum = 0, count = 0;
  for (node *at = &head; at != nullptr; count++) {
    sum += at->value;
    at = at->next == nullptr && at != &last && at != first ? &last : at->next;
  }
  out[i] = sum * 100 + count;
}

/* A copy of a struct copies the pointer; a number that was one becomes it again. */
struct view {
  int *at;
  long count;
};
__global__ void copy(int *out, int which) {
  __shared__ int room[N];
  int i = (int)threadIdx.x;
  view views[4], others[4];
  for (int k = 0; k < 4; k++)
    views[(k + which) % 4] = view{ k % 2 ? room : out, k };
  memcpy(others, views, sizeof views);
  others[(which + 1) % 4].at[i] = 5 * i;
  unsigned long long bits = (unsigned long long)(room + 1);
  __syncthreads();
  int *again = (int *)((bits + 15) / 16 * 16);
  out[i] = others[(which + 3) % 4].at[i] + (again >= room + 1 && again - room <= 4);
}

int main() {
  items<int, N> in, out;
  for (int i = 0; i < N; i++)
    in.host[i] = i * 7;
  in.send();
  choose<<<1, N>>>(in.device, out.device);
  out.fetch();
  EXPECT_EACH(N, out[i] == (i * 7 % 4 == 0   ? i * 7
                            : i * 7 % 4 == 1 ? 100 + (i ^ 1)
                            : i * 7 % 4 == 2 ? 1000 * (i % 4) + i * 7
                                             : -1));
  for (int which = 0; which < 2; which++) {
    write<<<1, N>>>(out.device, which);
    out.fetch();
    EXPECT_EACH(N, out[i] == 1000 + i);
  }
  for (int turn = 0; turn < 3; turn++) {
    table<<<1, N>>>(out.device, turn);
    out.fetch();
    EXPECT_EACH(N, out[i] == 100 + 4 + 5 + 6 + 100 + 1);
  }
  items<node, 1> first;
  first.host[0] = { 3, nullptr };
  first.send();
  list<<<1, N>>>(first.device, out.device);
  out.fetch();
  EXPECT_EACH(N, out[i] == (1 + (i + N - 1) * (N - i) / 2 + 7 + (i % 2 ? 3 : 0)) * 100 + N - i + 2 + i % 2);
  for (int which = 0; which < 4; which++) {
    copy<<<1, N>>>(out.device, which);
    out.fetch();
    EXPECT_EACH(N, out[i] == 5 * i + 1);
  }
  return result();
}
