/* SPDX-License-Identifier: MIT */
/*
 * kernel - the module of the library's own kernels; see kernel.h.
 *
 * The module has its own lock (library/kernel.h). Called by the other files of this folder that send kernels. The first
 * call of a kernel on a device waits for the driver's compiler.
 */
#include "cusparse/kernel.h"

#include "cusparse/kernel_text.h"
#include "cusparse/tile.h"
#include "library/captured.h"
#include "library/kernel.h"

#include <stdatomic.h>
#include <stdio.h>

enum { LINE_MOST = 4096, PLANE_X = 32, PLANE_Y = 4, PLANE_MOST = 65535, TYPES = 5 };

static const char *const names[] = {
  [VPTR__SPARSE_MULTIPLY] = "multiply",
  [VPTR__SPARSE_WALK] = "walk",
  [VPTR__SPARSE_CARRY] = "carry",
  [VPTR__SPARSE_SPREAD] = "spread",
  [VPTR__SPARSE_MULTIPLY_COO] = "multiply_coo",
  [VPTR__SPARSE_SPREAD_COO] = "spread_coo",
  [VPTR__SPARSE_MULTIPLY_BLOCKS] = "multiply_blocks",
  [VPTR__SPARSE_MULTIPLY_BLOCKED] = "multiply_blocked",
  [VPTR__SPARSE_SAMPLE_BLOCKED] = "sample_blocked",
  [VPTR__SPARSE_FILL_BLOCKED] = "fill_blocked",
  [VPTR__SPARSE_FILL_BLOCKS] = "fill_blocks",
  [VPTR__SPARSE_OPEN_BLOCKS] = "open_blocks",
  [VPTR__SPARSE_SCALE] = "scale",
  [VPTR__SPARSE_BLANK] = "blank",
  [VPTR__SPARSE_AXPY] = "axpy",
  [VPTR__SPARSE_GATHER] = "gather",
  [VPTR__SPARSE_SCATTER] = "scatter",
  [VPTR__SPARSE_ROTATE] = "rotate",
  [VPTR__SPARSE_DOT] = "dot",
  [VPTR__SPARSE_PICK_VALUES] = "pick",
  [VPTR__SPARSE_PRODUCT] = "product",
  [VPTR__SPARSE_CARRY_PRODUCT] = "carry_product",
  [VPTR__SPARSE_TURN] = "turn",
  [VPTR__SPARSE_SPREAD_PRODUCT] = "spread_product",
  [VPTR__SPARSE_SAMPLED] = "sampled",
  [VPTR__SPARSE_EXPAND] = "expand",
  [VPTR__SPARSE_COUNT_VALUES] = "count",
  [VPTR__SPARSE_COMPRESS] = "compress",
  [VPTR__SPARSE_SOLVE] = "solve",
  [VPTR__SPARSE_REDUCE] = "reduce",
  [VPTR__SPARSE_ELIMINATE] = "eliminate",
  [VPTR__SPARSE_SUBSTITUTE] = "substitute",
  [VPTR__SPARSE_FACTOR_LU] = "factor_lu",
  [VPTR__SPARSE_FACTOR_LLH] = "factor_llh",
  [VPTR__SPARSE_ACCUMULATE] = "accumulate",
  [VPTR__SPARSE_BLEND] = "blend",
  [VPTR__SPARSE_ADD] = "add",
  [VPTR__SPARSE_OFFSETS_OF] = "offsets_of",
  [VPTR__SPARSE_LINES_OF] = "lines_of",
  [VPTR__SPARSE_WIDEN] = "widen",
  [VPTR__SPARSE_NARROW] = "narrow",
  [VPTR__SPARSE_GATHER_NARROW] = "gather_narrow",
  [VPTR__SPARSE_SCATTER_NARROW] = "scatter_narrow",
  [VPTR__SPARSE_ROTATE_NARROW] = "rotate_narrow",
  [VPTR__SPARSE_IDENTITY] = "identity",
  [VPTR__SPARSE_CLEAR] = "clear",
  [VPTR__SPARSE_PUT_ONE] = "put_one",
  [VPTR__SPARSE_SPACE] = "space",
  [VPTR__SPARSE_DIVIDE] = "divide",
  [VPTR__SPARSE_PICK] = "pick",
  [VPTR__SPARSE_COUNT] = "count",
  [VPTR__SPARSE_PLACE] = "place",
  [VPTR__SPARSE_SUM_PIECES] = "sum_pieces",
  [VPTR__SPARSE_SUM_BEFORE] = "sum_before",
  [VPTR__SPARSE_WRITE_SUMS] = "write_sums",
  [VPTR__SPARSE_SORT_LINES] = "sort_lines",
  [VPTR__SPARSE_COUNT_PRODUCTS] = "count_products",
  [VPTR__SPARSE_SORT_COLUMNS] = "sort_columns",
  [VPTR__SPARSE_MARK_COLUMNS] = "mark_columns",
  [VPTR__SPARSE_RENUMBER] = "renumber",
  [VPTR__SPARSE_COUNT_UNION] = "count_union",
};

