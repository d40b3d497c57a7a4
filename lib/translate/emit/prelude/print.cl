// printf(): a record in the device's ring, which the host formats (cudart/module/print.c says what stands where). `kinds` has a
// letter for each value: w a number, and of text the memory that it is in: g global, l local, p private, c constant; in upper
// case no more of it is read than the value before says, unless that is below 0. The record's first word is written last.
// Where the host empties the ring meanwhile, a full one is waited for, but not by a failure, which goes to stderr; else the call
// is counted as lost.
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
static __attribute__((noinline)) void vptr_print(volatile __global uint *ring, int fails, __constant const char *format,
                                                 __constant const char *kinds, const ulong *values) {
  const uint length = vptr_print_length_c((ulong)format, -1);
  const uint words = 1 + vptr_print_words(length) + vptr_print_count(kinds, values);
  __global uint *record = vptr_print_take(ring, words, !fails), *at = record + 1;
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
  atomic_xchg((volatile __global uint *)record, fails ? words | 0x40000000u : words);
}
// printf() of a format that is known now. What is printed as text is decided by it, and what each conversion does with the rest by
// the host, which reads it in the same way (cudart/module/print_record.c): each value has a word before it, 0 where it is a number,
// 1 a float's bits, 2 text. `kinds` is as above, with f for a float; a g has the host's address of the text behind it.
//: print_any print
static char vptr_print_at(char kind, ulong at, uint i) {
  if (kind == 'g')
    return ((__global const char *)at)[i];
  if (kind == 'l')
    return ((__local const char *)at)[i];
  return kind == 'p' ? ((__private const char *)at)[i] : ((__constant const char *)at)[i];
}
static int vptr_print_is_of(char letter, __constant const char *of) {
  while (*of != 0 && *of != letter)
    of++;
  return letter != 0 && *of == letter;
}
// Up to the letter of a conversion. Of `*` the values are taken; how much of text is read is its limit, -1 for all.
static uint vptr_print_skip(char kind, ulong format, uint at, __constant const char *kinds, const ulong *values,
                            uint *value, int *taken, long *limit) {
  int is_limit = 0;
  *limit = -1;
  for (char letter; vptr_print_is_of(letter = vptr_print_at(kind, format, at), "-+ #0123456789.*hlqjztL"); at++)
    if (letter == '.') {
      is_limit = 1;
      *limit = 0;
    } else if (is_limit && letter >= '0' && letter <= '9') {
      *limit = *limit < (1 << 24) ? *limit * 10 + (letter - '0') : *limit;
    } else if (letter == '*' && kinds[*value] != 0) {
      if (is_limit)
        *limit = (int)values[*value];
      *value += kinds[*value] == 'g' ? 2 : 1;
      (*taken)++;
    }
  return at;
}
// -1 in `texts` is a number, and else the bytes of a text, or of a null pointer -2; how many arguments the format takes.
static int vptr_print_scan(char kind, ulong format, __constant const char *kinds, const ulong *values, long *texts) {
  uint value = 0;
  int taken = 0;
  char letter;
  for (uint i = 0; kinds[i] != 0; i++)
    texts[i] = -1;
  for (uint at = 0; (letter = vptr_print_at(kind, format, at)) != 0; at++) {
    long limit;
    if (letter != '%')
      continue;
    at = vptr_print_skip(kind, format, at + 1, kinds, values, &value, &taken, &limit);
    letter = vptr_print_at(kind, format, at);
    if (letter == 0)
      break;
    if (letter == '%' || kinds[value] == 0)
      continue;
    if (letter == 's' && vptr_print_is_of(kinds[value], "glpc"))
      texts[value] = values[value] == 0 ? -2 : (long)vptr_print_length(kinds[value], values[value], limit);
    value += kinds[value] == 'g' ? 2 : 1;
    taken++;
  }
  return taken;
}
static uint vptr_print_any_words(__constant const char *kinds, const long *texts) {
  uint words = 0;
  for (uint i = 0; kinds[i] != 0; i += kinds[i] == 'g' ? 2 : 1)
    words += texts[i] == -1 ? 3 : 1 + vptr_print_words(texts[i] > 0 ? (uint)texts[i] : 0);
  return words;
}
static __global uint *vptr_print_any_value(__global uint *at, char kind, ulong value, long text) {
  if (text == -1) {
    *at++ = kind == 'f' ? 1 : 0;
    *at++ = (uint)value;
    *at++ = (uint)(value >> 32);
    return at;
  }
  const uint length = text > 0 ? (uint)text : 0;
  *at++ = 2;
  *at = text == -2 ? 0xffffffffu : length;
  vptr_print_copy(kind, (__global uchar *)(at + 1), value, length);
  return at + vptr_print_words(length);
}
static __attribute__((noinline)) int vptr_print_any(volatile __global uint *ring, char kind, ulong format,
                                                    __constant const char *kinds, const ulong *values, long *texts) {
  if (format == 0)
    return -1;
  const int taken = vptr_print_scan(kind, format, kinds, values, texts);
  const uint length = vptr_print_length(kind, format, -1);
  const uint words = 1 + vptr_print_words(length) + vptr_print_any_words(kinds, texts);
  __global uint *record = vptr_print_take(ring, words, 1), *at = record + 1;
  if (record == 0)
    return taken;
  *at = length;
  vptr_print_copy(kind, (__global uchar *)(at + 1), format, length);
  at += vptr_print_words(length);
  for (uint i = 0; kinds[i] != 0; i += kinds[i] == 'g' ? 2 : 1)
    at = vptr_print_any_value(at, kinds[i], values[texts[i] == -1 && kinds[i] == 'g' ? i + 1 : i], texts[i]);
  vptr_fence_device();
  atomic_xchg((volatile __global uint *)record, words | 0x20000000u);
  return taken;
}
