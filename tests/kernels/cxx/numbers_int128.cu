/* SPDX-License-Identifier: MIT */
/*
 * numbers_int128 - integers of 128 bits: arithmetic, shifts by any distance, division, comparisons, conversions, what is done with
 * their bits, and where they lie: in memory, structs, tables, parameters and the threads' own arrays.
 */
#include "check.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

/* Numbers of all lengths, with both signs. */
__host__ __device__ uwide number(int i) {
  uwide x = ((uwide)(0x9e3779b97f4a7c15ull * (unsigned)(i + 1)) << 64) | 0xbf58476d1ce4e5b9ull * (unsigned)(i * i + 3);
  x >>= (unsigned)(i * 37) % 128;
  return i % 3 == 0 ? (uwide)0 - x : x;
}
__host__ __device__ unsigned long long folded(uwide x) {
  return (unsigned long long)x * 31 + (unsigned long long)(x >> 64);
}

struct arithmetic {
  __host__ __device__ unsigned long long operator()(int i) const {
    uwide a = number(i), b = number(i + 7), c = a;
    wide s = (wide)a, t = (wide)b;
    c += b;
    c = c * 5 - (a ^ b) + (a & ~b) + (a | 12345) + (uwide)-t + (uwide)(s * t);
    c++;
    return folded(c);
  }
};

struct shifts {
  __host__ __device__ unsigned long long operator()(int i) const {
    uwide a = number(i);
    unsigned by = (unsigned)i & 127;
    uwide turned = by == 0 ? a : a << by | a >> (128 - by);
    return folded(a << by) + 3 * folded(a >> by) + 5 * folded((uwide)((wide)a >> by)) + 7 * folded(turned) +
           folded(a << 64) + folded((uwide)((wide)a >> 100));
  }
};

struct division {
  __host__ __device__ unsigned long long operator()(int i) const {
    uwide a = number(i), b = number(i * 5 + 2) | 1, sum = a / b * 3 + a % b + a / 10 + a % 1000000007u;
    wide s = (wide)a, t = (wide)b, q = s / t, r = s % t;
    return folded(sum) + folded((uwide)q) * 7 + folded((uwide)r) * 11 + folded((uwide)(s / -10)) + (q * t + r == s);
  }
};

struct comparison {
  __host__ __device__ int operator()(int i) const {
    uwide a = number(i), b = i % 5 == 0 ? a : number(i + 1);
    wide s = (wide)a, t = (wide)b;
    uwide least = a < b ? a : b;
    wide most = s > t ? s : t, away = s < 0 ? -s : s;
    return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b) + 64 * (s < t) +
           128 * (s <= t) + 256 * (s > t) + 512 * (s >= t) + 1024 * !a + (int)(folded(least) & 0xffff) +
           (int)(folded((uwide)most) & 0xffff) + (int)(folded((uwide)away) & 0xffff) + (s < 0) + (a >= 10);
  }
};

struct to_real {
  __host__ __device__ double operator()(int i) const {
    uwide a = number(i);
    return (double)a / 3 + (double)(wide)a + (double)(float)(a >> 2) + (float)(wide)a;
  }
};

struct from_real {
  __host__ __device__ unsigned long long operator()(int i) const {
    double x = (i - 32) * 1.7e18 * (i * i * 1000.0 + 0.123456789);
    float y = (float)(x < 0 ? -x : x);
    return folded((uwide)(wide)x) + 3 * folded((uwide)y) + 5 * folded((uwide)(x < 0 ? -x : x)) + folded((uwide)(wide)(i - 5.5));
  }
};

struct conversions {
  __host__ __device__ unsigned long long operator()(int i) const {
    wide a = (signed char)(i * 5), b = (unsigned short)(i * 7777), c = -(long long)i, d = i & 1;
    uwide e = number(i);
    return folded((uwide)(a * b + c - d)) + (unsigned)e + (unsigned short)(e >> 70) + (signed char)e + (e ? 1 : 2);
  }
};

