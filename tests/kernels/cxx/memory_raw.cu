/* SPDX-License-Identifier: MIT */
/* memory_raw - bytes copied, set and seen as other types: memcpy, memset, casts, alignment, offsets. */
#include "check.h"

#include <stddef.h>
#include <stdint.h>

struct record {
  char tag;
  double value;
  int list[3];
};

__global__ void run(unsigned char *bytes, record *records, unsigned long long *out) {
  int i = (int)threadIdx.x;
  unsigned char *mine = bytes + i * 64, own[40];
  memset(own, i, sizeof own);
  record r = { 'r', i * 0.5, { 1, i, 3 } }, s;
  memcpy(own + 3, &r, sizeof r);
  memcpy(&s, own + 3, sizeof s);
  memcpy(mine + 1, own, sizeof own);
  records[i] = s;
  *reinterpret_cast<short *>(mine + 44) = (short)-i;
  *(float *)(mine + 48) = 0.5f * (float)i;
  unsigned long long word;
  memcpy(&word, mine + 43, sizeof word);
  out[i] = word ^ *reinterpret_cast<const unsigned *>(&records[i].value) ^ offsetof(record, list) ^
           (reinterpret_cast<uintptr_t>(mine) & 63) ^ (unsigned long long)((char *)&records[i].list[1] - (char *)&records[i]);
}

int main() {
  items<unsigned char, 1024> bytes;
  items<record, 16> records;
  items<unsigned long long, 16> out;
  run<<<1, 16>>>(bytes.device, records.device, out.device);
  bytes.fetch(), records.fetch(), out.fetch();
  for (int i = 0; i < 16; i++) {
    unsigned char mine[64] = {}, own[40];
    record r = { 'r', i * 0.5, { 1, i, 3 } };
    const record &s = records[i];
    EXPECT(s.tag == 'r' && s.value == r.value && s.list[1] == i && s.list[2] == 3);
    EXPECT(bytes[i * 64 + 1] == i && bytes[i * 64 + 4] == 'r' && bytes[i * 64 + 40] == i);
    short part = (short)-i;
    float real = 0.5f * (float)i;
    memset(own, i, sizeof own);
    memcpy(mine + 1, own, sizeof own);
    memcpy(mine + 44, &part, 2), memcpy(mine + 48, &real, 4);
    unsigned long long word, low = 0;
    memcpy(&word, mine + 43, 8);
    memcpy(&low, &r.value, 4);
    check_item(out[i] == (word ^ low ^ 16 ^ 20), i, "words of bytes", __FILE__, __LINE__);
  }
  return result();
}
