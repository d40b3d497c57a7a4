// The scaled error function, the normal distribution and their inverses. erfcx(): (1 + 2x) erfcx(x) is smooth in
// x/(x + 2), and that goes from 0 to 1 (after Shepherd and Laframboise 1981). erfinv(x)/x is a smooth function of
// w = -log(1 - x^2), and of the square root of w where that is large (Giles 2012). Squares in exponents keep the part
// that rounding takes away.
//: erfcx_float polynomial_float
__constant float vptr_erfcx_near_float[] = {
  1.0f, 1.743242f, -3.2838075f, 1.6714606f, 0.533088f, -0.3757884f, -0.32313266f, 0.044553217f, 0.12875561f
};
__constant float vptr_erfcx_far_float[] = {
  1.2060953f, -0.32740676f, -0.012111397f, 0.45799702f, -0.6912799f, 0.4308591f, 0.1665778f, -0.40784246f
};
static float vptr_erfcx_float(float x) {
  float size = fabs(x), v = size / (size + 2), value = 0.564189584f / size;
  if (size <= 2)
    value = VPTR_POLYNOMIAL_FLOAT(vptr_erfcx_near_float, v) / (1 + 2 * size);
  else if (size < 1e6f)
    value = VPTR_POLYNOMIAL_FLOAT(vptr_erfcx_far_float, v - 0.75f) / (1 + 2 * size);
  if (!(x < 0))
    return value;
  float square = x * x, rest = fma(x, x, -square), power = exp(square);
  return x < -9.4f ? INFINITY : 2 * fma(power, rest, power) - value;
}
//: normcdf_float erfcx_float
static float vptr_normcdf_float(float x) {
  float size = fabs(x) > 15.0f ? 15.0f : fabs(x);
  float square = size * size, rest = fma(size, size, -square), power = exp(-0.5f * square);
  float tail = fma(power, -0.5f * rest, power) * (0.5f * vptr_erfcx_float(size * 0.707106781f));
  return x > 0 ? 1 - tail : tail;
}
//: erfinv_excess_float polynomial_float
// erfinv(x)/x - 1 by t = 1 - x^2, which its callers know without loss; without the 1, so that it is added but once.
__constant float vptr_erfinv_centre_float[] = {
  0.6536546f, 0.24015819f, -0.0060337107f, -0.0007406977f, 0.00018678185f, -1.3888333e-05f, -1.3863969e-06f,
  4.2610125e-07f, -2.490256e-08f, -4.6628275e-09f, 6.6767764e-10f, 2.3575282e-12f
};
__constant float vptr_erfinv_middle_float[] = {
  2.0838857f, 1.0052587f, 0.005371063f, -0.0037445736f, 0.0024879037f, -0.0017302702f, 0.00097620697f, -0.0002583033f,
  -3.1728214e-05f
};
__constant float vptr_erfinv_tail_float[] = {
  5.8690195f, 1.0085956f, -0.0005126808f, 6.37013e-06f, 6.072362e-06f, -1.6693191e-06f, 3.118322e-07f, -4.232595e-08f,
  8.213517e-09f, -2.4306934e-09f, 3.021722e-10f
};
static float vptr_erfinv_excess_float(float t) {
  float w = -log(t);
  if (w < 6.25f)
    return VPTR_POLYNOMIAL_FLOAT(vptr_erfinv_centre_float, w - 3.125f);
  w = sqrt(w);
  if (w < 4)
    return VPTR_POLYNOMIAL_FLOAT(vptr_erfinv_middle_float, w - 3.25f);
  return VPTR_POLYNOMIAL_FLOAT(vptr_erfinv_tail_float, w - 7);
}
//: erfinv_float erfinv_excess_float
static float vptr_erfinv_float(float x) {
  float size = fabs(x);
  if (size < 1)
    return copysign(fma(size, vptr_erfinv_excess_float(fma(-size, size, 1.0f)), size), x);
  return size == 1 ? copysign((float)INFINITY, x) : NAN;
}
//: erfcinv_float erfinv_excess_float
static float vptr_erfcinv_float(float x) {
  if (x > 0 && x < 2)
    return fma(1 - x, vptr_erfinv_excess_float(fma(-x, x, 2 * x)), 1 - x);
  return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
}
//: normcdfinv_float erfcinv_float
static float vptr_normcdfinv_float(float x) { return 0 - 1.41421356f * vptr_erfcinv_float(2 * x); }
//: erfcx_double polynomial_double
__constant double vptr_erfcx_near_double[] = {
  1.0, 1.7432416658089749, -3.283791670955117, 1.6711527677704352, 0.5359860840068882, -0.39021618170667366,
  -0.2858895612743688, 0.006625884756333109, 0.10612273666014019, 0.06295724178798612, 0.0019012343030918439,
  -0.02702953500676641, -0.011731797236227711, -0.02826561816551348, 0.04616540591811981, -0.05140442929395877,
  0.05366956300785218, -0.021201383987039798
};
__constant double vptr_erfcx_far_double[] = {
  1.2060953814069986, -0.32740671221131096, -0.012114111244834374, 0.4579726569824554, -0.6910551393507144,
  0.4328324250601995, 0.1603182985037461, -0.45993353896935973, 0.06380393870191606, 0.45942201737854604,
  -0.17689518080143782, -0.5499766851515453, 0.2494383836354769, 0.8019304899085372, -0.25909294903197694,
  -1.331210563300075, 0.09448085585276894, 2.1864654121219322, 0.23213799727215295, -2.5138067355626954
};
static double vptr_erfcx_double(double x) {
  double size = fabs(x), v = size / (size + 2), value = 0.56418958354775629 / size;
  if (size <= 2)
    value = VPTR_POLYNOMIAL_DOUBLE(vptr_erfcx_near_double, v) / (1 + 2 * size);
  else if (size < 1e9)
    value = VPTR_POLYNOMIAL_DOUBLE(vptr_erfcx_far_double, v - 0.75) / (1 + 2 * size);
  if (!(x < 0))
    return value;
  double square = x * x, rest = fma(x, x, -square), power = exp(square);
  return x < -26.64 ? INFINITY : 2 * fma(power, rest, power) - value;
}
//: normcdf_double erfcx_double
static double vptr_normcdf_double(double x) {
  double size = fabs(x) > 40.0 ? 40.0 : fabs(x);
  double square = size * size, rest = fma(size, size, -square), power = exp(-0.5 * square);
  double tail = fma(power, -0.5 * rest, power) * (0.5 * vptr_erfcx_double(size * 0.70710678118654752));
  return x > 0 ? 1 - tail : tail;
}
//: erfinv_excess_double polynomial_double
// erfinv(x)/x - 1 by t = 1 - x^2, which its callers know without loss; without the 1, so that it is added but once.
__constant double vptr_erfinv_centre_double[] = {
  0.6536545626831027, 0.2401581824255883, -0.00603367087142785, -0.000740702534154477, 0.00018673420802464837,
  -1.3882523394405316e-05, -1.3654691850603575e-06, 4.234788173782339e-07, -2.9070382262927266e-08,
  -4.11266082002324e-09, 1.0512181539804126e-09, -5.414287198084716e-11, -1.2976885526532075e-11,
  2.6304834740560442e-12, -8.118399443074353e-14, -4.001237735091896e-14, 6.596407712420834e-15,
  -4.0282154327661744e-17, -1.3016928016796445e-16, 1.557432024623325e-17, 1.150022252066253e-18,
  -3.4996044354754177e-19, -1.113483769832702e-21, 3.240704459379902e-21
};
__constant double vptr_erfinv_middle_double[] = {
  2.0838856104922208, 1.0052589676941652, 0.00537091455357168, -0.003751208508215561, 0.0024914420969817607,
  -0.0016882755357337071, 0.0009532893637435638, -0.00035503780975963814, 2.4031257015092525e-05,
  6.828708654753377e-05, -4.731898412011245e-05, 1.2465167157087251e-05, 2.9257291901789823e-06,
  -3.986084395214756e-06, 1.4987130784186127e-06, -2.7004219280868947e-08, -2.713451105439456e-07,
  1.3104351499972014e-07, 6.969241977629694e-10, -1.5102695423335065e-08
};
__constant double vptr_erfinv_tail_double[] = {
  3.8499064014085844, 1.010300464864545, -0.00013871931837803662, -0.0002150301198124161, 7.599527804098121e-05,
  -1.968177098331766e-05, 4.526053088650738e-06, -9.930270767176146e-07, 2.2904999637178546e-07,
  -6.756625675781253e-08, 2.9026560247694944e-08, -1.522948040597956e-08, 7.80843776925128e-09,
  -3.5105490422816453e-09, 1.3284326550171806e-09, -4.0187219573484517e-10, 6.314178507821449e-11,
  2.5111428618235706e-11, -1.9005351643530266e-11, 3.7200474843457825e-12
};
__constant double vptr_erfinv_far_double[] = {
  7.380802014398701, 1.0071517831284829, -0.000439901479474698, 2.0554683078318078e-05, 2.917573389208049e-07,
  -2.828335325435237e-07, 5.6678475782066376e-08, -8.893883540386433e-09, 1.2574338522114567e-09,
  -1.676570873701896e-10, 2.1513264291882944e-11, -2.687695060235866e-12, 3.294261514587215e-13,
  -3.9169015231962106e-14, 4.44551084206866e-15, -5.619904836183401e-16, 8.432368824804382e-17, -7.61479470405444e-18
};
__constant double vptr_erfinv_farthest_double[] = {
  17.92561425342672, 1.0025348182729266, -9.721005043830569e-05, 3.849489792950346e-06, -1.5270736568855546e-07,
  5.940514065312618e-09, -2.20902517104576e-10, 7.498889876678942e-12, -2.0532683826222673e-13,
  1.9940543417961406e-15, 3.0929431616914304e-16, -3.5863068731717724e-17, 2.8331305063697233e-18,
  -1.9640483609218285e-19, 1.2230144393297867e-20, -6.83671284360433e-22, 4.5810753800461146e-23,
  -3.725940586103841e-24, 1.5140160721798868e-25, 2.9606059349503226e-27, 2.3486552475649814e-28,
  -8.348799773666152e-29, 3.453533766869821e-30
};
static double vptr_erfinv_excess_double(double t) {
  double w = -log(t);
  if (w < 6.25)
    return VPTR_POLYNOMIAL_DOUBLE(vptr_erfinv_centre_double, w - 3.125);
  w = sqrt(w);
  if (w < 4)
    return VPTR_POLYNOMIAL_DOUBLE(vptr_erfinv_middle_double, w - 3.25);
  if (w < 6.25)
    return VPTR_POLYNOMIAL_DOUBLE(vptr_erfinv_tail_double, w - 5);
  if (w < 11)
    return VPTR_POLYNOMIAL_DOUBLE(vptr_erfinv_far_double, w - 8.5);
  return VPTR_POLYNOMIAL_DOUBLE(vptr_erfinv_farthest_double, w - 19);
}
//: erfinv_double erfinv_excess_double
static double vptr_erfinv_double(double x) {
  double size = fabs(x);
  if (size < 1)
    return copysign(fma(size, vptr_erfinv_excess_double(fma(-size, size, 1.0)), size), x);
  return size == 1 ? copysign((double)INFINITY, x) : NAN;
}
//: erfcinv_double erfinv_excess_double
static double vptr_erfcinv_double(double x) {
  if (x > 0 && x < 2)
    return fma(1 - x, vptr_erfinv_excess_double(fma(-x, x, 2 * x)), 1 - x);
  return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
}
//: normcdfinv_double erfcinv_double
static double vptr_normcdfinv_double(double x) { return 0 - 1.4142135623730950 * vptr_erfcinv_double(2 * x); }
