// Pointers in memory, which are the host's addresses: what they mean to the device, and back. The table is that of
// lib/vptr/mapper/translation_table.h.
//: translation
struct vptr_window {
  uint number;
  ulong add;
};
struct vptr_translation {
  __global const ulong *table;
  ulong base, shift, windows;
  struct vptr_window last; // reach.cl; all ones: none yet
};
static struct vptr_translation vptr_translation_of(__global const ulong *table) {
  struct vptr_translation translation = { table, table[0], table[1], table[2], { ~0u, 0 } };
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
