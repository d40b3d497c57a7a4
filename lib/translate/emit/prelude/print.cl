// printf(): a record in the device's ring, which the host formats (cudart/module/print.c says what stands where). `kinds` has a
// letter for each value: w a number, and of text the memory that it is in: g global, l local, p private, c constant; in upper
// case no more of it is read than the value before says, unless that is below 0. The record's first word is written last.
// Where `waits`, and the host empties the ring meanwhile, a full one is waited for; else the call is counted as lost.
//: print fence_device
#define VPTR_PRINT_TEXT(name, space) \
  static uint vptr_print_length_##name(ulong at, long most) { \
    space const char *text = (space const char *)at; \
    uint length = 0; \
    while ((most < 0 || length < most) && length < 0x7ffffff0 && text[length] != 0) \
      length++; \
    return length; \
  } \
  static void vptr_print_copy_##name(__global uchar *to, ulong at, uint length) { \
    space const char *text = (space const char *)at; \
    for (uint i = 0; i < length; i++) \
      to[i] = (uchar)text[i]; \
  }
VPTR_PRINT_TEXT(g, __global)
VPTR_PRINT_TEXT(l, __local)
VPTR_PRINT_TEXT(p, __private)
VPTR_PRINT_TEXT(c, __constant)
static uint vptr_print_length(char kind, ulong at, long most) {
  if (at == 0)
    return 0;
  return kind == 'g' ? vptr_print_length_g(at, most) : kind == 'l' ? vptr_print_length_l(at, most)
       : kind == 'p' ? vptr_print_length_p(at, most) : vptr_print_length_c(at, most);
}
static void vptr_print_copy(char kind, __global uchar *to, ulong at, uint length) {
  if (kind == 'g')
    vptr_print_copy_g(to, at, length);
  else if (kind == 'l')
    vptr_print_copy_l(to, at, length);
  else if (kind == 'p')
    vptr_print_copy_p(to, at, length);
  else
    vptr_print_copy_c(to, at, length);
}
// Words of text, and of its length before it.
static uint vptr_print_words(uint length) {
  return 1 + (length + 3) / 4;
}
static long vptr_print_most(char kind, const ulong *values, uint index) {
  return kind < 'a' ? (long)values[index - 1] : -1;
}
static uint vptr_print_count(__constant const char *kinds, const ulong *values) {
  uint words = 0;
  for (uint i = 0; kinds[i] != 0; i++)
    words += kinds[i] == 'w' ? 2
           : vptr_print_words(vptr_print_length(kinds[i] | 32, values[i], vptr_print_most(kinds[i], values, i)));
  return words;
}
// So many words of the ring, in one piece. 0: there are none. The end of the ring is skipped where the record does not fit.
static __global uint *vptr_print_take(volatile __global uint *ring, uint words, int waits) {
  const uint most = ring[3];
  while (words <= most / 2) {
    const uint tail = atomic_add(ring + 1, 0), head = atomic_add(ring, 0), at = head & (most - 1);
    const uint skip = words > most - at ? most - at : 0;
    if (head - tail + skip + words > most) {
      if (!waits || ring[4] == 0)
        break;
      ring[5] = 1;
    } else if (atomic_cmpxchg(ring, head, head + skip + words) == head) {
      if (skip != 0)
        atomic_xchg(ring + 16 + at, skip | 0x80000000u);
      return (__global uint *)ring + 16 + (head + skip & most - 1);
    }
  }
  atomic_inc(ring + 2);
  return 0;
}
static __attribute__((noinline)) void vptr_print(volatile __global uint *ring, int waits, __constant const char *format,
                                                 __constant const char *kinds, const ulong *values) {
  const uint length = vptr_print_length_c((ulong)format, -1);
  const uint words = 1 + vptr_print_words(length) + vptr_print_count(kinds, values);
  __global uint *record = vptr_print_take(ring, words, waits), *at = record + 1;
  if (record == 0)
    return;
  *at = length;
  vptr_print_copy_c((__global uchar *)(at + 1), (ulong)format, length);
  at += vptr_print_words(length);
  for (uint i = 0; kinds[i] != 0; i++) {
    if (kinds[i] == 'w') {
      *at++ = (uint)values[i];
      *at++ = (uint)(values[i] >> 32);
      continue;
    }
    uint room = (uint)(record + words - at - 1) * 4;
    uint text = vptr_print_length(kinds[i] | 32, values[i], vptr_print_most(kinds[i], values, i));
    text = text > room ? room : text;
    *at = values[i] == 0 ? 0xffffffffu : text;
    vptr_print_copy(kinds[i] | 32, (__global uchar *)(at + 1), values[i], text);
    at += vptr_print_words(text);
  }
  vptr_fence_device();
  atomic_xchg((volatile __global uint *)record, words);
}
