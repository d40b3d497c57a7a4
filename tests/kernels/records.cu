/* SPDX-License-Identifier: MIT */
/* records - structs by value, nested, with arrays; unions, enumerations, bit patterns; the vector types, their layouts and
 * operators for them. */
#include "kernels.h"

#include <stddef.h>

/* ---- plain records --------------------------------------------------------------------------------------- */

struct point {
  float x, y;
};

typedef struct {
  char tag;
  struct point corners[3];
  short counts[5];
  double weight;
} shape;

struct node {
  shape inner;
  union {
    unsigned word;
    float number;
    unsigned char bytes[4];
  } as;
  enum { SMALL, LARGE = 10, HUGE_ONE } size;
  struct {
    int a, b;
  };
};

enum class mode : unsigned char { off, on = 7, stuck };

__host__ __device__ static struct point moved(struct point p, float by) {
  p.x += by;
  p.y -= by;
  return p;
}

__host__ __device__ static shape make_shape(int i) {
  shape s = { 'q', { { 1.0f * i, 2 }, { 3, 4.0f } }, { 1, 2, (short)i } };
  s.weight = i / 4.0;
  return s;
}

TEST(by_value) {
  struct point p = { 1.5f, (float)i }, q = moved(p, 2);
  put(out, p.x);
  put(out, q.x);
  put(out, moved(moved(q, 1), 1).y);
  struct point copy;
  copy = q;
  copy.x = 0;
  put(out, q.x + copy.y);
  struct point many[3] = { p, q };
  many[2] = many[i % 2];
  put(out, many[2].x);
  put(out, (i % 2 ? p : q).y);
  point named = { .x = 4, .y = 5 };
  put(out, named.x * named.y);
  struct point zero = {};
  put(out, zero.x + zero.y);
  const struct point &same = many[1];
  many[1].x = 77;
  put(out, same.x);
  struct point *at = many + 1;
  at->y++;
  (*at).x--;
  put(out, many[1].y);
  put(out, at[-1].x + at->x);
}

TEST(nested) {
  shape s = make_shape(i);
  put(out, s.tag);
  put(out, s.corners[0].x);
  put(out, s.corners[1].y);
  put(out, s.corners[2].y);
  put(out, s.counts[2]);
  put(out, s.counts[4]);
  put(out, s.weight);
  struct node n;
  n.inner = s;
  n.inner.counts[i % 5] += 7;
  n.a = i;
  n.b = n.a * 2;
  n.size = node::HUGE_ONE;
  n.as.word = 0x3fc00000u + i;
  put(out, n.as.number);
  put(out, n.as.bytes[3]);
  n.as.bytes[0] = 0x55;
  put(out, n.as.word);
  put(out, n.inner.counts[i % 5]);
  put(out, (int)n.size);
  put(out, n.b);
  struct node other = n;
  other.inner.corners[2] = moved(other.inner.corners[0], 1);
  put(out, other.inner.corners[2].x - n.inner.corners[2].x);
  mode m = i % 2 ? mode::on : mode::stuck;
  put(out, (int)m);
  put(out, m == mode::on);
  put(out, static_cast<unsigned char>(m));
  put(out, sizeof(mode));
}

TEST(layouts) {
  put(out, sizeof(shape));
  put(out, sizeof(struct node));
  put(out, offsetof(shape, weight));
  put(out, offsetof(shape, counts));
  put(out, offsetof(struct node, as));
  put(out, sizeof(struct point[5]));
  put(out, alignof(shape));
  put(out, sizeof((*(struct node *)nullptr).inner.corners));
  put(out, i);
}

/* ---- vector types ---------------------------------------------------------------------------------------- */

TEST(sizes) {
  put(out, sizeof(char1) * 100 + alignof(char1));
  put(out, sizeof(uchar2) * 100 + alignof(uchar2));
  put(out, sizeof(char3) * 100 + alignof(char3));
  put(out, sizeof(uchar4) * 100 + alignof(uchar4));
  put(out, sizeof(short2) * 100 + alignof(short2));
  put(out, sizeof(ushort3) * 100 + alignof(ushort3));
  put(out, sizeof(short4) * 100 + alignof(short4));
  put(out, sizeof(int2) * 100 + alignof(int2));
  put(out, sizeof(uint3) * 100 + alignof(uint3));
  put(out, sizeof(int4) * 100 + alignof(int4));
  put(out, sizeof(float1) * 100 + alignof(float1));
  put(out, sizeof(float2) * 100 + alignof(float2));
  put(out, sizeof(float3) * 100 + alignof(float3));
  put(out, sizeof(float4) * 100 + alignof(float4));
  put(out, sizeof(double2) * 100 + alignof(double2));
  put(out, sizeof(double3) * 100 + alignof(double3));
  put(out, sizeof(longlong2) * 100 + alignof(longlong2));
  put(out, sizeof(ulonglong3) * 100 + alignof(ulonglong3));
  put(out, sizeof(long2) * 100 + alignof(long2));
  put(out, sizeof(dim3) * 100 + alignof(dim3));
  struct mixed {
    char c;
    float3 f;
    float4 g;
    char d;
  };
  put(out, sizeof(struct mixed));
  put(out, offsetof(struct mixed, f));
  put(out, offsetof(struct mixed, g) + i);
}

