/* SPDX-License-Identifier: MIT */
/* level1_type - level 1 for one type: included by blas_types.h. Names of two types are made by the program. */

static void NAMED(vectors)(cublasHandle_t handle, int n, int incx, int incy) {
  int x_size = size_of_vector(n, incx), y_size = size_of_vector(n, incy);
  T *x = malloc((size_t)x_size * sizeof(T) + 1), *y = malloc((size_t)y_size * sizeof(T) + 1),
    alpha = MAKE(0.75, -1.25);
  FILL(x, (size_t)x_size * PARTS);
  FILL(y, (size_t)y_size * PARTS);
  begin_memory();
  T *dx = on_device(x, (size_t)x_size * sizeof(T)), *dy = on_device(y, (size_t)y_size * sizeof(T));
  const T *by = on_the_device ? on_device(&alpha, sizeof alpha) : &alpha;
  EXPECT(LETTER "axpy", CU(axpy)(handle, n, by, dx, incx, dy, incy) == CUBLAS_STATUS_SUCCESS);
  REF(axpy)(n, SCALAR(alpha), x, incx, y, incy);
  COMPARE(LETTER "axpy", dy, y, (size_t)y_size * PARTS, TOLERANCE);
  EXPECT(LETTER "swap", CU(swap)(handle, n, dx, incx, dy, incy) == CUBLAS_STATUS_SUCCESS);
  REF(swap)(n, x, incx, y, incy);
  COMPARE(LETTER "swap", dx, x, (size_t)x_size * PARTS, TOLERANCE);
  COMPARE(LETTER "swap", dy, y, (size_t)y_size * PARTS, TOLERANCE);
  EXPECT(LETTER "copy", CU(copy)(handle, n, dx, incx, dy, incy) == CUBLAS_STATUS_SUCCESS);
  REF(copy)(n, x, incx, y, incy);
  COMPARE(LETTER "copy", dy, y, (size_t)y_size * PARTS, TOLERANCE);
  /* One vector: an increment below 1 is none. */
  EXPECT(LETTER "scal", CU(scal)(handle, n, by, dx, incx) == CUBLAS_STATUS_SUCCESS);
  if (incx > 0)
    REF(scal)(n, SCALAR(alpha), x, incx);
  COMPARE(LETTER "scal", dx, x, (size_t)x_size * PARTS, TOLERANCE);
  free(x);
  free(y);
}

