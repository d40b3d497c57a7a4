// Records and bytes of global memory that may lie across a seam between two buffers (reach.cl): each piece is looked up. t is a
// variable for the record, which the usual form has no use for.
//: found reach any
#ifdef VPTR_APART
#define vptr_byte(translation, p) ((__global uchar *)vptr_found(translation, (ulong)(p)))
static void vptr_gather_some_words(const struct vptr_translation *translation, vptr_any_uint *to, ulong from, uint words) {
  for (uint i = 0; i < words; i++)
    to[i] = *(__global const vptr_any_uint *)vptr_found(translation, from + 4 * i);
}
static void vptr_scatter_some_words(const struct vptr_translation *translation, ulong to, const vptr_any_uint *from, uint words) {
  for (uint i = 0; i < words; i++)
    *(__global vptr_any_uint *)vptr_found(translation, to + 4 * i) = from[i];
}
static void vptr_gather_some_bytes(const struct vptr_translation *translation, uchar *to, ulong from, uint bytes) {
  for (uint i = 0; i < bytes; i++)
    to[i] = *vptr_byte(translation, from + i);
}
static void vptr_scatter_some_bytes(const struct vptr_translation *translation, ulong to, const uchar *from, uint bytes) {
  for (uint i = 0; i < bytes; i++)
    *vptr_byte(translation, to + i) = from[i];
}
#define vptr_gather_words(type, t, p) (vptr_gather_some_words(&vptr->m_translation, (vptr_any_uint *)&t, (ulong)(p), sizeof t / 4), t)
#define vptr_gather_bytes(type, t, p) (vptr_gather_some_bytes(&vptr->m_translation, (uchar *)&t, (ulong)(p), sizeof t), t)
#define vptr_scatter_words(type, t, p, v) (t = v, vptr_scatter_some_words(&vptr->m_translation, (ulong)(p), (const vptr_any_uint *)&t, sizeof t / 4), t)
#define vptr_scatter_bytes(type, t, p, v) (t = v, vptr_scatter_some_bytes(&vptr->m_translation, (ulong)(p), (const uchar *)&t, sizeof t), t)
#else
#define vptr_byte(translation, p) (p)
#define vptr_gather_words(type, t, p) (*(type)(p))
#define vptr_gather_bytes(type, t, p) (*(type)(p))
#define vptr_scatter_words(type, t, p, v) (*(type)(p) = v)
#define vptr_scatter_bytes(type, t, p, v) (*(type)(p) = v)
#endif
//: memset_found found
static __global uchar *vptr_memset_found(const struct vptr_translation *translation, __global uchar *to, int value, ulong n) {
  for (ulong i = 0; i < n; i++)
    *vptr_byte(translation, to + i) = (uchar)value;
  return to;
}
