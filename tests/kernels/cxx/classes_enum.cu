/* SPDX-License-Identifier: MIT */
/* classes_enum - enumerations with scope and with a type under them, operators for them, and nested classes. */
#include "check.h"

enum class access : unsigned char { none = 0, read = 1, write = 2, all = 0x83 };
__host__ __device__ constexpr access operator|(access a, access b) {
  return access((unsigned char)a | (unsigned char)b);
}
__host__ __device__ constexpr bool operator&(access a, access b) {
  return ((unsigned char)a & (unsigned char)b) != 0;
}
enum wide : long long { low = -(1ll << 40), high = 1ll << 40 };
enum plain { zero, one, five = 5, six };

struct machine {
  enum class state { idle, busy, done };
  class step {
    state now_ = state::idle;

  public:
    __host__ __device__ state next() {
      using enum_type = state;
      now_ = now_ == enum_type::idle ? state::busy : now_ == state::busy ? state::done : state::idle;
      return now_;
    }
  };
};

__global__ void check_all(const access *in, long long *out) {
  int i = (int)threadIdx.x;
  machine::step s;
  for (int k = 0; k < i % 4; k++)
    s.next();
  access a = in[i] | (i % 2 ? access::write : access::none);
  out[i] = (a & access::write) * 10 + (long long)a * 100 + (i & 1 ? low : high) + six + int(s.next() == machine::state::done);
}

int main() {
  items<access, 16> in;
  items<long long, 16> out;
  for (int i = 0; i < 16; i++)
    in.host[i] = i % 3 == 0 ? access::all : i % 3 == 1 ? access::read : access::none;
  in.send();
  check_all<<<1, 16>>>(in.device, out.device);
  out.fetch();
  for (int i = 0; i < 16; i++) {
    access a = in[i] | (i % 2 ? access::write : access::none);
    long long wanted = (a & access::write) * 10 + (long long)a * 100 + (i & 1 ? low : high) + 6 + (i % 4 % 3 == 1);
    check_item(out[i] == wanted, i, "the enumerators", __FILE__, __LINE__);
  }
  return result();
}
