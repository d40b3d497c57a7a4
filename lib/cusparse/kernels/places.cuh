/* SPDX-License-Identifier: MIT */
/*
 * places - where the values of matrices of blocks lie. Blocks of a row of blocks follow each other from an offset, or,
 * without offsets, `slots` of them each. A block whose index is below the base is not there.
 */
#define BLOCKED                                                                                                       \
  long rows, INDICES(offsets), INDICES(indices), long base, long slots, int height, int width, long step, long down,  \
      long along
/* Of a row of blocks that all threads of a block share. */
#define FIRST_OF(row) (offsets_narrow == NULL && offsets_wide == NULL ? (row) * slots : SHARED_AT(offsets, row) - base)
/* Where a value lies, of the k-th block of those from the first on. */
#define PLACE(first, k, row, column) ((first) * height * width + (k) * step + (row) * down + (column) * along)
