/* SPDX-License-Identifier: MIT */
/* templates_class - class templates with values as parameters: a matrix whose shape is known to the compiler. */
#include "check.h"

template <class T, int Rows, int Columns> class matrix {
  T items_[Rows][Columns] = {};

public:
  __host__ __device__ T &at(int row, int column) { return items_[row][column]; }
  __host__ __device__ const T &at(int row, int column) const { return items_[row][column]; }
  template <int Other>
  __host__ __device__ matrix<T, Rows, Other> operator*(const matrix<T, Columns, Other> &right) const {
    matrix<T, Rows, Other> product;
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Other; j++)
        for (int k = 0; k < Columns; k++)
          product.at(i, j) += at(i, k) * right.at(k, j);
    return product;
  }
  __host__ __device__ matrix<T, Columns, Rows> transposed() const {
    matrix<T, Columns, Rows> turned;
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Columns; j++)
        turned.at(j, i) = at(i, j);
    return turned;
  }
};

template <class T> struct product {
  __host__ __device__ T operator()(int item) const {
    matrix<T, 3, 2> a;
    for (int i = 0; i < 6; i++)
      a.at(i / 2, i % 2) = T(i + item);
    matrix<T, 3, 3> square = a * a.transposed();
    return square.at(0, 0) + 3 * square.at(item % 3, 2) - square.at(1, item % 3);
  }
};

int main() {
  same_on_both<int>(product<int>{});
  same_on_both<float>(product<float>{});
  same_on_both<long long>(product<long long>{});
  return result();
}
