// Pointers in memory, which are the host's addresses: what they mean to the device, and back. The table is that of
// lib/vptr/mapper/translation_table.h.
//: translation
struct vptr_translation {
  __global const ulong *table;
  ulong base, shift, windows;
};
static struct vptr_translation vptr_translation_of(__global const ulong *table) {
  struct vptr_translation translation = { table, table[0], table[1], table[2] };
  return translation;
}
static __global const ulong *vptr_translation_entry(__global const ulong *entries, ulong count, ulong p) {
  ulong low = 0, high = count;
  while (low < high) {
    ulong middle = (low + high) / 2;
    if (entries[3 * middle] <= p)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? entries + 3 * low - 3 : 0;
}
static ulong vptr_in(const struct vptr_translation *translation, ulong p) {
  ulong window = (p - translation->base) >> translation->shift;
  if (window < translation->windows)
    return p + translation->table[6 + window];
  __global const ulong *host = vptr_translation_entry(translation->table + 6 + translation->windows, translation->table[3], p);
  return host != 0 && p - host[0] <= host[1] ? p + host[2] : p;
}
static ulong vptr_out(const struct vptr_translation *translation, ulong p) {
  __global const ulong *hosts = translation->table + 6 + translation->windows + 3 * translation->table[3];
  __global const ulong *host = vptr_translation_entry(hosts, translation->table[4], p);
  if (host != 0 && p - host[0] < host[1])
    return p + host[2];
  __global const ulong *buffer = vptr_translation_entry(hosts + 3 * translation->table[4], translation->table[5], p);
  if (buffer != 0 && p == buffer[0])
    return p + buffer[2];
  if (host != 0 && p - host[0] == host[1])
    return p + host[2];
  return buffer != 0 && p - buffer[0] <= buffer[1] ? p + buffer[2] : p;
}
// Numbers in memory that is bytes: kernel C's.
//: any
typedef short __attribute__((may_alias)) vptr_any_short;
typedef ushort __attribute__((may_alias)) vptr_any_ushort;
typedef int __attribute__((may_alias)) vptr_any_int;
typedef uint __attribute__((may_alias)) vptr_any_uint;
typedef long __attribute__((may_alias)) vptr_any_long;
typedef ulong __attribute__((may_alias)) vptr_any_ulong;
typedef float __attribute__((may_alias)) vptr_any_float;
//: any_double
typedef double __attribute__((may_alias)) vptr_any_double;
// Behind all other pieces, where a program of CUDA C sees numbers as others, by casts of pointers.
//: retyped any
#define short vptr_any_short
#define ushort vptr_any_ushort
#define int vptr_any_int
#define uint vptr_any_uint
#define long vptr_any_long
#define ulong vptr_any_ulong
#define float vptr_any_float
//: retyped_double any_double retyped
#define double vptr_any_double
