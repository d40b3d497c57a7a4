// The math library's functions that OpenCL has not, or means otherwise.
//: rcbrt_float
static float vptr_rcbrt_float(float x) { return 1.0f / cbrt(x); }
//: rhypot_float
static float vptr_rhypot_float(float x, float y) { return 1.0f / hypot(x, y); }
//: norm3d_float
static float vptr_norm3d_float(float x, float y, float z) { return hypot(hypot(x, y), z); }
//: rnorm3d_float norm3d_float
static float vptr_rnorm3d_float(float x, float y, float z) { return 1.0f / vptr_norm3d_float(x, y, z); }
//: norm4d_float
static float vptr_norm4d_float(float x, float y, float z, float w) { return hypot(hypot(x, y), hypot(z, w)); }
//: rnorm4d_float norm4d_float
static float vptr_rnorm4d_float(float x, float y, float z, float w) { return 1.0f / vptr_norm4d_float(x, y, z, w); }
//: lrint_float
static long vptr_lrint_float(float x) { return convert_long_sat_rte(x); }
//: lround_float
static long vptr_lround_float(float x) { return convert_long_sat(round(x)); }
//: ilogb_float
static int vptr_ilogb_float(float x) {
  if (x == 0 || isnan(x))
    return INT_MIN;
  return isinf(x) ? INT_MAX : ilogb(x);
}
//: scalbln_float
static float vptr_scalbln_float(float x, long n) { return ldexp(x, (int)clamp(n, -5000L, 5000L)); }
//: nan_float
static float vptr_nan_float(__constant char *tag) { return as_float(0x7fc00000u); }
//: add_float
static float vptr_add_float(float x, float y) {
#pragma OPENCL FP_CONTRACT OFF
  return x + y;
}
//: sub_float
static float vptr_sub_float(float x, float y) {
#pragma OPENCL FP_CONTRACT OFF
  return x - y;
}
//: mul_float
static float vptr_mul_float(float x, float y) {
#pragma OPENCL FP_CONTRACT OFF
  return x * y;
}
//: divide_float
static float vptr_divide_float(float x, float y) {
#pragma OPENCL FP_CONTRACT OFF
  return x / y;
}
//: reciprocal_float
static float vptr_reciprocal_float(float x) { return 1.0f / x; }
//: rcbrt_double
static double vptr_rcbrt_double(double x) { return 1.0 / cbrt(x); }
//: rhypot_double
static double vptr_rhypot_double(double x, double y) { return 1.0 / hypot(x, y); }
//: norm3d_double
static double vptr_norm3d_double(double x, double y, double z) { return hypot(hypot(x, y), z); }
//: rnorm3d_double norm3d_double
static double vptr_rnorm3d_double(double x, double y, double z) { return 1.0 / vptr_norm3d_double(x, y, z); }
//: norm4d_double
static double vptr_norm4d_double(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
//: rnorm4d_double norm4d_double
static double vptr_rnorm4d_double(double x, double y, double z, double w) { return 1.0 / vptr_norm4d_double(x, y, z, w); }
//: lrint_double
static long vptr_lrint_double(double x) { return convert_long_sat_rte(x); }
//: lround_double
static long vptr_lround_double(double x) { return convert_long_sat(round(x)); }
//: ilogb_double
static int vptr_ilogb_double(double x) {
  if (x == 0 || isnan(x))
    return INT_MIN;
  return isinf(x) ? INT_MAX : ilogb(x);
}
//: scalbln_double
static double vptr_scalbln_double(double x, long n) { return ldexp(x, (int)clamp(n, -5000L, 5000L)); }
//: nan_double
// Not OpenCL's nan(): PoCL's, of double, is a signalling one.
static double vptr_nan_double(__constant char *tag) { return as_double(0x7ff8000000000000ul); }
//: add_double
static double vptr_add_double(double x, double y) {
#pragma OPENCL FP_CONTRACT OFF
  return x + y;
}
//: sub_double
static double vptr_sub_double(double x, double y) {
#pragma OPENCL FP_CONTRACT OFF
  return x - y;
}
//: mul_double
static double vptr_mul_double(double x, double y) {
#pragma OPENCL FP_CONTRACT OFF
  return x * y;
}
//: divide_double
static double vptr_divide_double(double x, double y) {
#pragma OPENCL FP_CONTRACT OFF
  return x / y;
}
//: reciprocal_double
static double vptr_reciprocal_double(double x) { return 1.0 / x; }
//: saturate
static float vptr_saturate(float x) { return isnan(x) ? 0.0f : clamp(x, 0.0f, 1.0f); }
