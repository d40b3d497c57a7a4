// Modified Bessel functions of the first kind: up to 8 polynomials like the series (A&S 9.6.10), all of one sign, and
// then exp(x)/sqrt(x) times a smooth function of 8/x (A&S 9.7.1).
//: growth_float polynomial_float
// exp(x)/sqrt(x) p, where exp(x) alone may be too great.
static float vptr_growth_float(float x, float p) {
  if (x > 95)
    return INFINITY;
  return x > 80 ? exp(x - 32) * (p / sqrt(x)) * 7.8962960e13f : exp(x) * (p / sqrt(x));
}
//: i0_float growth_float
__constant float vptr_i0_near_float[] = {
  1.0f, 0.24999997f, 0.015625022f, 0.00043402225f, 6.78237e-06f, 6.7767296e-08f, 4.7317283e-10f, 2.3391768e-12f,
  1.0543686e-14f, 1.6166195e-17f, 1.4816679e-19f
};
__constant float vptr_i0_far_float[] = {
  0.4021765f, 0.0067211064f, 0.00054462464f, 8.897725e-05f, 2.6224638e-05f, 1.1352384e-05f
};
static float vptr_i0_float(float x) {
  x = fabs(x);
  if (x <= 8)
    return VPTR_POLYNOMIAL_FLOAT(vptr_i0_near_float, x * x);
  return vptr_growth_float(x, VPTR_POLYNOMIAL_FLOAT(vptr_i0_far_float, 8 / x - 0.5f));
}
//: i1_float growth_float
__constant float vptr_i1_near_float[] = {
  0.5f, 0.0625f, 0.0026041677f, 5.425325e-05f, 6.781957e-07f, 5.6494276e-09f, 3.3728024e-11f, 1.4763215e-13f,
  5.6781166e-16f, 9.33866e-19f, 6.3589025e-21f
};
__constant float vptr_i1_far_float[] = {
  0.38939846f, -0.019499157f, -0.0008766731f, -0.000120122204f, -3.2154196e-05f, -1.3186924e-05f
};
static float vptr_i1_float(float x) {
  float size = fabs(x);
  if (size <= 8)
    return x * VPTR_POLYNOMIAL_FLOAT(vptr_i1_near_float, x * x);
  return copysign(vptr_growth_float(size, VPTR_POLYNOMIAL_FLOAT(vptr_i1_far_float, 8 / size - 0.5f)), x);
}
//: growth_double polynomial_double
// exp(x)/sqrt(x) p, where exp(x) alone may be too great.
static double vptr_growth_double(double x, double p) {
  if (x > 720)
    return INFINITY;
  return x > 700 ? exp(x - 32) * (p / sqrt(x)) * 7.8962960182680695e13 : exp(x) * (p / sqrt(x));
}
//: i0_double growth_double
__constant double vptr_i0_near_double[] = {
  1.0, 0.25, 0.015625000000000007, 0.00043402777777777445, 6.781684027778812e-06, 6.781684027758202e-08,
  4.709502797312111e-10, 2.4028075474081917e-12, 9.385967122158306e-15, 2.896902788810415e-17, 7.242279005317181e-20,
  1.4962822964042478e-22, 2.5987841051325663e-25, 3.829411247002327e-28, 5.0327117729737235e-31,
  4.601357767863732e-34, 8.487698345602824e-37
};
__constant double vptr_i0_far_double[] = {
  0.4021765094450081, 0.006721103967335783, 0.0005448642975580585, 8.914427030761409e-05, 2.3741562849476233e-05,
  9.515517467093675e-06, 5.678089334823395e-06, 5.033615771056415e-06, 5.521358530856123e-06, 3.870394418516704e-06,
  -7.021040175065541e-06, -2.7499543514933054e-05, -2.0552065165331135e-05, 6.22612847528633e-05,
  0.00010686078749953672, -0.0001175153348168329, -0.00029691550609323587, 0.00021082781982106284,
  0.0005671960650485271, -0.00033176472371839773, -0.0006810072372374267, 0.00037115575485242354,
  0.0003823007498770266, -0.0002048663554674442
};
static double vptr_i0_double(double x) {
  x = fabs(x);
  if (x <= 8)
    return VPTR_POLYNOMIAL_DOUBLE(vptr_i0_near_double, x * x);
  return vptr_growth_double(x, VPTR_POLYNOMIAL_DOUBLE(vptr_i0_far_double, 8 / x - 0.5));
}
//: i1_double growth_double
__constant double vptr_i1_near_double[] = {
  0.5, 0.06250000000000001, 0.0026041666666666574, 5.42534722222271e-05, 6.781684027764357e-07, 5.651403356704746e-09,
  3.3639305668982475e-11, 1.5017547367976848e-13, 5.214425120919993e-16, 1.448455537254395e-18,
  3.2918259018287706e-21, 6.2370206832638684e-24, 9.956969230500738e-27, 1.408926251589232e-29,
  1.3808181584914298e-32, 2.716505589516919e-35
};
__constant double vptr_i1_far_double[] = {
  0.38939845902587233, -0.01949915438647153, -0.000876943055325511, -0.00012030837758577406, -2.9358563990384284e-05,
  -1.1148340308561003e-05, -6.400688029596135e-06, -5.520447747968862e-06, -5.988895477340815e-06,
  -4.3172705141413975e-06, 7.011920178451804e-06, 2.877797771005039e-05, 2.2822987358589073e-05,
  -6.297396272141101e-05, -0.00011377735489924936, 0.00011474584185373249, 0.0003121990911931354,
  -0.0001994681753361545, -0.000593085100437129, 0.0003077919011489179, 0.0007101740844786595, -0.0003414848034071379,
  -0.0003981187384288812, 0.00018808742742566323
};
static double vptr_i1_double(double x) {
  double size = fabs(x);
  if (size <= 8)
    return x * VPTR_POLYNOMIAL_DOUBLE(vptr_i1_near_double, x * x);
  return copysign(vptr_growth_double(size, VPTR_POLYNOMIAL_DOUBLE(vptr_i1_far_double, 8 / size - 0.5)), x);
}
