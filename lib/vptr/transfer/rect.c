/* SPDX-License-Identifier: MIT */
/*
 * rect - checking, flattening, comparing and cutting rects (rect.h).
 *
 * No data, no locks, nothing waits. Called by async.c and set.c, which check rects; by held_copy.c and set.c, which
 * flatten them; by pack.c, peer.c and shift.c, which cut them into pieces; and by shift.c, which asks whether two
 * overlap.
 */
#include "transfer/rect.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"

/* a * b + c, false if it does not fit. */
static bool fits_multiply_add(size_t a, size_t b, size_t c, size_t *sum_out) {
  size_t product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(product, c, sum_out);
}

static vptr_status refuse_pitch(const vptr__operand *operand, const char *what, size_t pitch, size_t least) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%s: %s begin every %zu bytes and take %zu each, so they would overlap; check the pitch",
                     operand->what, what, pitch, least);
}

VPTR__HOT vptr_status vptr__rect_check(const vptr__operand *operand, const size_t region[3], size_t *reach_out) {
  size_t reach = region[0], row = region[1] > 1 ? operand->row : region[0], slice = 0;
  if (row < region[0])
    return refuse_pitch(operand, "rows", row, region[0]);
  bool fine = fits_multiply_add(row, region[1] - 1, reach, &reach) && fits_multiply_add(row, region[1], 0, &slice);
  if (fine && region[2] > 1 && operand->slice < slice)
    return refuse_pitch(operand, "slices", operand->slice, slice);
  if (!fine || (region[2] > 1 && !fits_multiply_add(operand->slice, region[2] - 1, reach, &reach)))
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "%s: %zu slices of %zu rows of %zu bytes, at a pitch of %zu, run past the end of the address "
                       "space; check the extent",
                       operand->what, region[2], region[1], region[0], operand->row);
  *reach_out = reach;
  return VPTR_SUCCESS;
}

/* ---- flatten -------------------------------------------------------------------------------------------- */

static bool slices_touch(const vptr__pitched_endpoint *pitched, const size_t region[3]) {
  return pitched == NULL || pitched->slice == pitched->row * region[1];
}

static bool rows_touch(const vptr__pitched_endpoint *pitched, const size_t region[3]) {
  return pitched == NULL || pitched->row == region[0];
}

static void rows_are_slices(vptr__pitched_endpoint *pitched) {
  if (pitched != NULL)
    pitched->row = pitched->slice;
}

static void trim_pitches(vptr__pitched_endpoint *pitched, const size_t region[3]) {
  if (pitched == NULL)
    return;
  if (region[1] == 1)
    pitched->row = region[0];
  if (region[2] == 1)
    pitched->slice = pitched->row * region[1];
}

VPTR__HOT void vptr__rect_flatten(vptr__pitched_endpoint *pitched, vptr__pitched_endpoint *other, size_t region[3]) {
  trim_pitches(pitched, region);
  trim_pitches(other, region);
  if (region[2] > 1 && slices_touch(pitched, region) && slices_touch(other, region)) {
    region[1] *= region[2];
    region[2] = 1;
  }
  if (region[1] > 1 && rows_touch(pitched, region) && rows_touch(other, region)) {
    region[0] *= region[1];
    region[1] = 1;
  }
  if (region[1] == 1 && region[2] > 1) {
    rows_are_slices(pitched);
    rows_are_slices(other);
    region[1] = region[2];
    region[2] = 1;
  }
  trim_pitches(pitched, region);
  trim_pitches(other, region);
}

/* ---- overlap -------------------------------------------------------------------------------------------- */

/* Rows a distance apart, which is less than a slice, have a byte in common: the distance is `rows` whole rows and less
 * than a width forward from those, or less than a width back from the next. */
static bool rows_overlap(size_t distance, size_t row, const size_t region[3]) {
  size_t rows = distance / row, rest = distance % row;
  return (rows < region[1] && rest < region[0]) || (rows + 1 < region[1] && row - rest < region[0]);
}

/* The same one dimension up. */
bool vptr__rect_overlap(const vptr__pitched_endpoint *a, const vptr__pitched_endpoint *b, const size_t region[3]) {
  size_t x = a->memory.offset, y = b->memory.offset;
  size_t distance = x > y ? x - y : y - x;
  size_t slices = distance / a->slice, rest = distance % a->slice;
  return (slices < region[2] && rows_overlap(rest, a->row, region)) ||
         (slices + 1 < region[2] && rows_overlap(a->slice - rest, a->row, region));
}

/* ---- cut ------------------------------------------------------------------------------------------------ */

static size_t at_least_one(size_t n) {
  return n > 0 ? n : 1;
}

static size_t step_count(const vptr__cut *cut, int dimension) {
  return (cut->region[dimension] - 1) / cut->step[dimension] + 1;
}

/* A piece has several rows only if they are whole, and several slices only if these are: so pieces follow each other
 * as their addresses do. */
vptr__cut vptr__cut_make(const size_t region[3], size_t limit) {
  vptr__cut cut = { { region[0], region[1], region[2] }, { vptr__smaller(region[0], limit), 1, 1 }, 0 };
  if (cut.step[0] == region[0])
    cut.step[1] = vptr__smaller(region[1], at_least_one(limit / region[0]));
  if (cut.step[0] == region[0] && cut.step[1] == region[1])
    cut.step[2] = vptr__smaller(region[2], at_least_one(limit / (region[0] * region[1])));
  cut.count = step_count(&cut, 0) * step_count(&cut, 1) * step_count(&cut, 2);
  return cut;
}

void vptr__cut_piece(const vptr__cut *cut, size_t index, size_t at[3], size_t piece[3]) {
  for (int i = 0; i < 3; i++) {
    size_t count = step_count(cut, i);
    at[i] = index % count * cut->step[i];
    piece[i] = vptr__smaller(cut->step[i], cut->region[i] - at[i]);
    index /= count;
  }
}

size_t vptr__cut_bytes(const vptr__cut *cut) {
  return cut->step[0] * cut->step[1] * cut->step[2];
}
