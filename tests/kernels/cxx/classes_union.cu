/* SPDX-License-Identifier: MIT */
/* classes_union - unions: bits seen as another type, anonymous ones, a value of several kinds. */
#include "check.h"

union word {
  float number;
  unsigned bits;
  unsigned char bytes[4];
  short halves[2];
};

struct variant {
  enum { WHOLE, REAL, TEXT } kind;
  union {
    long long whole;
    double real;
    char text[8];
  };
  __host__ __device__ double value() const {
    switch (kind) {
    case WHOLE:
      return double(whole);
    case REAL:
      return real;
    default:
      return text[0] * 256.0 + text[1];
    }
  }
};

__global__ void read(double *out, const variant *list, word w) {
  int i = (int)threadIdx.x;
  word mine;
  mine.number = 0.5f * (float)(i + 1);
  w.bits += (unsigned)i;
  variant copy = list[i % 3];
  if (copy.kind == variant::WHOLE)
    copy.whole -= i;
  out[i] = copy.value() + (mine.bits >> 23) + w.bytes[0] + w.halves[1];
}

int main() {
  items<variant, 3> list;
  items<double, 24> out;
  list.host[0].kind = variant::WHOLE, list.host[0].whole = -(1ll << 40);
  list.host[1].kind = variant::REAL, list.host[1].real = 2.5;
  list.host[2].kind = variant::TEXT, strcpy(list.host[2].text, "ab");
  list.send();
  word w;
  w.bits = 0xfff6'0010u;
  read<<<1, 24>>>(out.device, list.device, w);
  out.fetch();
  for (int i = 0; i < 24; i++) {
    word mine;
    mine.number = 0.5f * (float)(i + 1);
    double wanted = list.host[i % 3].value() - (i % 3 == 0 ? i : 0) + (mine.bits >> 23) + 16 + i - 10;
    check_item(out[i] == wanted, i, "what the unions hold", __FILE__, __LINE__);
  }
  return result();
}
