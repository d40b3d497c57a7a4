/* SPDX-License-Identifier: MIT */
/* language_assembler - loads and stores in line whose words are narrower than their registers: extended by sign or zeros. */
#include "check.h"

__global__ void run(const signed char *bytes, const short *words, int *out) {
  int i = (int)threadIdx.x, x;
  unsigned u;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(x) : "l"(bytes + i));
  out[i * 4] = x;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(u) : "l"(bytes + i));
  out[i * 4 + 1] = (int)u;
  asm volatile("ld.global.s16 %0, [%1];" : "=r"(x) : "l"(words + i));
  out[i * 4 + 2] = x;
  asm volatile("ld.global.u16 %0, [%1];" : "=r"(u) : "l"(words + i));
  asm volatile("st.global.u32 [%0], %1;" : : "l"(out + i * 4 + 3), "r"(u) : "memory");
}

int main() {
  items<signed char, 32> bytes;
  items<short, 32> words;
  items<int, 128> out;
  for (int i = 0; i < 32; i++) {
    bytes.host[i] = (signed char)(i * 9 - 100);
    words.host[i] = (short)(i * 2001 - 30000);
  }
  bytes.send();
  words.send();
  run<<<1, 32>>>(bytes.device, words.device, out.device);
  out.fetch();
  EXPECT_EACH(32, out[i * 4] == bytes.host[i] && out[i * 4 + 1] == (unsigned char)bytes.host[i]);
  EXPECT_EACH(32, out[i * 4 + 2] == words.host[i] && out[i * 4 + 3] == (unsigned short)words.host[i]);
  return failures > 0;
}