struct products {
  __host__ __device__ unsigned long long operator()(int i) const {
    unsigned long long a = folded(number(i)), b = folded(number(i + 3)), high = (unsigned long long)((uwide)a * b >> 64);
    long long signed_high = (long long)((wide)(long long)a * (long long)b >> 64);
    return high * 3 + (unsigned long long)signed_high + (unsigned long long)((uwide)a * b % 0xffffffffffffffc5ull);
  }
};

struct overflows {
  __host__ __device__ unsigned long long operator()(int i) const {
    uwide a = number(i), b = number(i * 3 + 1), u;
    wide s = (wide)a, t = (wide)b, v;
    unsigned long long all = 0;
    all += __builtin_add_overflow(a, b, &u), all = all * 2 + folded(u);
    all += __builtin_sub_overflow(a, b, &u), all = all * 2 + folded(u);
    all += __builtin_mul_overflow(a, b, &u), all = all * 2 + folded(u);
    all += __builtin_add_overflow(s, t, &v), all = all * 2 + folded((uwide)v);
    all += __builtin_sub_overflow(s, t, &v), all = all * 2 + folded((uwide)v);
    return all * 2 + folded(u > b ? u - b : 0);
  }
};

struct bits {
  __host__ __device__ unsigned long long operator()(int i) const {
    uwide a = number(i);
    unsigned words[4], more[4] = { (unsigned)i, 77, (unsigned)i * 9, ~0u };
    memcpy(words, &a, sizeof a);
    uwide b;
    memcpy(&b, more, sizeof b);
    double parts[2];
    memcpy(parts, &a, sizeof a);
    int count = 0, length = 0;
    for (uwide x = a; x != 0; x &= x - 1)
      count++;
    for (uwide x = a; x != 0; x >>= 1)
      length++;
    return words[0] + 3ull * words[1] + 5ull * words[2] + 7ull * words[3] + folded(b) + (parts[0] < parts[1]) +
           (unsigned)(count * 1000 + length);
  }
};

struct record {
  char letter;
  wide number;
  int last;
};
__constant__ uwide table[3] = { 1, (uwide)0x123456789abcdefull << 64 | 42, ~(uwide)0 };
__device__ wide total = (wide)-5 * 1000000000000000000ll * 1000;

__global__ void keep(record *out, record by, wide added, int n) {
  __shared__ wide room[64];
  wide own[4] = { added, -added, by.number, (wide)table[n % 3] };
  int i = (int)threadIdx.x;
  room[i] = own[i % 4] + i;
  __syncthreads();
  record it = by;
  it.number = room[63 - i] * 3 + total + (wide)table[i % 3];
  it.last += i;
  out[i] = it;
}

static void check_kept() {
  static const uwide same[3] = { 1, (uwide)0x123456789abcdefull << 64 | 42, ~(uwide)0 };
  wide added = (wide)123456789 << 80 | 99, sum = (wide)-5 * 1000000000000000000ll * 1000;
  record by = { 'x', -((wide)7 << 90), 1000 };
  items<record, 64> out;
  keep<<<1, 64>>>(out.device, by, added, 1);
  out.fetch();
  wide own[4] = { added, -added, by.number, (wide)same[1] };
  EXPECT_EACH(64, out[i].letter == 'x' && out[i].last == 1000 + i &&
                      out[i].number == (own[(63 - i) % 4] + 63 - i) * 3 + sum + (wide)same[i % 3]);
}

int main() {
  same_on_both<unsigned long long, 256>(arithmetic{});
  same_on_both<unsigned long long, 256>(shifts{});
  same_on_both<unsigned long long, 256>(division{});
  same_on_both<int, 256>(comparison{});
  same_on_both<double, 256>(to_real{});
  same_on_both<unsigned long long, 64>(from_real{});
  same_on_both<unsigned long long, 256>(conversions{});
  same_on_both<unsigned long long, 256>(products{});
  same_on_both<unsigned long long, 256>(overflows{});
  same_on_both<unsigned long long, 256>(bits{});
  check_kept();
  return result();
}