__host__ __device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
__host__ __device__ inline float3 operator*(float a, const float3 &b) { return b * a; }
__host__ __device__ inline float3 operator-(const float3 &a) { return make_float3(-a.x, -a.y, -a.z); }
__host__ __device__ inline void operator+=(float3 &a, float3 b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
__host__ __device__ inline float4 &operator*=(float4 &a, float b) {
  a.x *= b;
  a.y *= b;
  a.z *= b;
  a.w *= b;
  return a;
}
__host__ __device__ inline bool operator==(int2 a, int2 b) { return a.x == b.x && a.y == b.y; }
__host__ __device__ inline int2 &operator++(int2 &a) {
  ++a.x;
  ++a.y;
  return a;
}
__host__ __device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

TEST(operators) {
  float3 a = make_float3(1, 2, 3), b = make_float3(i, 0.5f, -1);
  float3 sum = a + b * 2 + 0.5f * -a;
  put(out, sum.x);
  put(out, sum.y);
  put(out, sum.z);
  sum += a;
  put(out, sum.z);
  put(out, dot(a, b));
  float4 v = make_float4(1, 2, 3, i);
  (v *= 2).x = 10;
  put(out, v.x);
  put(out, v.w);
  put(out, dot(v, v));
  int2 p = make_int2(i, i + 1), q = { i, i + 1 };
  put(out, p == q);
  ++p;
  put(out, p == q);
  put(out, p.x * 100 + p.y);
  float *parts = &a.x;
  parts[1] = 9;
  put(out, a.y);
  uchar4 c = make_uchar4(250, 2, 3, 4);
  c.x += 10;
  put(out, c.x);
  double2 d = make_double2(1.0 / 3, i);
  put(out, d.x + d.y);
  dim3 g(4, 5), one = 3;
  put(out, g.x * 100 + g.y * 10 + g.z);
  put(out, one.x * 100 + one.y * 10 + one.z);
  longlong2 l = make_longlong2(1ll << 40, -i);
  put(out, l.x + l.y);
  float2 list[2] = { { 1, 2 }, make_float2(3, i) };
  put(out, list[1].y - list[0].x);
}

#define TESTS(test) test(by_value) test(nested) test(layouts) test(sizes) test(operators)
PROGRAM(TESTS)

/* ---- as parameters and in memory ------------------------------------------------------------------------- */

struct job {
  char pad;
  const float *from;
  struct {
    float *to;
    int count;
  } target;
  float3 scale;
  bool twice;
};

__global__ void work(struct job job, float4 extra, mode m, bool flag, char c, float3 *vectors) {
  int i = threadIdx.x;
  if (i >= job.target.count)
    return;
  float factor = job.scale.x * job.scale.y * job.scale.z * (job.twice ? 2 : 1);
  job.target.to[i] = job.from[i] * factor + extra.w + (m == mode::stuck) + flag + c;
  float3 v = vectors[i];
  vectors[i] = make_float3(v.z, v.x, v.y + i);
}

static void parameters(void) {
  enum { COUNT = 40 };
  float *memory, from[COUNT], to[COUNT];
  float3 *vectors, list[COUNT];
  for (int i = 0; i < COUNT; i++) {
    from[i] = i;
    list[i] = make_float3(i, 10, 20);
  }
  CHECK(cudaMalloc((void **)&memory, 3 * COUNT * sizeof(float)));
  CHECK(cudaMalloc((void **)&vectors, sizeof list));
  CHECK(cudaMemcpy(memory + 1, from, sizeof from, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(vectors, list, sizeof list, cudaMemcpyHostToDevice));
  struct job job = { 'x', memory + 1, { memory + COUNT + 3, COUNT }, { 1, 2, 0.5f }, true };
  work<<<1, 64>>>(job, make_float4(0, 0, 0, 100), mode::stuck, true, -3, vectors);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(to, memory + COUNT + 3, sizeof to, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(list, vectors, sizeof list, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++) {
    EXPECT(to[i], 2 * i + 99);
    EXPECT(list[i].x * 10000 + list[i].y * 100 + list[i].z, 200000 + i * 100 + 10 + i);
  }
  CHECK(cudaFree(memory));
  CHECK(cudaFree(vectors));
}

/* More parameters than a device may take at once. */
struct large {
  int numbers[960];
  int *to;
};

__global__ void add_up(struct large large, int more) {
  int sum = more;
  for (int i = 0; i < 960; i++)
    sum += large.numbers[i];
  *large.to = sum;
}

static void large_parameters(void) {
  static struct large large;
  int sum = 0, seen = 0;
  for (int i = 0; i < 960; i++)
    sum += large.numbers[i] = i * i % 101;
  CHECK(cudaMalloc((void **)&large.to, sizeof(int)));
  add_up<<<1, 1>>>(large, 5);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&seen, large.to, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen, sum + 5);
  CHECK(cudaFree(large.to));
}

int main(void) {
  run_tests();
  parameters();
  large_parameters();
  return verdict("records");
}
