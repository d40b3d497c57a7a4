/* SPDX-License-Identifier: MIT */
/*
 * kernel - the library's kernels (lib/cusparse/kernels), found and sent.
 *
 * They are one module, whose text the library carries; it is read when the first kernel is wanted, and a kernel is
 * built when it is first sent, as those of programs are, and kept on disk. Where a kernel was found is remembered:
 * functions live as long as the process.
 *
 * The lock is that of library/kernel.h, of rank UNIT, while the module is read.
 */
#ifndef VPTR_CUSPARSE_KERNEL_H
#define VPTR_CUSPARSE_KERNEL_H

#include "cusparse/call.h"

typedef enum vptr__sparse_kernel {
  VPTR__SPARSE_MULTIPLY, /* for each type of values */
  VPTR__SPARSE_WALK,
  VPTR__SPARSE_CARRY,
  VPTR__SPARSE_SPREAD,
  VPTR__SPARSE_MULTIPLY_COO,
  VPTR__SPARSE_SPREAD_COO,
  VPTR__SPARSE_MULTIPLY_BLOCKS,
  VPTR__SPARSE_MULTIPLY_BLOCKED,
  VPTR__SPARSE_SAMPLE_BLOCKED,
  VPTR__SPARSE_FILL_BLOCKED,
  VPTR__SPARSE_FILL_BLOCKS,
  VPTR__SPARSE_OPEN_BLOCKS,
  VPTR__SPARSE_SCALE,
  VPTR__SPARSE_BLANK,
  VPTR__SPARSE_AXPY,
  VPTR__SPARSE_GATHER,
  VPTR__SPARSE_SCATTER,
  VPTR__SPARSE_ROTATE,
  VPTR__SPARSE_DOT,
  VPTR__SPARSE_PICK_VALUES,
  VPTR__SPARSE_PRODUCT,
  VPTR__SPARSE_CARRY_PRODUCT,
  VPTR__SPARSE_TURN,
  VPTR__SPARSE_SPREAD_PRODUCT,
  VPTR__SPARSE_SAMPLED,
  VPTR__SPARSE_EXPAND,
  VPTR__SPARSE_COUNT_VALUES,
  VPTR__SPARSE_COMPRESS,
  VPTR__SPARSE_SOLVE,
  VPTR__SPARSE_REDUCE,
  VPTR__SPARSE_ELIMINATE,
  VPTR__SPARSE_SUBSTITUTE,
  VPTR__SPARSE_FACTOR_LU,
  VPTR__SPARSE_FACTOR_LLH,
  VPTR__SPARSE_ACCUMULATE,
  VPTR__SPARSE_BLEND,
  VPTR__SPARSE_ADD,
  VPTR__SPARSE_OFFSETS_OF, /* of indices alone: the first of them */
  VPTR__SPARSE_LINES_OF,
  VPTR__SPARSE_WIDEN,
  VPTR__SPARSE_NARROW,
  VPTR__SPARSE_GATHER_NARROW,
  VPTR__SPARSE_SCATTER_NARROW,
  VPTR__SPARSE_ROTATE_NARROW,
  VPTR__SPARSE_IDENTITY,
  VPTR__SPARSE_CLEAR,
  VPTR__SPARSE_PUT_ONE,
  VPTR__SPARSE_SPACE,
  VPTR__SPARSE_DIVIDE,
  VPTR__SPARSE_PICK,
  VPTR__SPARSE_COUNT,
  VPTR__SPARSE_PLACE,
  VPTR__SPARSE_SUM_PIECES,
  VPTR__SPARSE_SUM_BEFORE,
  VPTR__SPARSE_WRITE_SUMS,
  VPTR__SPARSE_SORT_LINES,
  VPTR__SPARSE_COUNT_PRODUCTS,
  VPTR__SPARSE_SORT_COLUMNS,
  VPTR__SPARSE_MARK_COLUMNS,
  VPTR__SPARSE_RENUMBER,
  VPTR__SPARSE_COUNT_UNION,
  VPTR__SPARSE_KERNELS
} vptr__sparse_kernel;

typedef struct vptr__sparse_shape {
  uint32_t grid[3], block[3];
} vptr__sparse_shape;

/* Of `count` elements in a line, one thread; of lines, a block each; of lines by columns elements; of tiles (tile.h).
 * Kernels go on behind the last thread of a grid, but for those of tiles. Nothing of none is sent: see below. A team is
 * a block of so many threads for a line, which meet: one on a processor, where a thread does the work of many. */
vptr__sparse_shape vptr__sparse_line(int64_t count);
vptr__sparse_shape vptr__sparse_blocks(int64_t lines);
vptr__sparse_shape vptr__sparse_plane(int64_t lines, int64_t columns);
vptr__sparse_shape vptr__sparse_teams(const vptr__sparse_call *call, int64_t lines, uint32_t threads);
vptr__sparse_shape vptr__sparse_tiles(const vptr__sparse_call *call, int64_t count);

/* So many threads of one block; fewer on a processor, where a thread does the work of many. */
vptr__sparse_shape vptr__sparse_one_block(const vptr__sparse_call *call);

/* The address of each argument. */
#define VPTR__SPARSE_ARGUMENTS(...) ((const void *[]){ __VA_ARGS__ })

/* Nothing is sent for a call that has failed, or for an empty shape. */
void vptr__sparse_launch(vptr__sparse_call *call, vptr__sparse_kernel kernel, vptr__sparse_shape shape,
                         const void *const *arguments);

#endif