static vptr__library_kernels kernels = VPTR__LIBRARY_KERNELS("cusparse", vptr__sparse_kernel_text);
static _Atomic(vptr__function *) functions[TYPES][VPTR__SPARSE_KERNELS];

static vptr_status find_function(vptr__sparse_type type, vptr__sparse_kernel kernel, vptr__function **function_out) {
  static const char *const letters[TYPES] = { "s_", "d_", "c_", "z_", "h_" };
  char name[64];
  snprintf(name, sizeof name, "%s%s", kernel < VPTR__SPARSE_OFFSETS_OF ? letters[type] : "", names[kernel]);
  vptr_status status = vptr__library_kernel(&kernels, name, function_out);
  if (status == VPTR_SUCCESS)
    atomic_store_explicit(&functions[type][kernel], *function_out, memory_order_release);
  return status;
}

void vptr__sparse_launch(vptr__sparse_call *call, vptr__sparse_kernel kernel, vptr__sparse_shape shape,
                         const void *const *arguments) {
  if (!vptr__sparse_is_well(call) || shape.grid[0] == 0 || shape.grid[1] == 0)
    return;
  vptr__function *function = atomic_load_explicit(&functions[call->type][kernel], memory_order_acquire);
  vptr_status status = function != NULL ? VPTR_SUCCESS : find_function(call->type, kernel, &function);
  vptr__launch launch = { .what = call->name,
                          .grid = { shape.grid[0], shape.grid[1], shape.grid[2] },
                          .block = { shape.block[0], shape.block[1], shape.block[2] },
                          .arguments = (void *const *)(uintptr_t)arguments };
  if (status == VPTR_SUCCESS)
    status = call->captures ? vptr__library_capture_launch(function, call->stream, &launch)
                            : vptr__function_launch(function, call->stream, &launch);
  vptr__sparse_fail(call, vptr__sparse_status_of(status));
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static uint32_t pieces_of(int64_t count, int64_t piece, int64_t most) {
  int64_t pieces = count > 0 ? (count - 1) / piece + 1 : 0;
  return (uint32_t)(pieces > most ? most : pieces);
}

/* On a processor a block's threads are a loop, so one is as good as many, and needs no memory to meet. */
static bool is_on_processor(const vptr__sparse_call *call) {
  return vptr__sparse_is_well(call) && (call->mapper->device->type & CL_DEVICE_TYPE_CPU) != 0;
}

static uint32_t threads_of_tile(const vptr__sparse_call *call) {
  return is_on_processor(call) ? 1 : THREADS;
}

vptr__sparse_shape vptr__sparse_line(int64_t count) {
  return (vptr__sparse_shape){ { pieces_of(count, THREADS, LINE_MOST), 1, 1 }, { THREADS, 1, 1 } };
}

vptr__sparse_shape vptr__sparse_blocks(int64_t lines) {
  return (vptr__sparse_shape){ { pieces_of(lines, 1, LINE_MOST), 1, 1 }, { 32, 1, 1 } };
}

vptr__sparse_shape vptr__sparse_plane(int64_t lines, int64_t columns) {
  return (vptr__sparse_shape){ { pieces_of(columns, PLANE_X, PLANE_MOST), pieces_of(lines, PLANE_Y, PLANE_MOST), 1 },
                               { PLANE_X, PLANE_Y, 1 } };
}

vptr__sparse_shape vptr__sparse_teams(const vptr__sparse_call *call, int64_t lines, uint32_t threads) {
  return (vptr__sparse_shape){ { pieces_of(lines, 1, LINE_MOST), 1, 1 },
                               { is_on_processor(call) ? 1 : threads, 1, 1 } };
}

vptr__sparse_shape vptr__sparse_tiles(const vptr__sparse_call *call, int64_t count) {
  return (vptr__sparse_shape){ { pieces_of(count, TILE, INT32_MAX), 1, 1 }, { threads_of_tile(call), 1, 1 } };
}

vptr__sparse_shape vptr__sparse_one_block(const vptr__sparse_call *call) {
  return (vptr__sparse_shape){ { 1, 1, 1 }, { threads_of_tile(call), 1, 1 } };
}
