// Warps of one work-item that runs a block as loops over its threads (emit/exchange.c): what a lane reads in an array of
// what all have given. The operands are those of PTX, as below. Both elements are loaded, whichever is taken: of one load
// at either of two places LLVM makes a gather, which is ten times as slow as two vectors and a choice.
//: lanes threads
#define VPTR_LANE ((uint)VPTR_AT & 31u)
/* Of a choice of warps: from where to where in their rows the threads of an arm are, and whether all there are. */
struct vptr_part {
  uint from, to, has_all;
};
#define VPTR_PART_SPLIT(below, rest, type, end) { \
  const type vptr_limit = (end); \
  const uint vptr_end = vptr_limit <= 0 ? 0u : vptr_limit < (type)vptr_bx ? (uint)vptr_limit : vptr_bx; \
  below = (struct vptr_part){ 0u, vptr_end, 1u }; \
  rest = (struct vptr_part){ vptr_end, vptr_bx, 1u }; \
  }
static inline void vptr_part_find(struct vptr_part *part, const uchar *arms, uint arm, uint length, uint rows) {
  uint count = 0;
  for (uint y = 0; y < rows; y++)
    for (uint x = 0; x < length; x++)
      if (arms[y * length + x] == arm) {
        part->from = min(part->from, x);
        part->to = max(part->to, x + 1u);
        count++;
      }
  part->has_all = count > 0u && count == (part->to - part->from) * rows;
}
#define VPTR_LANES_HERE vptr_lanes_here((uint)VPTR_AT, vptr_bx * vptr_by * vptr_bz)
static inline uint vptr_lanes_here(uint thread, uint threads) {
  const uint left = threads - (thread & ~31u);
  return left < 32u ? (1u << left) - 1u : ~0u;
}
static inline uint vptr_lanes_end(uint lane, uint clamp) {
  const uint segment = clamp >> 8 & 31u;
  return (lane & segment) | (clamp & 31u & ~segment);
}
static inline uint vptr_lanes_has_up(uint lane, uint by, uint clamp) {
  return (int)(lane - (by & 31u)) >= (int)vptr_lanes_end(lane, clamp);
}
static inline uint vptr_lanes_has_down(uint lane, uint by, uint clamp) {
  return lane + (by & 31u) <= vptr_lanes_end(lane, clamp);
}
static inline uint vptr_lanes_has_bfly(uint lane, uint by, uint clamp) {
  return (lane ^ (by & 31u)) <= vptr_lanes_end(lane, clamp);
}
static inline uint vptr_lanes_has_idx(uint lane, uint from, uint clamp) {
  const uint segment = clamp >> 8 & 31u;
  return ((lane & segment) | (from & 31u & ~segment)) <= vptr_lanes_end(lane, clamp);
}
#define VPTR_LANES_SHUFFLES(T, wide) \
  static inline T vptr_lanes_up##wide(const T *own, uint lane, uint by, uint clamp) { \
    const T mine = *own, other = own[-(int)(by & 31u)]; \
    return vptr_lanes_has_up(lane, by, clamp) ? other : mine; \
  } \
  static inline T vptr_lanes_down##wide(const T *own, uint lane, uint by, uint clamp) { \
    const T mine = *own, other = own[by & 31u]; \
    return vptr_lanes_has_down(lane, by, clamp) ? other : mine; \
  } \
  static inline T vptr_lanes_bfly##wide(const T *own, uint lane, uint by, uint clamp) { \
    const int step = (int)(by & 31u); \
    const T mine = *own, before = own[-step], behind = own[step]; \
    const T other = (step & (step - 1)) != 0          ? own[(int)(lane ^ (uint)step) - (int)lane] \
                    : (lane & (uint)step) != 0 ? before : behind; \
    return vptr_lanes_has_bfly(lane, by, clamp) ? other : mine; \
  } \
  static inline T vptr_lanes_idx##wide(const T *own, uint lane, uint from, uint clamp) { \
    const uint segment = clamp >> 8 & 31u; \
    const T mine = *own, other = own[(int)((lane & segment) | (from & 31u & ~segment)) - (int)lane]; \
    return vptr_lanes_has_idx(lane, from, clamp) ? other : mine; \
  } \
  static inline uint vptr_lanes_match_any##wide(uint lane, const T *warp, uint mask) { \
    uint same = 0; \
    for (uint i = 0; i < 32u; i++) \
      same |= (uint)(warp[i] == warp[lane]) << i; \
    return same & mask; \
  } \
  static inline uint vptr_lanes_match_all##wide(uint lane, const T *warp, uint mask) { \
    return vptr_lanes_match_any##wide(lane, warp, mask) == mask ? mask : 0u; \
  }
