/* SPDX-License-Identifier: MIT */
/*
 * pattern - where a product of two sparse matrices has entries; see pattern.h.
 *
 * Columns are found twice, once to count them and once to write them: so memory for all products, which may be a
 * hundred times as many as entries, is never needed.
 *
 * No state and no locks. Called by reblock.c and spgemm.c. It waits where something is counted.
 */
#include "cusparse/pattern.h"

#include "cusparse/group.h"
#include "cusparse/kernel.h"
#include "cusparse/tile.h"

enum { TEAM = 32 };

size_t vptr__sparse_pattern_bytes(int64_t rows) {
  return (2 * (size_t)rows + 4) * sizeof(int);
}

void vptr__sparse_pattern_estimate(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                                   void *memory, vptr__sparse_pattern *out) {
  vptr__sparse_pattern it = { .rows = a->count, .columns = b->length, .nnz = -1 };
  int64_t one = 1;
  it.products = memory;
  it.counts = it.products + it.rows;
  int *most = vptr__sparse_work(call, 1, sizeof(int));
  void *sums = vptr__sparse_work(call, it.rows + 1, sizeof(int64_t));
  vptr__sparse_launch(call, VPTR__SPARSE_CLEAR, vptr__sparse_line(one), VPTR__SPARSE_ARGUMENTS(&one, &most));
  vptr__sparse_launch(call, VPTR__SPARSE_COUNT_PRODUCTS, vptr__sparse_teams(call, it.rows, TEAM),
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_FACTORS(a, b), &it.products, &most));
  if (vptr__sparse_is_well(call))
    vptr__sparse_sum_before(call, it.rows, it.products, 0, (vptr__sparse_indices){ NULL, sums }, &it.product_count);
  vptr__sparse_read(call, &it.most, most, sizeof it.most);
  if (vptr__sparse_is_well(call))
    *out = it;
}

/* Rows that have too many products for shared memory, in blocks that have memory of their own. */
static void send_marks(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                       const vptr__sparse_pattern *it, int limit, const int64_t *offsets, const int *to) {
  enum { BLOCKS = 1024, BLOCKS_OF_PROCESSOR = 64, MEMORY = 1 << 25 };
  int64_t words = (it->columns + 31) / 32, groups = (words + 31) / 32, each = words + groups;
  vptr__sparse_shape shape = vptr__sparse_teams(call, it->rows, THREADS);
  int64_t blocks = MEMORY / each < 1 ? 1 : MEMORY / each;
  int64_t most = shape.block[0] == 1 ? BLOCKS_OF_PROCESSOR : BLOCKS;
  blocks = blocks > most ? most : blocks;
  shape.grid[0] = shape.grid[0] > blocks ? (uint32_t)blocks : shape.grid[0];
  int64_t count = shape.grid[0] * each;
  void *marks = vptr__sparse_work(call, count, sizeof(int));
  vptr__sparse_launch(call, VPTR__SPARSE_CLEAR, vptr__sparse_line(count), VPTR__SPARSE_ARGUMENTS(&count, &marks));
  vptr__sparse_launch(call, VPTR__SPARSE_MARK_COLUMNS, shape,
                      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_FACTORS(a, b), &it->products, &limit, &it->counts, &offsets,
                                             &to, &words, &groups, &marks));
}

/* Finds columns of all rows: counts them, or puts them into `to`. */
static void send_columns(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                         const vptr__sparse_pattern *it, const int64_t *offsets, const int *to) {
  enum { SORTED_BY_ONE = 64, FEW = 64 };
  bool is_short = it->rows > 0 && it->product_count / it->rows <= FEW;
  vptr__sparse_shape shape = vptr__sparse_teams(call, it->rows, is_short ? TEAM : THREADS);
  int limit = shape.block[0] == 1 ? SORTED_BY_ONE : SORTED;
  vptr__sparse_launch(
      call, VPTR__SPARSE_SORT_COLUMNS, shape,
      VPTR__SPARSE_ARGUMENTS(VPTR__SPARSE_FACTORS(a, b), &it->products, &limit, &it->counts, &offsets, &to));
  if (it->most > limit)
    send_marks(call, a, b, it, limit, offsets, to);
}

void vptr__sparse_pattern_count(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                                vptr__sparse_pattern *pattern) {
  int64_t total = 0;
  send_columns(call, a, b, pattern, NULL, NULL);
  void *sums = vptr__sparse_work(call, pattern->rows + 1, sizeof(int64_t));
  vptr__sparse_sum_before(call, pattern->rows, pattern->counts, 0, (vptr__sparse_indices){ NULL, sums }, &total);
  if (vptr__sparse_is_well(call))
    pattern->nnz = total;
}

void vptr__sparse_pattern_write(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                                const vptr__sparse_pattern *pattern, int64_t *offsets, int *columns) {
  vptr__sparse_sum_before(call, pattern->rows, pattern->counts, 0, (vptr__sparse_indices){ NULL, offsets }, NULL);
  if (pattern->nnz > 0)
    send_columns(call, a, b, pattern, offsets, columns);
}
