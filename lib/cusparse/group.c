/* SPDX-License-Identifier: MIT */
/*
 * group - counts into offsets, and entries into the order of a number of theirs; see group.h.
 *
 * Entries are placed by atomics, and then those of one number are sorted, so the result is the same each time.
 *
 * No state and no locks. Called by compressed.c, convert.c, geam.c, order.c and pattern.c. It waits where a total
 * is wanted.
 */
#include "cusparse/group.h"

#include "cusparse/kernel.h"

void vptr__sparse_sum_before(vptr__sparse_call *call, int64_t n, const void *counts, int64_t base,
                             vptr__sparse_indices to, int64_t *total) {
  enum { LEAST = 64, MOST = 4096 };
  int64_t pieces = n / LEAST < MOST ? n / LEAST + 1 : MOST, each = (n + pieces - 1) / pieces;
  void *sums = vptr__sparse_work(call, pieces + 1, sizeof(int64_t));
  vptr__sparse_shape shape = vptr__sparse_line(pieces), single = { { 1, 1, 1 }, { 1, 1, 1 } };
  vptr__sparse_launch(call, VPTR__SPARSE_SUM_PIECES, shape,
                      VPTR__SPARSE_ARGUMENTS(&n, &counts, &each, &pieces, &sums));
  vptr__sparse_launch(call, VPTR__SPARSE_SUM_BEFORE, single, VPTR__SPARSE_ARGUMENTS(&pieces, &sums));
  vptr__sparse_launch(call, VPTR__SPARSE_WRITE_SUMS, shape,
                      VPTR__SPARSE_ARGUMENTS(&n, &counts, &each, &pieces, &sums, &base, &to.narrow, &to.wide));
  if (total != NULL && vptr__sparse_is_well(call))
    vptr__sparse_read(call, total, (int64_t *)sums + pieces, sizeof *total);
}

void vptr__sparse_group(vptr__sparse_call *call, int64_t lines, int64_t entries, const int *numbers, int64_t base,
                        const void *offsets, const void *source) {
  vptr__sparse_shape all = vptr__sparse_line(entries);
  void *none = NULL, *counts = vptr__sparse_work(call, lines, sizeof(int));
  int offsets_base = (int)base;
  vptr__sparse_launch(call, VPTR__SPARSE_CLEAR, vptr__sparse_line(lines), VPTR__SPARSE_ARGUMENTS(&lines, &counts));
  vptr__sparse_launch(call, VPTR__SPARSE_COUNT, all, VPTR__SPARSE_ARGUMENTS(&entries, &numbers, &base, &counts));
  vptr__sparse_sum_before(call, lines, counts, base, (vptr__sparse_indices){ offsets, NULL }, NULL);
  vptr__sparse_launch(call, VPTR__SPARSE_CLEAR, vptr__sparse_line(lines), VPTR__SPARSE_ARGUMENTS(&lines, &counts));
  vptr__sparse_launch(call, VPTR__SPARSE_PLACE, all,
                      VPTR__SPARSE_ARGUMENTS(&entries, &numbers, &base, &offsets, &offsets_base, &counts, &source));
  vptr__sparse_launch(call, VPTR__SPARSE_SORT_LINES, vptr__sparse_line(lines),
                      VPTR__SPARSE_ARGUMENTS(&lines, &offsets, &offsets_base, &source, &none));
}