VPTR_LANES_SHUFFLES(uint, )
VPTR_LANES_SHUFFLES(ulong, _wide)
static inline uint vptr_lanes_all(uint bits, uint mask) { return (bits & mask) == mask; }
static inline uint vptr_lanes_any(uint bits, uint mask) { return (bits & mask) != 0u; }
static inline uint vptr_lanes_same(uint bits, uint mask) { return (bits & mask) == mask || (bits & mask) == 0u; }
static inline uint vptr_lanes_ballot(uint bits, uint mask) { return bits & mask; }
static inline uint vptr_lanes_ballot_own(uint lane, uint bits, uint mask) {
  return (bits >> lane & 1u) != 0u ? bits & mask : ~(bits & mask);
}
#define VPTR_LANES_REDUCTION(name, T, none, now) \
  static inline uint vptr_lanes_##name(const uint *warp, uint mask) { \
    T all = none; \
    for (uint i = 0; i < 32u; i++) { \
      const T x = (mask >> i & 1u) != 0u ? (T)warp[i] : none; \
      all = now; \
    } \
    return (uint)all; \
  }
VPTR_LANES_REDUCTION(sum, uint, 0u, all + x)
VPTR_LANES_REDUCTION(least, uint, ~0u, min(all, x))
VPTR_LANES_REDUCTION(most, uint, 0u, max(all, x))
VPTR_LANES_REDUCTION(least_signed, int, 0x7fffffff, min(all, x))
VPTR_LANES_REDUCTION(most_signed, int, (-0x7fffffff - 1), max(all, x))
VPTR_LANES_REDUCTION(and, uint, ~0u, all & x)
VPTR_LANES_REDUCTION(or, uint, 0u, all | x)
VPTR_LANES_REDUCTION(xor, uint, 0u, all ^ x)
// Warps of a device that has them: kernel C's __vptr_warp_...(), for texts that are built where VPTR_PTX is set.
// Operands and results are those of PTX (PTX ISA 8.5: shfl.sync, vote.sync, match.sync, redux.sync, barrier). A clamp is
// the segment's mask << 8 | the clamp proper.
//: warp
#if VPTR_PTX
static uint vptr_warp_lane(void) {
  uint lane;
  __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
#define VPTR_WARP_SHUFFLE(kind, name, wide)                                                                           \
  static uint name(uint mask, uint value, uint lane, uint clamp) {                                                    \
    uint read;                                                                                                        \
    __asm__ volatile("shfl.sync." kind ".b32 %0, %1, %2, %3, %4;"                                                     \
                     : "=r"(read) : "r"(value), "r"(lane), "r"(clamp), "r"(mask));                                    \
    return read;                                                                                                      \
  }                                                                                                                   \
  static ulong wide(uint mask, ulong value, uint lane, uint clamp) {                                                  \
    uint low = name(mask, (uint)value, lane, clamp);                                                                  \
    return low | (ulong)name(mask, (uint)(value >> 32), lane, clamp) << 32;                                           \
  }
VPTR_WARP_SHUFFLE("up", vptr_warp_up, vptr_warp_up_wide)
VPTR_WARP_SHUFFLE("down", vptr_warp_down, vptr_warp_down_wide)
VPTR_WARP_SHUFFLE("bfly", vptr_warp_bfly, vptr_warp_bfly_wide)
VPTR_WARP_SHUFFLE("idx", vptr_warp_idx, vptr_warp_idx_wide)
static uint vptr_warp_segment_end(uint clamp) {
  uint segment = clamp >> 8 & 31u;
  return (vptr_warp_lane() & segment) | (clamp & 31u & ~segment);
}
static uint vptr_warp_has_up(uint lane, uint clamp) {
  return (int)(vptr_warp_lane() - (lane & 31u)) >= (int)vptr_warp_segment_end(clamp);
}
static uint vptr_warp_has_down(uint lane, uint clamp) {
  return vptr_warp_lane() + (lane & 31u) <= vptr_warp_segment_end(clamp);
}
static uint vptr_warp_has_bfly(uint lane, uint clamp) {
  return (vptr_warp_lane() ^ (lane & 31u)) <= vptr_warp_segment_end(clamp);
}
static uint vptr_warp_has_idx(uint lane, uint clamp) {
  uint segment = clamp >> 8 & 31u;
  return ((vptr_warp_lane() & segment) | (lane & 31u & ~segment)) <= vptr_warp_segment_end(clamp);
}
#define VPTR_WARP_VOTE(name, kind)                                                                                    \
  static uint name(uint mask, uint value) {                                                                           \
    uint agreed;                                                                                                      \
    __asm__ volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync." kind                                       \
                     ".pred q, p, %2; selp.u32 %0, 1, 0, q; }"                                                        \
                     : "=r"(agreed) : "r"(value), "r"(mask));                                                         \
    return agreed;                                                                                                    \
  }
VPTR_WARP_VOTE(vptr_warp_all, "all")
VPTR_WARP_VOTE(vptr_warp_any, "any")
VPTR_WARP_VOTE(vptr_warp_same, "uni")
static uint vptr_warp_ballot(uint mask, uint value) {
  uint ballot;
  __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                   : "=r"(ballot) : "r"(value), "r"(mask));
  return ballot;
}
static uint vptr_warp_ballot_own(uint mask, uint value) {
  uint ballot = vptr_warp_ballot(mask, value);
  return value != 0 ? ballot : ~ballot;
}
static uint vptr_warp_active(void) {
  uint mask;
  __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
static void vptr_warp_sync(uint mask) { __asm__ volatile("bar.warp.sync %0;" : : "r"(mask) : "memory"); }
static uint vptr_warp_match_any(uint mask, uint value) {
  uint same;
  __asm__ volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(value), "r"(mask));
  return same;
}
static uint vptr_warp_match_any_wide(uint mask, ulong value) {
  uint same;
  __asm__ volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(same) : "l"(value), "r"(mask));
  return same;
}
static uint vptr_warp_match_all(uint mask, uint value) {
  uint same;
  __asm__ volatile("match.all.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(value), "r"(mask));
  return same;
}
static uint vptr_warp_match_all_wide(uint mask, ulong value) {
  uint same;
  __asm__ volatile("match.all.sync.b64 %0, %1, %2;" : "=r"(same) : "l"(value), "r"(mask));
  return same;
}
/* redux.sync is there from compute capability 8.0 on. */
#if VPTR_PTX >= 800
#define VPTR_WARP_REDUCTION(name, T, kind, now)                                                                       \
  static uint name(uint mask, uint value) {                                                                           \
    uint all;                                                                                                         \
    __asm__ volatile("redux.sync." kind " %0, %1, %2;" : "=r"(all) : "r"(value), "r"(mask));                          \
    return all;                                                                                                       \
  }
#else
#define VPTR_WARP_REDUCTION(name, T, kind, now)                                                                       \
  static uint name(uint mask, uint value) {                                                                           \
    uint rest = mask, lane = 31u - clz(rest & -rest);                                                                 \
    T all = (T)vptr_warp_idx(mask, value, lane, 31u);                                                                 \
    while ((rest &= rest - 1u) != 0u) {                                                                               \
      T x = (T)vptr_warp_idx(mask, value, 31u - clz(rest & -rest), 31u);                                              \
      all = now;                                                                                                      \
    }                                                                                                                 \
    return (uint)all;                                                                                                 \
  }
#endif
VPTR_WARP_REDUCTION(vptr_warp_sum, uint, "add.u32", all + x)
VPTR_WARP_REDUCTION(vptr_warp_least, uint, "min.u32", min(all, x))
VPTR_WARP_REDUCTION(vptr_warp_most, uint, "max.u32", max(all, x))
VPTR_WARP_REDUCTION(vptr_warp_least_signed, int, "min.s32", min(all, x))
VPTR_WARP_REDUCTION(vptr_warp_most_signed, int, "max.s32", max(all, x))
VPTR_WARP_REDUCTION(vptr_warp_and, uint, "and.b32", all & x)
VPTR_WARP_REDUCTION(vptr_warp_or, uint, "or.b32", all | x)
VPTR_WARP_REDUCTION(vptr_warp_xor, uint, "xor.b32", all ^ x)
/* Not OpenCL's barrier(), to which the threads of a warp must come together. */
static void vptr_warp_barrier(void) { __asm__ volatile("barrier.sync 0;" : : : "memory"); }
static void vptr_warp_barrier_some(uint number, uint count) {
  if (number > 15u)
    __asm__ volatile("trap;");
  if (count != 0u)
    __asm__ volatile("barrier.sync %0, %1;" : : "r"(number), "r"(count) : "memory");
  else
    __asm__ volatile("barrier.sync %0;" : : "r"(number) : "memory");
}
static void vptr_warp_barrier_arrive(uint number, uint count) {
  if (number > 15u)
    __asm__ volatile("trap;");
  __asm__ volatile("barrier.arrive %0, %1;" : : "r"(number), "r"(count) : "memory");
}
/* Release and acquire: a fence of all that is in order would cost each step of a grid twice as much. Who comes last knows
   it from its own addition, and does not look at the word again. */
static void vptr_warp_meet(volatile __global uint *word, uint mine) {
  uint old, now;
#if VPTR_PTX >= 700
  __asm__ volatile("atom.global.add.acq_rel.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(mine) : "memory");
  for (now = old + mine; ((old ^ now) & 0x80000000u) == 0u;)
    __asm__ volatile("ld.global.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
#else
  __asm__ volatile("membar.gl;" ::: "memory");
  old = atomic_add(word, mine);
  for (now = old + mine; ((old ^ now) & 0x80000000u) == 0u;)
    now = *word;
  __asm__ volatile("membar.gl;" ::: "memory");
#endif
}
static void vptr_warp_pause(uint nanoseconds) { __asm__ volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory"); }
static uint vptr_warp_barrier_count(uint value) {
  uint count;
  __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.u32 %0, 0, p; }"
                   : "=r"(count) : "r"(value) : "memory");
  return count;
}
#define VPTR_WARP_BARRIER(name, kind)                                                                                 \
  static uint name(uint value) {                                                                                      \
    uint agreed;                                                                                                      \
    __asm__ volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.red." kind                                         \
                     ".pred q, 0, p; selp.u32 %0, 1, 0, q; }"                                                         \
                     : "=r"(agreed) : "r"(value) : "memory");                                                         \
    return agreed;                                                                                                    \
  }
VPTR_WARP_BARRIER(vptr_warp_barrier_and, "and")
VPTR_WARP_BARRIER(vptr_warp_barrier_or, "or")
#endif
