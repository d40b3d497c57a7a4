/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* cub_sparse - CUB's product of a sparse matrix and a vector. */
#include "check.h"

#include <cub/cub.cuh>

template <class Body> void with_room(Body body) {
  size_t bytes = 0;
  void *room = nullptr;
  CALL(body(nullptr, bytes));
  CALL(cudaMalloc(&room, bytes + 1));
  CALL(body(room, bytes));
  LAUNCHED();
  CALL(cudaFree(room));
}

enum { ROWS = 200, COLUMNS = 150, EACH = 5, COUNT = ROWS * EACH - 40 };

static void product() {
  items<double, COUNT> values;
  items<int, COUNT> columns;
  items<int, ROWS + 1> ends;
  items<double, COLUMNS> x;
  items<double, ROWS> y;
  for (int i = 0; i < COUNT; i++)
    values.host[i] = i % 13 - 4, columns.host[i] = i * 37 % COLUMNS;
  for (int i = 0; i <= ROWS; i++)
    ends.host[i] = i < 20 ? i * 3 : i * EACH - 40; /* rows of other lengths */
  for (int i = 0; i < COLUMNS; i++)
    x.host[i] = i % 7 + 0.5;
  values.send(), columns.send(), ends.send(), x.send();
  with_room([&](void *room, size_t &bytes) {
    return cub::DeviceSpmv::CsrMV(room, bytes, values.device, ends.device, columns.device, x.device, y.device, (int)ROWS,
                                  (int)COLUMNS, (int)COUNT);
  });
  y.fetch();
  for (int row = 0; row < ROWS; row++) {
    double sum = 0;
    for (int i = ends[row]; i < ends[row + 1]; i++)
      sum += values[i] * x[columns[i]];
    check_item(y[row] == sum, row, "a row of the product", __FILE__, __LINE__);
  }
}

int main() {
  product();
  return result();
}
