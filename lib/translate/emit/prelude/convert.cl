// Conversions to integers saturate, as those of CUDA do. A NaN becomes 0 from float to 32 bits, else the topmost bit alone.
//: float_to_int_rn
static int vptr_float_to_int_rn(float x) { return isnan(x) ? 0 : convert_int_sat_rte(x); }
//: float_to_int_rz
static int vptr_float_to_int_rz(float x) { return isnan(x) ? 0 : convert_int_sat_rtz(x); }
//: float_to_int_ru
static int vptr_float_to_int_ru(float x) { return isnan(x) ? 0 : convert_int_sat_rtp(x); }
//: float_to_int_rd
static int vptr_float_to_int_rd(float x) { return isnan(x) ? 0 : convert_int_sat_rtn(x); }
//: float_to_uint_rn
static uint vptr_float_to_uint_rn(float x) { return isnan(x) ? 0 : convert_uint_sat_rte(x); }
//: float_to_uint_rz
static uint vptr_float_to_uint_rz(float x) { return isnan(x) ? 0 : convert_uint_sat_rtz(x); }
//: float_to_uint_ru
static uint vptr_float_to_uint_ru(float x) { return isnan(x) ? 0 : convert_uint_sat_rtp(x); }
//: float_to_uint_rd
static uint vptr_float_to_uint_rd(float x) { return isnan(x) ? 0 : convert_uint_sat_rtn(x); }
//: float_to_long_rn
static long vptr_float_to_long_rn(float x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rte(x); }
//: float_to_long_rz
static long vptr_float_to_long_rz(float x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rtz(x); }
//: float_to_long_ru
static long vptr_float_to_long_ru(float x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rtp(x); }
//: float_to_long_rd
static long vptr_float_to_long_rd(float x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rtn(x); }
//: float_to_ulong_rn
static ulong vptr_float_to_ulong_rn(float x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rte(x); }
//: float_to_ulong_rz
static ulong vptr_float_to_ulong_rz(float x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rtz(x); }
//: float_to_ulong_ru
static ulong vptr_float_to_ulong_ru(float x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rtp(x); }
//: float_to_ulong_rd
static ulong vptr_float_to_ulong_rd(float x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rtn(x); }
//: double_to_int_rn
static int vptr_double_to_int_rn(double x) { return isnan(x) ? (int)(1u << 31) : convert_int_sat_rte(x); }
//: double_to_int_rz
static int vptr_double_to_int_rz(double x) { return isnan(x) ? (int)(1u << 31) : convert_int_sat_rtz(x); }
//: double_to_int_ru
static int vptr_double_to_int_ru(double x) { return isnan(x) ? (int)(1u << 31) : convert_int_sat_rtp(x); }
//: double_to_int_rd
static int vptr_double_to_int_rd(double x) { return isnan(x) ? (int)(1u << 31) : convert_int_sat_rtn(x); }
//: double_to_uint_rn
static uint vptr_double_to_uint_rn(double x) { return isnan(x) ? 1u << 31 : convert_uint_sat_rte(x); }
//: double_to_uint_rz
static uint vptr_double_to_uint_rz(double x) { return isnan(x) ? 1u << 31 : convert_uint_sat_rtz(x); }
//: double_to_uint_ru
static uint vptr_double_to_uint_ru(double x) { return isnan(x) ? 1u << 31 : convert_uint_sat_rtp(x); }
//: double_to_uint_rd
static uint vptr_double_to_uint_rd(double x) { return isnan(x) ? 1u << 31 : convert_uint_sat_rtn(x); }
//: double_to_long_rn
static long vptr_double_to_long_rn(double x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rte(x); }
//: double_to_long_rz
static long vptr_double_to_long_rz(double x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rtz(x); }
//: double_to_long_ru
static long vptr_double_to_long_ru(double x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rtp(x); }
//: double_to_long_rd
static long vptr_double_to_long_rd(double x) { return isnan(x) ? (long)(1UL << 63) : convert_long_sat_rtn(x); }
//: double_to_ulong_rn
static ulong vptr_double_to_ulong_rn(double x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rte(x); }
//: double_to_ulong_rz
static ulong vptr_double_to_ulong_rz(double x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rtz(x); }
//: double_to_ulong_ru
static ulong vptr_double_to_ulong_ru(double x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rtp(x); }
//: double_to_ulong_rd
static ulong vptr_double_to_ulong_rd(double x) { return isnan(x) ? 1UL << 63 : convert_ulong_sat_rtn(x); }
//: double_high
static int vptr_double_high(double x) { return (int)(as_long(x) >> 32); }
//: double_low
static int vptr_double_low(double x) { return (int)as_long(x); }
//: double_of
static double vptr_double_of(int high, int low) { return as_double((ulong)(uint)high << 32 | (uint)low); }
