/* SPDX-License-Identifier: MIT */
/*
 * triangle - the order in which rows of a triangular system can be solved; see triangle.h.
 *
 * No locks. Called by incomplete.c and solve.c. Making one waits for the stream.
 */
#include "cusparse/triangle.h"

#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

/* The pattern on the host: entries of op(A) by rows. */
typedef struct pattern {
  int rows, entries;
  int *offsets, *columns, *places;
} pattern;

/* What the device gets, in one piece, in this order. */
typedef struct plan {
  int *memory, *level_offsets, *order, *offsets, *columns, *places, *diagonal, *pivot;
  size_t count;
} plan;

static void note_no_memory(vptr__sparse_call *call) {
  vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for the analysis", call->name);
  vptr__sparse_fail(call, CUSPARSE_STATUS_ALLOC_FAILED);
}

/* Indices as ints that count from 0. */
static void read_indices(vptr__sparse_call *call, vptr__sparse_indices from, int64_t count, int64_t base,
                         int64_t limit, int *to) {
  size_t size = from.wide != NULL ? sizeof(int64_t) : sizeof(int);
  if (count == 0 || !vptr__sparse_is_well(call))
    return;
  void *read = vptr__memory_calloc((size_t)count, size);
  if (read == NULL)
    note_no_memory(call);
  vptr__sparse_read(call, read, from.wide != NULL ? from.wide : from.narrow, (size_t)count * size);
  for (int64_t i = 0; i < count && vptr__sparse_is_well(call); i++) {
    int64_t value = (from.wide != NULL ? ((const int64_t *)read)[i] : ((const int *)read)[i]) - base;
    vptr__sparse_require(call, value >= 0 && value < limit, "index %lld is %lld: it must be below %lld", (long long)i,
                         (long long)value, (long long)limit);
    to[i] = (int)value;
  }
  vptr__memory_free(read);
}

static void free_pattern(pattern *it) {
  vptr__memory_free(it->offsets);
  vptr__memory_free(it->columns);
  vptr__memory_free(it->places);
}

static pattern make_pattern(vptr__sparse_call *call, int64_t rows, int64_t entries) {
  pattern it = { (int)rows, (int)entries, vptr__memory_calloc((size_t)rows + 2, sizeof(int)),
                 vptr__memory_calloc((size_t)entries + 1, sizeof(int)),
                 vptr__memory_calloc((size_t)entries + 1, sizeof(int)) };
  if (it.offsets == NULL || it.columns == NULL || it.places == NULL)
    note_no_memory(call);
  return it;
}

static pattern read_pattern(vptr__sparse_call *call, const vptr__sparse_lines *lines) {
  pattern it = make_pattern(call, lines->count, lines->entries);
  read_indices(call, lines->offsets, lines->count > 0 ? lines->count + 1 : 0, lines->base, lines->entries + 1,
               it.offsets);
  read_indices(call, lines->indices, lines->entries, lines->index_base, lines->length, it.columns);
  for (int row = 0; row < it.rows && vptr__sparse_is_well(call); row++)
    vptr__sparse_require(call, it.offsets[row] <= it.offsets[row + 1], "offset %d is above the next", row);
  if (vptr__sparse_is_well(call))
    vptr__sparse_require(call, it.rows == 0 || it.offsets[it.rows] == it.entries,
                         "the last offset is not the number of entries");
  for (int k = 0; k < it.entries && vptr__sparse_is_well(call); k++)
    it.places[k] = k;
  return it;
}

/* Rows become columns. */
static pattern turned_pattern(vptr__sparse_call *call, const pattern *from) {
  pattern it = make_pattern(call, from->rows, from->entries);
  if (!vptr__sparse_is_well(call))
    return it;
  for (int k = 0; k < from->entries; k++)
    it.offsets[from->columns[k] + 2]++;
  for (int row = 0; row < it.rows; row++)
    it.offsets[row + 1] += it.offsets[row];
  for (int row = 0; row < from->rows; row++)
    for (int k = from->offsets[row]; k < from->offsets[row + 1]; k++) {
      int to = it.offsets[from->columns[k] + 1]++;
      it.columns[to] = row;
      it.places[to] = from->places[k];
    }
  return it;
}

