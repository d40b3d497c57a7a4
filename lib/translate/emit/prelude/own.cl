// Atomic operations on memory that nobody else touches meanwhile: shared memory, where one work-item runs the block
// (emit/call.c). The same memory may be seen as numbers of several types by such operations.
//: own
#define VPTR_OWN(name, type, after) \
  static type vptr_own_##name##_##type(volatile __local type *at, type value) { \
    typedef type __attribute__((may_alias)) own; \
    __local own *p = (__local own *)at; \
    const type before = *p; \
    *p = after; \
    return before; \
  }
#define VPTR_OWN_CMPXCHG(type) \
  static type vptr_own_cmpxchg_##type(volatile __local type *at, type expected, type value) { \
    typedef type __attribute__((may_alias)) own; \
    __local own *p = (__local own *)at; \
    const type before = *p; \
    if (before == expected) \
      *p = value; \
    return before; \
  }
//: own_add_int own
VPTR_OWN(add, int, (int)((uint)before + (uint)value))
//: own_sub_int own
VPTR_OWN(sub, int, (int)((uint)before - (uint)value))
//: own_and_int own
VPTR_OWN(and, int, before & value)
//: own_or_int own
VPTR_OWN(or, int, before | value)
//: own_xor_int own
VPTR_OWN(xor, int, before ^ value)
//: own_xchg_int own
VPTR_OWN(xchg, int, value)
//: own_cmpxchg_int own
VPTR_OWN_CMPXCHG(int)
//: own_add_uint own
VPTR_OWN(add, uint, before + value)
//: own_sub_uint own
VPTR_OWN(sub, uint, before - value)
//: own_and_uint own
VPTR_OWN(and, uint, before & value)
//: own_or_uint own
VPTR_OWN(or, uint, before | value)
//: own_xor_uint own
VPTR_OWN(xor, uint, before ^ value)
//: own_xchg_uint own
VPTR_OWN(xchg, uint, value)
//: own_cmpxchg_uint own
VPTR_OWN_CMPXCHG(uint)
//: own_add_ulong own
VPTR_OWN(add, ulong, before + value)
//: own_and_ulong own
VPTR_OWN(and, ulong, before & value)
//: own_or_ulong own
VPTR_OWN(or, ulong, before | value)
//: own_xor_ulong own
VPTR_OWN(xor, ulong, before ^ value)
//: own_xchg_ulong own
VPTR_OWN(xchg, ulong, value)
//: own_cmpxchg_ulong own
VPTR_OWN_CMPXCHG(ulong)
//: own_min_int own
VPTR_OWN(min, int, min(before, value))
//: own_max_int own
VPTR_OWN(max, int, max(before, value))
//: own_min_uint own
VPTR_OWN(min, uint, min(before, value))
//: own_max_uint own
VPTR_OWN(max, uint, max(before, value))
//: own_min_long own
VPTR_OWN(min, long, min(before, value))
//: own_max_long own
VPTR_OWN(max, long, max(before, value))
//: own_min_ulong own
VPTR_OWN(min, ulong, min(before, value))
//: own_max_ulong own
VPTR_OWN(max, ulong, max(before, value))
//: own_inc_uint own
VPTR_OWN(inc, uint, before >= value ? 0u : before + 1u)
//: own_dec_uint own
VPTR_OWN(dec, uint, before == 0u || before > value ? value : before - 1u)
//: own_add_float own
VPTR_OWN(add, float, before + value)
//: own_xchg_float own
VPTR_OWN(xchg, float, value)
//: own_add_double own
VPTR_OWN(add, double, before + value)
// 16 bytes at once need no lock then.
//: own_locked_cmpxchg any
static ulong2 vptr_own_locked_cmpxchg_@(volatile __@ vptr_any_ulong *at, ulong2 expected, ulong2 value,
                                        __global uint *locks) {
  const ulong2 before = (ulong2)(at[0], at[1]);
  if (before.x == expected.x && before.y == expected.y) {
    at[0] = value.x;
    at[1] = value.y;
  }
  return before;
}
//: own_locked_xchg any
static ulong2 vptr_own_locked_xchg_@(volatile __@ vptr_any_ulong *at, ulong2 value, __global uint *locks) {
  const ulong2 before = (ulong2)(at[0], at[1]);
  at[0] = value.x;
  at[1] = value.y;
  return before;
}
