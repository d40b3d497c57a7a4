// Numbers that may lie where others are seen: typed so that a driver's compiler does not take them for strangers.
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