/* A result of `size` bytes, by the pointer mode. */
#define RESULT_OF(R_TYPE, call)                                                                                      \
  do {                                                                                                               \
    memset(&NAMED(got), 0x55, sizeof NAMED(got));                                                                    \
    R_TYPE *result = on_the_device ? on_device(&NAMED(got), sizeof(R_TYPE)) : (R_TYPE *)&NAMED(got);                 \
    EXPECT(LETTER #call, call == CUBLAS_STATUS_SUCCESS);                                                             \
    if (on_the_device)                                                                                               \
      from_device(&NAMED(got), result, sizeof(R_TYPE));                                                              \
  } while (0)

static union {
  T t;
  R r;
  int place;
  int64_t wide;
} NAMED(got);

static void NAMED(results)(cublasHandle_t handle, int n, int incx, int incy) {
  int x_size = size_of_vector(n, incx), y_size = size_of_vector(n, incy);
  T *x = malloc((size_t)x_size * sizeof(T) + 1), *y = malloc((size_t)y_size * sizeof(T) + 1);
  double scale = sqrt((double)n + 1);
  FILL(x, (size_t)x_size * PARTS);
  FILL(y, (size_t)y_size * PARTS);
  begin_memory();
  T *dx = on_device(x, (size_t)x_size * sizeof(T)), *dy = on_device(y, (size_t)y_size * sizeof(T));
  const R *parts = (const R *)&NAMED(got);
#ifdef COMPLEX_TYPE
  T expected;
  RESULT_OF(T, CU(dotu)(handle, n, dx, incx, dy, incy, result));
  REF(dotu_sub)(n, x, incx, y, incy, &expected);
  EXPECT(LETTER "dotu", is_near((double)parts[0], (double)expected.x, TOLERANCE * scale) &&
                            is_near((double)parts[1], (double)expected.y, TOLERANCE * scale));
  RESULT_OF(T, CU(dotc)(handle, n, dx, incx, dy, incy, result));
  REF(dotc_sub)(n, x, incx, y, incy, &expected);
  EXPECT(LETTER "dotc", is_near((double)parts[0], (double)expected.x, TOLERANCE * scale) &&
                            is_near((double)parts[1], (double)expected.y, TOLERANCE * scale));
#else
  RESULT_OF(T, CU(dot)(handle, n, dx, incx, dy, incy, result));
  EXPECT(LETTER "dot", is_near((double)parts[0], (double)REF(dot)(n, x, incx, y, incy), TOLERANCE * scale));
#endif
  RESULT_OF(R, NAMED(gpu_asum)(handle, n, dx, incx, result));
  EXPECT(LETTER "asum", is_near((double)parts[0], incx > 0 ? (double)NAMED(cpu_asum)(n, x, incx) : 0, TOLERANCE));
  RESULT_OF(R, NAMED(gpu_nrm2)(handle, n, dx, incx, result));
  EXPECT(LETTER "nrm2", is_near((double)parts[0], incx > 0 ? (double)NAMED(cpu_nrm2)(n, x, incx) : 0, TOLERANCE));
  RESULT_OF(int, NAMED(gpu_amax)(handle, n, dx, incx, result));
  EXPECT(LETTER "amax", NAMED(got).place == (n > 0 && incx > 0 ? (int)NAMED(cpu_amax)(n, x, incx) + 1 : 0));
  RESULT_OF(int64_t, NAMED(gpu_amax_64)(handle, n, dx, incx, result));
  EXPECT(LETTER "amax_64", NAMED(got).wide == (n > 0 && incx > 0 ? (int)NAMED(cpu_amax)(n, x, incx) + 1 : 0));
  /* The smallest is the largest of what is taken from a number above all. */
  int least = 0;
  for (int i = 1; i < n && incx > 0; i++)
    if (NAMED(size)(x[i * incx]) < NAMED(size)(x[least * incx]))
      least = i;
  RESULT_OF(int, NAMED(gpu_amin)(handle, n, dx, incx, result));
  EXPECT(LETTER "amin", NAMED(got).place == (n > 0 && incx > 0 ? least + 1 : 0));
  free(x);
  free(y);
}

/* Sums of squares that neither overflow nor vanish; infinity and NaN. */
static void NAMED(extremes)(cublasHandle_t handle) {
  const R huge = (R)(sizeof(R) == 4 ? 1e30 : 1e200), tiny = (R)(sizeof(R) == 4 ? 1e-30 : 1e-200);
  T x[300];
  const R *parts = (const R *)&NAMED(got);
  for (int which = 0; which < 4; which++) {
    for (int i = 0; i < 300; i++)
      x[i] = MAKE(which == 0 ? huge : which == 1 ? tiny : (R)1, 0);
    if (which == 2)
      x[77] = MAKE(INFINITY, 0);
    if (which == 3)
      x[77] = MAKE(NAN, 0);
    begin_memory();
    T *dx = on_device(x, sizeof x);
    RESULT_OF(R, NAMED(gpu_nrm2)(handle, 300, dx, 1, result));
    double expected = which == 0   ? (double)huge * sqrt(300)
                      : which == 1 ? (double)tiny * sqrt(300)
                      : which == 2 ? INFINITY
                                   : NAN;
    EXPECT(LETTER "nrm2 of extremes", isnan(expected)   ? isnan(parts[0])
                                      : isinf(expected) ? isinf(parts[0])
                                                        : fabs((double)parts[0] / expected - 1) < 10 * TOLERANCE);
  }
  /* Of equals the first. */
  for (int i = 0; i < 300; i++)
    x[i] = MAKE(i == 200 || i == 290 ? -7 : 1, 0);
  begin_memory();
  T *dx = on_device(x, sizeof x);
  RESULT_OF(int, NAMED(gpu_amax)(handle, 300, dx, 1, result));
  EXPECT(LETTER "amax of equals", NAMED(got).place == 201);
}

static void NAMED(rotations)(cublasHandle_t handle, int n, int incx, int incy) {
  int x_size = size_of_vector(n, incx), y_size = size_of_vector(n, incy);
  T *x = malloc((size_t)x_size * sizeof(T) + 1), *y = malloc((size_t)y_size * sizeof(T) + 1);
  FILL(x, (size_t)x_size * PARTS);
  FILL(y, (size_t)y_size * PARTS);
  begin_memory();
  T *dx = on_device(x, (size_t)x_size * sizeof(T)), *dy = on_device(y, (size_t)y_size * sizeof(T));
  R c = (R)0.6, real_s = (R)0.8;
  T s = MAKE(0.48, 0.64);
  const R *c_at = on_the_device ? on_device(&c, sizeof c) : &c;
#ifdef COMPLEX_TYPE
  const R *real_at = on_the_device ? on_device(&real_s, sizeof real_s) : &real_s;
  EXPECT(LETTER "srot", NAMED(gpu_real_rot)(handle, n, dx, incx, dy, incy, c_at, real_at) == CUBLAS_STATUS_SUCCESS);
  NAMED(cpu_real_rot)(n, x, incx, y, incy, c, real_s);
  COMPARE(LETTER "srot", dx, x, (size_t)x_size * PARTS, TOLERANCE);
  COMPARE(LETTER "srot", dy, y, (size_t)y_size * PARTS, TOLERANCE);
  for (int i = 0; i < n; i++) {
    T *a = &x[incx > 0 ? i * incx : (i - n + 1) * incx], *b = &y[incy > 0 ? i * incy : (i - n + 1) * incy], u = *a,
      v = *b;
    *a = MAKE(c * u.x + s.x * v.x - s.y * v.y, c * u.y + s.x * v.y + s.y * v.x);
    *b = MAKE(c * v.x - s.x * u.x - s.y * u.y, c * v.y - s.x * u.y + s.y * u.x);
  }
#else
  s = real_s;
  REF(rot)(n, x, incx, y, incy, c, s);
#endif
  const T *s_at = on_the_device ? on_device(&s, sizeof s) : &s;
  EXPECT(LETTER "rot", CU(rot)(handle, n, dx, incx, dy, incy, c_at, s_at) == CUBLAS_STATUS_SUCCESS);
  COMPARE(LETTER "rot", dx, x, (size_t)x_size * PARTS, TOLERANCE);
  COMPARE(LETTER "rot", dy, y, (size_t)y_size * PARTS, TOLERANCE);
#ifndef COMPLEX_TYPE
  for (int flag = -2; flag <= 1; flag++) {
    const T param[5] = { (T)flag, (T)0.5, (T)-0.25, (T)1.5, (T)2 };
    const T *param_at = on_the_device ? on_device(param, sizeof param) : param;
    EXPECT(LETTER "rotm", CU(rotm)(handle, n, dx, incx, dy, incy, param_at) == CUBLAS_STATUS_SUCCESS);
    REF(rotm)(n, x, incx, y, incy, param);
    COMPARE(LETTER "rotm", dx, x, (size_t)x_size * PARTS, TOLERANCE);
    COMPARE(LETTER "rotm", dy, y, (size_t)y_size * PARTS, TOLERANCE);
  }
#endif
  free(x);
  free(y);
}

/* What a rotation is of: (c s; -conj(s) c) (a b) = (r 0), and c and s have length 1. */
static void NAMED(rotg)(cublasHandle_t handle, T a, T b) {
  T in[3] = { a, b, MAKE(0, 0) };
  R c = 0;
  begin_memory();
  T *at = on_the_device ? on_device(in, sizeof in) : in;
  R *c_at = on_the_device ? on_device(&c, sizeof c) : &c;
  EXPECT(LETTER "rotg", CU(rotg)(handle, at, at + 1, c_at, at + 2) == CUBLAS_STATUS_SUCCESS);
  if (on_the_device) {
    from_device(in, at, sizeof in);
    from_device(&c, c_at, sizeof c);
  }
#ifdef COMPLEX_TYPE
  T r = in[0], s = in[2];
  double length = (double)c * (double)c + (double)s.x * (double)s.x + (double)s.y * (double)s.y;
  EXPECT(LETTER "rotg", is_near(length, 1, TOLERANCE));
  EXPECT(LETTER "rotg", is_near((double)(c * a.x + s.x * b.x - s.y * b.y), (double)r.x, TOLERANCE) &&
                            is_near((double)(c * a.y + s.x * b.y + s.y * b.x), (double)r.y, TOLERANCE));
  EXPECT(LETTER "rotg", is_near((double)(c * b.x - s.x * a.x - s.y * a.y), 0, TOLERANCE) &&
                            is_near((double)(c * b.y - s.x * a.y + s.y * a.x), 0, TOLERANCE));
#else
  T expected[4] = { a, b, 0, 0 };
  REF(rotg)(&expected[0], &expected[1], &expected[2], &expected[3]);
  EXPECT(LETTER "rotg", is_near((double)in[0], (double)expected[0], TOLERANCE) &&
                            is_near((double)in[1], (double)expected[1], TOLERANCE) &&
                            is_near((double)c, (double)expected[2], TOLERANCE) &&
                            is_near((double)in[2], (double)expected[3], TOLERANCE));
#endif
}

#ifndef COMPLEX_TYPE
static void NAMED(rotmg)(cublasHandle_t handle, T d1, T d2, T x1, T y1) {
  T in[4] = { d1, d2, x1, y1 }, expected[4] = { d1, d2, x1, y1 }, param[5] = { 9, 9, 9, 9, 9 },
    expected_param[5] = { 9, 9, 9, 9, 9 };
  begin_memory();
  T *at = on_the_device ? on_device(in, sizeof in) : in;
  T *param_at = on_the_device ? on_device(param, sizeof param) : param;
  EXPECT(LETTER "rotmg", CU(rotmg)(handle, at, at + 1, at + 2, at + 3, param_at) == CUBLAS_STATUS_SUCCESS);
  if (on_the_device) {
    from_device(in, at, sizeof in);
    from_device(param, param_at, sizeof param);
  }
  REF(rotmg)(&expected[0], &expected[1], &expected[2], y1, expected_param);
  for (int i = 0; i < 3; i++)
    EXPECT(LETTER "rotmg", is_near((double)in[i], (double)expected[i], TOLERANCE));
  EXPECT(LETTER "rotmg", param[0] == expected_param[0]);
  if (param[0] == -2 || in[2] == 0)
    return;
  /* The matrix itself is held against what it is for: the reference of netlib loses two of its numbers when it scales
   * more than once. */
  const double flag = (double)param[0], h11 = flag == 0 ? 1 : (double)param[1],
               h22 = flag == 0 ? 1 : (double)param[4];
  const double h21 = flag == 1 ? -1 : (double)param[2], h12 = flag == 1 ? 1 : (double)param[3];
  EXPECT(LETTER "rotmg",
         is_near((h21 * (double)x1 + h22 * (double)y1) / (fabs(h21 * (double)x1) + 1e-300), 0, TOLERANCE));
  EXPECT(LETTER "rotmg", is_near(h11 * (double)x1 + h12 * (double)y1, (double)in[2], TOLERANCE));
  EXPECT(LETTER "rotmg", is_near((double)in[0] * h11 * h11 + (double)in[1] * h21 * h21, (double)d1, TOLERANCE));
  EXPECT(LETTER "rotmg", is_near((double)in[0] * h12 * h12 + (double)in[1] * h22 * h22, (double)d2, TOLERANCE));
}
#endif

static void NAMED(level1)(cublasHandle_t handle) {
  static const int lengths[] = { 0, 1, 2, 255, 256, 1000, 70000 };
  for (size_t i = 0; i < 2 * sizeof lengths / sizeof *lengths; i++) {
    on_the_device = i % 2;
    cublasSetPointerMode(handle, on_the_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
    int n = lengths[i / 2];
    NAMED(vectors)(handle, n, random_increment(), random_increment());
    NAMED(vectors)(handle, n, random_int(1, 3), random_increment());
    NAMED(results)(handle, n, random_int(1, 3), random_increment());
    NAMED(results)(handle, n, random_increment(), random_increment());
    NAMED(rotations)(handle, n, random_increment(), random_increment());
    NAMED(rotg)(handle, MAKE(random_real(), random_real()), MAKE(random_real(), random_real()));
    NAMED(rotg)(handle, MAKE(i < 4 ? 0 : 2, 0), MAKE(i < 2 ? 0 : -1, 0));
#ifndef COMPLEX_TYPE
    NAMED(rotmg)(handle, (T)fabs(random_real()), (T)fabs(random_real()), (T)random_real(), (T)random_real());
    NAMED(rotmg)(handle, (T)1e9, (T)(i < 4 ? 1e-9 : 2e9), (T)0.5, (T)(i < 2 ? 0 : -2));
    NAMED(rotmg)(handle, (T)(i < 4 ? -1 : 2), (T)(i < 8 ? -1 : 3), (T)0.5, (T)3);
#endif
    NAMED(extremes)(handle);
  }
}
#undef RESULT_OF