static plan make_plan(vptr__sparse_call *call, const pattern *of) {
  size_t rows = (size_t)of->rows, entries = (size_t)of->entries;
  plan it = { .count = 4 * rows + 3 + 2 * entries };
  it.memory = vptr__memory_calloc(it.count, sizeof(int));
  if (it.memory == NULL) {
    note_no_memory(call);
    return it;
  }
  it.level_offsets = it.memory;
  it.order = it.level_offsets + rows + 1;
  it.offsets = it.order + rows;
  it.columns = it.offsets + rows + 1;
  it.places = it.columns + entries;
  it.diagonal = it.places + entries;
  it.pivot = it.diagonal + rows;
  return it;
}

/* Keeps the entries on the triangle's side of the diagonal. */
static void select_entries(const pattern *of, bool is_upper, plan *to) {
  int count = 0;
  *to->pivot = INT_MAX;
  for (int row = 0; row < of->rows; row++) {
    to->offsets[row] = count;
    to->diagonal[row] = -1;
    for (int k = of->offsets[row]; k < of->offsets[row + 1]; k++) {
      int column = of->columns[k];
      if (column == row) {
        to->diagonal[row] = of->places[k];
      } else if ((column > row) == is_upper) {
        to->columns[count] = column;
        to->places[count++] = of->places[k];
      }
    }
    if (to->diagonal[row] < 0 && *to->pivot == INT_MAX)
      *to->pivot = row;
  }
  to->offsets[of->rows] = count;
}

/* A row's level is one above the highest of those that it needs. Returns how many there are. `levels` is one a row. */
static int sort_levels(const pattern *of, bool is_upper, plan *to, int *levels) {
  int count = 0;
  for (int i = 0; i < of->rows; i++) {
    int row = is_upper ? of->rows - 1 - i : i;
    levels[row] = 0;
    for (int k = to->offsets[row]; k < to->offsets[row + 1]; k++)
      if (levels[to->columns[k]] >= levels[row])
        levels[row] = levels[to->columns[k]] + 1;
    if (levels[row] + 1 > count)
      count = levels[row] + 1;
  }
  for (int row = 0; row < of->rows; row++)
    to->level_offsets[levels[row] + 1]++;
  for (int level = 0; level < count; level++)
    to->level_offsets[level + 1] += to->level_offsets[level];
  for (int row = 0; row < of->rows; row++)
    to->order[to->level_offsets[levels[row]]++] = row;
  for (int level = count; level > 0; level--)
    to->level_offsets[level] = to->level_offsets[level - 1];
  to->level_offsets[0] = 0;
  return count;
}

static vptr__sparse_triangle *keep_plan(vptr__sparse_call *call, const pattern *of, const plan *from, int levels) {
  vptr__sparse_triangle *it = vptr__memory_calloc(1, sizeof *it);
  int *starts = vptr__memory_calloc((size_t)levels + 1, sizeof(int)), *at = NULL;
  if (it == NULL || starts == NULL)
    note_no_memory(call);
  if (vptr__sparse_is_well(call))
    vptr__sparse_fail(call,
                      vptr__sparse_status_of(vptr_malloc(call->mapper, from->count * sizeof(int), (void **)&at)));
  if (vptr__sparse_is_well(call))
    vptr__sparse_fail(call,
                      vptr__sparse_status_of(vptr_memcpy(call->mapper, at, from->memory, from->count * sizeof(int))));
  if (!vptr__sparse_is_well(call)) {
    if (at != NULL)
      vptr_free(call->mapper, at);
    vptr__memory_free(starts);
    vptr__memory_free(it);
    return NULL;
  }
  memcpy(starts, from->level_offsets, ((size_t)levels + 1) * sizeof(int));
  *it = (vptr__sparse_triangle){ .mapper = call->mapper,
                                 .rows = of->rows,
                                 .level_count = levels,
                                 .level_starts = starts,
                                 .missing = *from->pivot,
                                 .memory = at,
                                 .level_offsets = at,
                                 .order = at + (from->order - from->memory),
                                 .offsets = at + (from->offsets - from->memory),
                                 .columns = at + (from->columns - from->memory),
                                 .places = at + (from->places - from->memory),
                                 .diagonal = at + (from->diagonal - from->memory),
                                 .pivot = at + (from->pivot - from->memory) };
  return it;
}

