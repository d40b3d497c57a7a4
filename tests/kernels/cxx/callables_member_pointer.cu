/* SPDX-License-Identifier: MIT */
/* callables_member_pointer - pointers to members: data and functions, as arguments of templates and as values. */
#include "check.h"

struct particle {
  float x, y, mass;
  __host__ __device__ float norm1() const { return (x < 0 ? -x : x) + (y < 0 ? -y : y); }
  __host__ __device__ float weight() const { return mass * 10; }
  __host__ __device__ void move(float by) { x += by; }
};

template <float particle::*Member> __host__ __device__ float sum(const particle *list, int count) {
  float all = 0;
  for (int i = 0; i < count; i++)
    all += list[i].*Member;
  return all;
}
template <float (particle::*Function)() const> __host__ __device__ float most(const particle *list, int count) {
  float best = -1;
  for (int i = 0; i < count; i++)
    if ((list[i].*Function)() > best)
      best = (list[i].*Function)();
  return best;
}

struct body {
  __host__ __device__ float operator()(int i) const {
    particle list[3] = { { 1, -2, (float)i }, { (float)i, 4, 5 }, { -6, 7, 0.5f } };
    float particle::*field = i % 2 ? &particle::x : &particle::mass;
    float (particle::*function)() const = &particle::norm1;
    void (particle::*action)(float) = &particle::move;
    (list[0].*action)(0.5f);
    particle *last = &list[2];
    return sum<&particle::y>(list, 3) + most<&particle::weight>(list, 3) + list[1].*field + (last->*function)() +
           (field == &particle::x) + list[0].x;
  }
};

int main() {
  same_on_both<float>(body{});
  return result();
}
