/* SPDX-License-Identifier: MIT */
/*
 * rotation - the numbers of plane rotations: one text for the host, which computes them where scalars are there, and
 * for kernels/rotation.cuh, which does where they are on the device.
 *
 * As BLAS has them: of real numbers b becomes what the rotation can be found from again; of complex ones it stays. A
 * rotation whose first number is 0 swaps. Modified rotations are scaled by powers of 4096 until their weights lie
 * between 4096^-2 and 4096^2; infinite ones stay. No state, no locks; includes nothing.
 */
#ifndef VPTR_CUBLAS_ROTATION_H
#define VPTR_CUBLAS_ROTATION_H

#define VPTR__BLAS_ROTATION(FUNCTION, R, suffix, ROOT)                                                               \
  FUNCTION R vptr__blas_abs_##suffix(R a) {                                                                           \
    return a < 0 ? -a : a;                                                                                            \
  }                                                                                                                   \
  FUNCTION R vptr__blas_hypot_##suffix(R a, R b) {                                                                    \
    R scale = vptr__blas_abs_##suffix(a) + vptr__blas_abs_##suffix(b);                                                \
    return scale == 0 ? 0 : scale * ROOT((a / scale) * (a / scale) + (b / scale) * (b / scale));                      \
  }                                                                                                                   \
  FUNCTION void vptr__blas_rotg_##suffix(R *a, R *b, R *c, R *s) {                                                    \
    bool first = vptr__blas_abs_##suffix(*a) > vptr__blas_abs_##suffix(*b);                                           \
    R root = vptr__blas_hypot_##suffix(*a, *b), z = 1;                                                                \
    if ((first ? *a : *b) < 0)                                                                                        \
      root = -root;                                                                                                   \
    *c = root == 0 ? 1 : *a / root;                                                                                   \
    *s = root == 0 ? 0 : *b / root;                                                                                   \
    if (first || root == 0)                                                                                           \
      z = *s;                                                                                                         \
    else if (*c != 0)                                                                                                 \
      z = 1 / *c;                                                                                                     \
    *a = root;                                                                                                        \
    *b = z;                                                                                                           \
  }                                                                                                                   \
  /* Complex numbers as two of R each. */                                                                             \
  FUNCTION void vptr__blas_rotg_complex_##suffix(R *a, const R *b, R *c, R *s) {                                      \
    R size = vptr__blas_hypot_##suffix(a[0], a[1]), other = vptr__blas_hypot_##suffix(b[0], b[1]);                    \
    R root = vptr__blas_hypot_##suffix(size, other);                                                                  \
    if (size == 0) {                                                                                                  \
      *c = 0;                                                                                                         \
      s[0] = 1;                                                                                                       \
      s[1] = 0;                                                                                                       \
      a[0] = b[0];                                                                                                    \
      a[1] = b[1];                                                                                                    \
    } else {                                                                                                          \
      R re = a[0] / size, im = a[1] / size;                                                                           \
      *c = size / root;                                                                                               \
      s[0] = (re * b[0] + im * b[1]) / root;                                                                          \
      s[1] = (im * b[0] - re * b[1]) / root;                                                                          \
      a[0] = re * root;                                                                                               \
      a[1] = im * root;                                                                                               \
    }                                                                                                                 \
  }                                                                                                                   \
  /* All four numbers of the matrix count once it is scaled. */                                                       \
  FUNCTION void vptr__blas_fill_##suffix(R *h) {                                                                      \
    if (h[0] == 0) {                                                                                                  \
      h[1] = 1;                                                                                                       \
      h[4] = 1;                                                                                                       \
    } else if (h[0] > 0) {                                                                                            \
      h[2] = -1;                                                                                                      \
      h[3] = 1;                                                                                                       \
    }                                                                                                                 \
    h[0] = -1;                                                                                                        \
  }                                                                                                                   \
  FUNCTION void vptr__blas_rescale_##suffix(R *d, R *x, R *h, int row) {                                              \
    const R by = 4096, least = 1 / (by * by), most = by * by;                                                         \
    while (*d != 0 && *d - *d == 0 &&                                                                                 \
           (vptr__blas_abs_##suffix(*d) <= least || vptr__blas_abs_##suffix(*d) >= most)) {                           \
      R factor = vptr__blas_abs_##suffix(*d) <= least ? 1 / by : by;                                                  \
      vptr__blas_fill_##suffix(h);                                                                                    \
      *d = *d / factor / factor;                                                                                      \
      *x *= factor;                                                                                                   \
      h[row] *= factor;                                                                                               \
      h[row + 2] *= factor;                                                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  /* h: the flag, then the matrix by columns. */                                                                      \
  FUNCTION void vptr__blas_rotmg_##suffix(R *d1, R *d2, R *x1, R y1, R *param) {                                      \
    R h[5] = { -1, 0, 0, 0, 0 }, p2 = *d2 * y1, p1 = *d1 * *x1, q2 = p2 * y1, q1 = p1 * *x1, kept = *d1, none = 0;    \
    if (p2 == 0 && *d1 >= 0) {                                                                                        \
      param[0] = -2;                                                                                                  \
      return;                                                                                                         \
    }                                                                                                                 \
    bool first = vptr__blas_abs_##suffix(q1) > vptr__blas_abs_##suffix(q2);                                           \
    R u = first ? 1 + p2 / p1 * (y1 / *x1) : 1;                                                                       \
    if (*d1 < 0 || u <= 0 || (!first && q2 < 0)) {                                                                    \
      *d1 = 0;                                                                                                        \
      *d2 = 0;                                                                                                        \
      *x1 = 0;                                                                                                        \
    } else if (first) {                                                                                               \
      h[0] = 0;                                                                                                       \
      h[2] = -y1 / *x1;                                                                                               \
      h[3] = p2 / p1;                                                                                                 \
      *d1 /= u;                                                                                                       \
      *d2 /= u;                                                                                                       \
      *x1 *= u;                                                                                                       \
    } else {                                                                                                          \
      h[0] = 1;                                                                                                       \
      h[1] = p1 / p2;                                                                                                 \
      h[4] = *x1 / y1;                                                                                                \
      u = 1 + h[1] * h[4];                                                                                            \
      *d1 = *d2 / u;                                                                                                  \
      *d2 = kept / u;                                                                                                 \
      *x1 = y1 * u;                                                                                                   \
    }                                                                                                                 \
    vptr__blas_rescale_##suffix(d1, x1, h, 1);                                                                        \
    vptr__blas_rescale_##suffix(d2, &none, h, 2);                                                                     \
    param[0] = h[0];                                                                                                  \
    for (int i = 1; i < 5; i++)                                                                                       \
      if (h[0] < 0 || (h[0] == 0 && (i == 2 || i == 3)) || (h[0] > 0 && (i == 1 || i == 4)))                          \
        param[i] = h[i];                                                                                              \
  }

#endif