vptr__sparse_triangle *vptr__sparse_triangle_make(vptr__sparse_call *call, const vptr__sparse_lines *lines,
                                                  bool is_transposed, cusparseFillMode_t fill) {
  vptr__sparse_triangle *made = NULL;
  vptr__sparse_require(call, lines->count == lines->length, "the matrix is not square");
  vptr__sparse_support(call, lines->entries < INT_MAX && lines->count < INT_MAX - 2,
                       "a triangle has fewer than 2^31 entries and rows");
  if (!vptr__sparse_is_well(call))
    return NULL;
  bool is_upper = (fill == CUSPARSE_FILL_MODE_UPPER) != is_transposed;
  pattern read = read_pattern(call, lines);
  if (vptr__sparse_is_well(call) && lines->is_turned != is_transposed) {
    pattern turned = turned_pattern(call, &read);
    free_pattern(&read);
    read = turned;
  }
  plan it = { .memory = NULL };
  int *levels = vptr__memory_calloc((size_t)read.rows + 1, sizeof(int));
  if (vptr__sparse_is_well(call))
    it = make_plan(call, &read);
  if (levels == NULL)
    note_no_memory(call);
  if (vptr__sparse_is_well(call) && it.memory != NULL && levels != NULL) {
    select_entries(&read, is_upper, &it);
    made = keep_plan(call, &read, &it, sort_levels(&read, is_upper, &it, levels));
  }
  vptr__memory_free(levels);
  vptr__memory_free(it.memory);
  free_pattern(&read);
  return made;
}

void vptr__sparse_triangle_free(vptr__sparse_triangle *triangle) {
  if (triangle == NULL)
    return;
  vptr_free(triangle->mapper, triangle->memory);
  vptr__memory_free(triangle->level_starts);
  vptr__memory_free(triangle);
}

void vptr__sparse_triangle_fill(const vptr__sparse_triangle *triangle, const int *first, const int *last,
                                const void **arguments) {
  const void *shared[VPTR__SPARSE_TRIANGLE_ARGUMENTS] = {
    first,
    last,
    &triangle->level_offsets,
    &triangle->order,
    &triangle->offsets,
    &triangle->columns,
    &triangle->places,
    &triangle->diagonal,
  };
  memcpy(arguments, shared, sizeof shared);
}

void vptr__sparse_triangle_launch(vptr__sparse_call *call, const vptr__sparse_triangle *triangle,
                                  vptr__sparse_kernel kernel, int64_t sides, const void **arguments) {
  enum { NARROW = 1024 };
  int first = 0, last = 0;
  vptr__sparse_triangle_fill(triangle, &first, &last, arguments);
  const int *starts = triangle->level_starts;
  while (first < triangle->level_count && vptr__sparse_is_well(call)) {
    last = first + 1;
    bool is_wide = (starts[last] - starts[first]) * sides > NARROW;
    while (!is_wide && last < triangle->level_count && (starts[last + 1] - starts[last]) * sides <= NARROW)
      last++;
    vptr__sparse_launch(call, kernel,
                        is_wide ? vptr__sparse_line((starts[last] - starts[first]) * sides)
                                : vptr__sparse_one_block(call),
                        arguments);
    first = last;
  }
}
