/* SPDX-License-Identifier: MIT */
/* memory_dynamic - dynamic shared memory in templates: cut into pieces of several types by a small allocator. */
#include "check.h"

class arena {
  unsigned char *next_;

public:
  __device__ arena() {
    extern __shared__ double start[];
    next_ = reinterpret_cast<unsigned char *>(start);
  }
  template <class T> __device__ T *take(int count) {
    T *mine = reinterpret_cast<T *>(next_);
    next_ += (count * (int)sizeof(T) + 7) / 8 * 8;
    return mine;
  }
};

template <class Key, class Value> __global__ void sort(Key *keys, Value *values) {
  int i = (int)threadIdx.x, count = (int)blockDim.x;
  arena room;
  Key *k = room.take<Key>(count);
  Value *v = room.take<Value>(count);
  int *places = room.take<int>(count);
  k[i] = keys[i];
  v[i] = values[i];
  __syncthreads();
  int place = 0;
  for (int other = 0; other < count; other++)
    place += k[other] < k[i] || (k[other] == k[i] && other < i);
  places[i] = place;
  __syncthreads();
  keys[places[i]] = k[i];
  values[places[i]] = v[i];
}

template <class Key, class Value> void check() {
  items<Key, 48> keys;
  items<Value, 48> values;
  for (int i = 0; i < 48; i++)
    keys.host[i] = Key(i * 29 % 31), values.host[i] = Value(i * 29 % 31 * 2);
  keys.send(), values.send();
  sort<<<1, 48, 48 * (sizeof(Key) + sizeof(Value) + sizeof(int)) + 24>>>(keys.device, values.device);
  keys.fetch(), values.fetch();
  EXPECT_EACH(48, values[i] == Value(keys[i]) * 2 && (i == 0 || keys[i - 1] <= keys[i]));
}

int main() {
  check<int, double>();
  check<unsigned char, long long>();
  check<double, short>();
  return result();
}
