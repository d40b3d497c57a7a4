// Atomic operations that OpenCL 1.2 does not have on int and unsigned. A line `//: name needs...` begins a piece; where a
// piece has an @, it is written out for each space that it is used with: global, local, private.
//: wide
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
//: state
#define VPTR_STATE_global "global"
#define VPTR_STATE_local "shared"
//: atomic_inc_uint
static uint vptr_atomic_inc_uint_@(volatile __@ uint *p, uint limit) {
  uint seen = *p, before;
  do {
    before = seen;
    seen = atomic_cmpxchg(p, before, before >= limit ? 0u : before + 1u);
  } while (seen != before);
  return before;
}
//: atomic_dec_uint
static uint vptr_atomic_dec_uint_@(volatile __@ uint *p, uint limit) {
  uint seen = *p, before;
  do {
    before = seen;
    seen = atomic_cmpxchg(p, before, before == 0u || before > limit ? limit : before - 1u);
  } while (seen != before);
  return before;
}
//: atomic_add_ulong wide
static ulong vptr_atomic_add_ulong_@(volatile __@ ulong *p, ulong value) { return atom_add(p, value); }
//: atomic_xchg_ulong wide
static ulong vptr_atomic_xchg_ulong_@(volatile __@ ulong *p, ulong value) { return atom_xchg(p, value); }
//: atomic_cmpxchg_ulong wide
static ulong vptr_atomic_cmpxchg_ulong_@(volatile __@ ulong *p, ulong expected, ulong value) {
  return atom_cmpxchg(p, expected, value);
}
//: atomic_min_ulong wide
static ulong vptr_atomic_min_ulong_@(volatile __@ ulong *p, ulong value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_min(p, value);
#else
  ulong seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, min(before, value));
  } while (seen != before);
  return before;
#endif
}
//: atomic_max_ulong wide
static ulong vptr_atomic_max_ulong_@(volatile __@ ulong *p, ulong value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_max(p, value);
#else
  ulong seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, max(before, value));
  } while (seen != before);
  return before;
#endif
}
//: atomic_and_ulong wide
static ulong vptr_atomic_and_ulong_@(volatile __@ ulong *p, ulong value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_and(p, value);
#else
  ulong seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, before & value);
  } while (seen != before);
  return before;
#endif
}
//: atomic_or_ulong wide
static ulong vptr_atomic_or_ulong_@(volatile __@ ulong *p, ulong value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_or(p, value);
#else
  ulong seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, before | value);
  } while (seen != before);
  return before;
#endif
}
//: atomic_xor_ulong wide
static ulong vptr_atomic_xor_ulong_@(volatile __@ ulong *p, ulong value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_xor(p, value);
#else
  ulong seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, before ^ value);
  } while (seen != before);
  return before;
#endif
}
//: atomic_min_long wide
static long vptr_atomic_min_long_@(volatile __@ long *p, long value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_min(p, value);
#else
  long seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, min(before, value));
  } while (seen != before);
  return before;
#endif
}
//: atomic_max_long wide
static long vptr_atomic_max_long_@(volatile __@ long *p, long value) {
#ifdef cl_khr_int64_extended_atomics
  return atom_max(p, value);
#else
  long seen = *p, before;
  do {
    before = seen;
    seen = atom_cmpxchg(p, before, max(before, value));
  } while (seen != before);
  return before;
#endif
}
//: atomic_add_float state
static float vptr_atomic_add_float_@(volatile __@ float *p, float value) {
#if VPTR_PTX
  float before;
  __asm__ volatile("atom." VPTR_STATE_@ ".add.f32 %0, [%1], %2;" : "=f"(before) : "l"(p), "f"(value) : "memory");
  return before;
#else
  volatile __@ int *bits = (volatile __@ int *)p;
  int seen = *bits, before;
  do {
    before = seen;
    seen = atomic_cmpxchg(bits, before, as_int(as_float(before) + value));
  } while (seen != before);
  return as_float(before);
#endif
}
//: atomic_add_double wide state
static double vptr_atomic_add_double_@(volatile __@ double *p, double value) {
#if VPTR_PTX
  double before;
  __asm__ volatile("atom." VPTR_STATE_@ ".add.f64 %0, [%1], %2;" : "=d"(before) : "l"(p), "d"(value) : "memory");
  return before;
#else
  volatile __@ long *bits = (volatile __@ long *)p;
  long seen = *bits, before;
  do {
    before = seen;
    seen = atom_cmpxchg(bits, before, as_long(as_double(before) + value));
  } while (seen != before);
  return as_double(before);
#endif
}
// 16 bytes at once: two accesses of 8 under a lock, one of 256 in global memory, by bits of the address that stay the
// same in every mapping of a page. Threads may run in lockstep, so who has the lock does all inside the loop.
//: locked any fence_device
#define VPTR_LOCKED(action) \
  volatile __global uint *lock = locks + ((ulong)at >> 4 & 255ul); \
  ulong2 before = (ulong2)(0ul, 0ul); \
  bool is_done = false; \
  while (!is_done) { \
    if (atomic_cmpxchg(lock, 0u, 1u) == 0u) { \
      vptr_fence_device(); \
      before = (ulong2)(at[0], at[1]); \
      action \
      vptr_fence_device(); \
      atomic_xchg(lock, 0u); \
      is_done = true; \
    } \
  } \
  return before;
//: locked_cmpxchg locked
static ulong2 vptr_locked_cmpxchg_@(volatile __@ vptr_any_ulong *at, ulong2 expected, ulong2 value,
                                    __global uint *locks) {
  VPTR_LOCKED(if (before.x == expected.x && before.y == expected.y) {
    at[0] = value.x;
    at[1] = value.y;
  })
}
//: locked_xchg locked
static ulong2 vptr_locked_xchg_@(volatile __@ vptr_any_ulong *at, ulong2 value, __global uint *locks) {
  VPTR_LOCKED({
    at[0] = value.x;
    at[1] = value.y;
  })
}
