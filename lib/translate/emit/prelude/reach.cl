// Where the byte is that a pointer leads to. A kernel that is built with VPTR_APART has pointers into allocations of
// several buffers, of which each lies somewhere else: such a pointer is the host's as long as it is computed with, and
// each access looks up where it leads. Others, which no window covers, are the device's own: so are all pointers into other
// memory, wherever they come from, since pointers into one allocation are compared and subtracted.
//: reach translation
#ifdef VPTR_APART
static ulong vptr_kept(const struct vptr_translation *translation, ulong p) {
  ulong window = (p - translation->base) >> translation->shift;
  __global const ulong *apart = translation->table + 6 + translation->windows;
  apart += 3 * (translation->table[3] + translation->table[4] + translation->table[5]);
  return window < translation->windows && (apart[window / 64] >> window % 64 & 1) != 0 ? p : vptr_in(translation, p);
}
#if VPTR_PTX && defined VPTR_WINDOW
// A load of the table takes its turn behind all stores and loads before it, however near the table is. So the last window
// that was looked up is remembered, by a number of 32 bits (VPTR_WINDOW, of which base is a multiple, is 25 or more, and
// addresses have 57 bits), and threads that are still in it leave the load out. There is no branch, for at one the
// driver's compiler has each load wait for the one before. \100 is what PTX has before a condition.
static ulong vptr_found(const struct vptr_translation *translation, ulong p) {
  struct vptr_window *last = &((struct vptr_translation *)translation)->last;
  uint number = (uint)(p >> VPTR_WINDOW), window = number - (uint)(translation->base >> VPTR_WINDOW);
  int is_new = number != last->number, is_in = window < (uint)translation->windows;
  ulong add = is_new ? 0 : last->add;
  __asm__("{ .reg .pred p; setp.ne.u32 p, %1, 0; \100p ld.global.nc.u64 %0, [%2]; }"
          : "+l"(add) : "r"(is_new & is_in), "l"(translation->table + 6 + window));
  last->number = number;
  last->add = add;
  return p + add;
}
#else
static ulong vptr_found(const struct vptr_translation *translation, ulong p) {
  ulong window = (p - translation->base) >> translation->shift;
  return window < translation->windows ? p + translation->table[6 + window] : p;
}
#endif
#define vptr_in vptr_kept
#define vptr_reach(type, p) ((type)vptr_found(&vptr->m_translation, (ulong)(p)))
#if VPTR_PTX
// It would make vectors of nothing there, and took longer than the look-ups.
#define vptr_stream(translation, least, greatest, holds) ~0ul
#else
// What is added to all addresses from the least to the greatest; all ones: not the same for all of them, or it is not
// known. There is no branch, so that compilers take this out of loops: no more than a window, they lie in two at most.
static ulong vptr_stream(const struct vptr_translation *translation, ulong least, ulong greatest, int holds) {
  ulong first = (least - translation->base) >> translation->shift;
  ulong last = (greatest - translation->base) >> translation->shift;
  int is_first = first < translation->windows, is_last = last < translation->windows;
  ulong from = translation->table[is_first ? 6 + first : 0], to = translation->table[is_last ? 6 + last : 0];
  from = is_first ? from : 0;
  to = is_last ? to : 0;
  int is_same = (holds != 0) & (from == to) & (greatest - least < 1ul << translation->shift);
  return is_same ? from : ~0ul;
}
#endif
#else
#define vptr_reach(type, p) (p)
#define vptr_stream(translation, least, greatest, holds) 0ul
#endif
