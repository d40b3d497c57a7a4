// What is about threads: where they are, barriers that count, fences and clocks. The grid may be a piece of a larger one:
// the global offset is then the piece's number, and each before it has as many blocks as fit into VPTR_PIECE work-items.
//: index
#ifdef VPTR_GRID_X
#define VPTR_GRID_DIM_x ((uint)(VPTR_GRID_X))
#define VPTR_GRID_DIM_y ((uint)(VPTR_GRID_Y))
#define VPTR_GRID_DIM_z ((uint)(VPTR_GRID_Z))
#define VPTR_BLOCK(n) ((uint)(get_group_id(n) + get_global_offset(n) * (VPTR_PIECE / get_local_size(n))))
#else
#define VPTR_GRID_DIM_x ((uint)get_num_groups(0))
#define VPTR_GRID_DIM_y ((uint)get_num_groups(1))
#define VPTR_GRID_DIM_z ((uint)get_num_groups(2))
#define VPTR_BLOCK(n) ((uint)get_group_id(n))
#endif
#define VPTR_BLOCK_IDX_x VPTR_BLOCK(0)
#define VPTR_BLOCK_IDX_y VPTR_BLOCK(1)
#define VPTR_BLOCK_IDX_z VPTR_BLOCK(2)
#define VPTR_BLOCK_DIM_x ((uint)get_local_size(0))
#define VPTR_BLOCK_DIM_y ((uint)get_local_size(1))
#define VPTR_BLOCK_DIM_z ((uint)get_local_size(2))
#define VPTR_THREAD_IDX_x ((uint)get_local_id(0))
#define VPTR_THREAD_IDX_y ((uint)get_local_id(1))
#define VPTR_THREAD_IDX_z ((uint)get_local_id(2))
//: threads
#ifndef VPTR_FORMS
#define VPTR_FORMS 3
#endif
#define VPTR_IS_SHORT (VPTR_FORMS == 2 || (VPTR_FORMS == 3 && vptr_bx < 8))
#define VPTR_SPLITS_WARPS (VPTR_FORMS == 2 || (VPTR_FORMS == 3 && vptr_bx % 32 != 0 && vptr_by * vptr_bz != 1))
#define VPTR_AT (vptr_row + vptr_x)
#define VPTR_THREADS_NONE const uint vptr_x = 0, vptr_y = 0, vptr_z = 0; const ulong vptr_row = 0;
#define VPTR_THREADS_BEGIN \
  for (uint vptr_z = 0; vptr_z < vptr_bz; vptr_z++) \
    for (uint vptr_y = 0; vptr_y < vptr_by; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      for (uint vptr_x = 0; vptr_x < vptr_bx; vptr_x++) {
#define VPTR_THREADS_BELOW(type, end) \
  for (uint vptr_z = 0; vptr_z < vptr_bz; vptr_z++) \
    for (uint vptr_y = 0; vptr_y < vptr_by; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      const type vptr_limit = (end); \
      const uint vptr_end = vptr_limit <= 0 ? 0u : vptr_limit < (type)vptr_bx ? (uint)vptr_limit : vptr_bx; \
      for (uint vptr_x = 0; vptr_x < vptr_end; vptr_x++) {
#define VPTR_THREADS_AT(type, place) \
  for (uint vptr_z = 0; vptr_z < vptr_bz; vptr_z++) \
    for (uint vptr_y = 0; vptr_y < vptr_by; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      const type vptr_place = (place); \
      const uint vptr_x = (uint)vptr_place; \
      if (vptr_place >= 0 && vptr_place < (type)vptr_bx) {
#define VPTR_THREADS_EACH(type, place, step) \
  for (uint vptr_z = 0; vptr_z < vptr_bz; vptr_z++) \
    for (uint vptr_y = 0; vptr_y < vptr_by; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      const type vptr_place = (place); \
      const uint vptr_end = vptr_place >= 0 && vptr_place < (type)step ? vptr_bx : 0u; \
      for (uint vptr_x = (uint)vptr_place; vptr_x < vptr_end; vptr_x += step) {
#define VPTR_THREADS_LED \
  for (uint vptr_z = 0; vptr_z < vptr_bz; vptr_z++) \
    for (uint vptr_y = 0; vptr_y < vptr_by; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      for (uint vptr_w = 0; vptr_w < vptr_bx; vptr_w += 32) {
#define VPTR_THREADS_LEAD const uint vptr_x = vptr_w;
#define VPTR_THREADS_BEHIND \
  const uint vptr_end = min(vptr_bx, vptr_w + 32u); \
  for (uint vptr_x = vptr_w; vptr_x < vptr_end; vptr_x++) {
#define VPTR_THREADS_OF(arms, part, arm) \
  for (uint vptr_z = 0; vptr_z < vptr_bz; vptr_z++) \
    for (uint vptr_y = 0; vptr_y < vptr_by; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      for (uint vptr_x = part.from; vptr_x < part.to; vptr_x++) { \
        if (!part.has_all && arms[VPTR_AT] != arm) \
          continue;
#define VPTR_THREADS_END } }
#define VPTR_BLOCK_PARAMETERS \
  uint vptr_bx, uint vptr_by, uint vptr_bz, uint vptr_ix, uint vptr_iy, uint vptr_iz, \
  uint vptr_gx, uint vptr_gy, uint vptr_gz
#define VPTR_BLOCK_HERE vptr_bx, vptr_by, vptr_bz, vptr_ix, vptr_iy, vptr_iz, vptr_gx, vptr_gy, vptr_gz
// All loops go over a box, or with vptr_marks over the whole block, where they pass by those that are not marked. That is a
// constant for the driver's compiler: a kernel has the function twice (emit/kernel.c). A hint says that no round of a loop
// reads what another one writes (emit/parallel.c).
//: staying threads
#define VPTR_STAYING_ALL(threads) \
  uint vptr_fy = 0, vptr_fz = 0, vptr_ex = vptr_bx, vptr_ey = vptr_by, vptr_ez = vptr_bz; \
  uint vptr_is_marked = 0; \
  uchar vptr_stay[threads];
#define VPTR_PARALLEL _Pragma("clang loop vectorize(assume_safety)")
#define VPTR_STAYING_BEGIN(hint) \
  for (uint vptr_z = vptr_fz; vptr_z < vptr_ez; vptr_z++) \
    for (uint vptr_y = vptr_fy; vptr_y < vptr_ey; vptr_y++) { \
      const ulong vptr_row = (ulong)(vptr_z * vptr_by + vptr_y) * vptr_bx; \
      hint for (uint vptr_x = 0; vptr_x < vptr_ex; vptr_x++) { \
        if (vptr_is_marked && !vptr_stay[VPTR_AT]) \
          continue;
#define VPTR_LEAVE_BEGIN(hint) { \
  uint vptr_stayed = 0; \
  VPTR_STAYING_BEGIN(hint) \
        uint vptr_stays = 0; {
#define VPTR_LEAVE_END \
        vptr_stayed += vptr_stays; \
        vptr_stay[VPTR_AT] = (uchar)vptr_stays; \
      } } \
  if (vptr_stayed == 0) \
    return; \
  if (vptr_marks) { \
    vptr_is_marked = 1; \
  } else if (vptr_stayed != vptr_ex * (vptr_ey - vptr_fy) * (vptr_ez - vptr_fz) && \
             !vptr_box(vptr_stay, vptr_bx, vptr_by, vptr_stayed, &vptr_fy, &vptr_fz, &vptr_ex, &vptr_ey, &vptr_ez)) { \
    *vptr_torn = 1; \
    return; \
  } }
static int vptr_box(const uchar *stay, uint bx, uint by, uint stayed, uint *fy, uint *fz, uint *ex, uint *ey,
                    uint *ez) {
  uint length = 0, ly = ~0u, lz = ~0u, hy = 0, hz = 0;
  for (uint z = *fz; z < *ez; z++)
    for (uint y = *fy; y < *ey; y++) {
      const uchar *row = stay + (size_t)(z * by + y) * bx;
      uint x = 0;
      while (x < *ex && row[x])
        x++;
      if (x == 0)
        continue;
      if (length != 0 && x != length)
        return 0;
      length = x;
      ly = min(ly, y), lz = min(lz, z);
      hy = max(hy, y + 1), hz = max(hz, z + 1);
    }
  if (stayed != length * (hy - ly) * (hz - lz))
    return 0;
  *fy = ly, *fz = lz, *ex = length, *ey = hy, *ez = hz;
  return 1;
}
//: blocks index threads
#define VPTR_BLOCKS_BEGIN { \
  const uint vptr_bx = (uint)(vptr_block & 65535), vptr_by = (uint)(vptr_block >> 16 & 65535); \
  const uint vptr_bz = (uint)(vptr_block >> 32 & 65535); \
  const uint vptr_gx = (uint)vptr_blocks, vptr_gy = (uint)(vptr_blocks >> 32 & 65535); \
  const uint vptr_gz = (uint)(vptr_blocks >> 48); \
  const ulong vptr_first = (vptr_block >> 48) * (VPTR_BLOCK_IDX_x + (ulong)VPTR_GRID_DIM_x * \
    (VPTR_BLOCK_IDX_y + (ulong)VPTR_GRID_DIM_y * VPTR_BLOCK_IDX_z)); \
  ulong vptr_left = min(vptr_block >> 48, (ulong)vptr_gx * vptr_gy * vptr_gz - vptr_first); \
  uint vptr_ix = (uint)(vptr_first % vptr_gx), vptr_iy = (uint)(vptr_first / vptr_gx % vptr_gy); \
  uint vptr_iz = (uint)(vptr_first / vptr_gx / vptr_gy); \
  for (; vptr_left > 0; vptr_left--) {
#define VPTR_BLOCKS_END \
    if (++vptr_ix < vptr_gx) \
      continue; \
    vptr_ix = 0; \
    if (++vptr_iy < vptr_gy) \
      continue; \
    vptr_iy = 0; \
    vptr_iz++; \
  } }
//: part
#if VPTR_MEETS
void vptr_part(void) __asm("llvm.sideeffect");
#define VPTR_PART vptr_part()
#define VPTR_PART_IN_WAY(n) __asm__ volatile("" : : "i"(n))
#else
#define VPTR_PART ((void)0)
#define VPTR_PART_IN_WAY(n) ((void)0)
#endif
//: barrier_count part
static int vptr_barrier_count(__local int *scratch, int predicate) {
  VPTR_PART;
  if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0)
    *scratch = 0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  VPTR_PART;
  if (predicate)
    atomic_inc(scratch);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int count = *scratch;
  barrier(CLK_LOCAL_MEM_FENCE);
  return count;
}
//: barrier_or barrier_count
static int vptr_barrier_or(__local int *scratch, int predicate) { return vptr_barrier_count(scratch, predicate) != 0; }
//: barrier_and barrier_count
static int vptr_barrier_and(__local int *scratch, int predicate) { return vptr_barrier_count(scratch, !predicate) == 0; }
//: meet
#if VPTR_MEETS
#define VPTR_MEET vptr_meet()
static void vptr_meet(void) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  __asm__ volatile("");
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
#else
#define VPTR_MEET ((void)0)
#endif
//: fence_device
static void vptr_fence_device(void) {
#if VPTR_PTX
  __asm__ volatile("membar.gl;" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
//: fence_block
static void vptr_fence_block(void) {
#if VPTR_PTX
  __asm__ volatile("membar.cta;" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
//: fence_system
static void vptr_fence_system(void) {
#if VPTR_PTX
  __asm__ volatile("membar.sys;" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
//: clock64
static long vptr_clock64(void) {
#if VPTR_PTX
  long now;
  __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
  return now;
#else
  return (long)__builtin_readcyclecounter();
#endif
}
//: clock clock64
static long vptr_clock(void) { return vptr_clock64(); }
//: nanosleep
static void vptr_nanosleep(uint nanoseconds) {
#if VPTR_PTX
  __asm__ volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory");
#endif
}
//: fail
static void vptr_fail(volatile __global int *status, int code) { atomic_cmpxchg(status, 0, code); }
//: fail_first
static int vptr_fail_first(volatile __global int *status, int code) { return atomic_cmpxchg(status, 0, code) == 0; }
//: memset
static __@ uchar *vptr_memset_@(__@ uchar *to, int value, ulong n) {
  for (ulong i = 0; i < n; i++)
    to[i] = (uchar)value;
  return to;
}
