/* SPDX-License-Identifier: MIT */
/*
 * layout - elements from one layout to another: a thread an element, and those behind it a whole grid further on.
 *
 * Steps are from one element to the next along each dimension, the last from transform to transform. row, n1 and n2 are
 * how many there are along the first three.
 */
#define LAYOUT_OF(T, F)                                                                                               \
  const F *from, long from0, long from1, long from2, long from3, T *to, long to0, long to1, long to2, long to3,       \
      long row, long n1, long n2, long batch

#define EACH_ELEMENT                                                                                                  \
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < row * n1 * n2 * batch;                               \
       i += gridDim.x * (long)blockDim.x)

#define PLACE_OF_ELEMENT                                                                                              \
  long i0 = i % row, rest = i / row;                                                                                  \
  long i1 = rest % n1, i2 = rest / n1 % n2, i3 = rest / n1 / n2;                                                      \
  long target = i0 * to0 + i1 * to1 + i2 * to2 + i3 * to3

#define SOURCE (i0 * from0 + i1 * from1 + i2 * from2 + i3 * from3)

__global__ void NAME(move_real)(LAYOUT_OF(R, R)) {
  EACH_ELEMENT {
    PLACE_OF_ELEMENT;
    to[target] = from[SOURCE];
  }
}

__global__ void NAME(move_complex)(LAYOUT_OF(C, C)) {
  EACH_ELEMENT {
    PLACE_OF_ELEMENT;
    to[target] = from[SOURCE];
  }
}

__global__ void NAME(widen)(LAYOUT_OF(C, R)) {
  EACH_ELEMENT {
    PLACE_OF_ELEMENT;
    to[target] = COMPLEX(from[SOURCE], 0);
  }
}

__global__ void NAME(narrow)(LAYOUT_OF(R, C)) {
  EACH_ELEMENT {
    PLACE_OF_ELEMENT;
    to[target] = from[SOURCE].x;
  }
}

/* row is a whole one: what is behind its middle is the conjugate of what lies opposite. */
__global__ void NAME(unfold)(LAYOUT_OF(C, C)) {
  EACH_ELEMENT {
    PLACE_OF_ELEMENT;
    bool is_opposite = i0 > row / 2;
    if (is_opposite) {
      i0 = row - i0;
      i1 = i1 == 0 ? 0 : n1 - i1;
      i2 = i2 == 0 ? 0 : n2 - i2;
    }
    C value = from[SOURCE];
    if (is_opposite)
      value.y = -value.y;
    to[target] = value;
  }
}
#undef LAYOUT_OF
#undef EACH_ELEMENT
#undef PLACE_OF_ELEMENT
#undef SOURCE
