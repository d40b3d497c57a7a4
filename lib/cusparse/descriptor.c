/* SPDX-License-Identifier: MIT */
/*
 * descriptor - what the makers of all descriptors share; see descriptor.h.
 *
 * No state and no locks. Called by block_matrix.c, dense.c, incomplete.c, legacy.c, matrix.c, solve.c, spgemm.c and
 * vector.c. Nothing blocks.
 */
#include "cusparse/descriptor.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

bool vptr__sparse_is_data_type(cudaDataType type) {
  return (int)type >= 0 && (int)type <= CUDA_R_64U;
}

cusparseStatus_t vptr__sparse_check_arguments(const char *call, bool are_right) {
  return are_right ? CUSPARSE_STATUS_SUCCESS
                   : vptr__sparse_invalid(call, "an argument is NULL, of another format, or not allowed");
}

cusparseStatus_t vptr__sparse_create(const char *call, bool is_right, const void *as, size_t size, void *place) {
  if (place == NULL || !is_right)
    return vptr__sparse_invalid(call, "an argument is NULL, below 0, too large for the others, or no such type");
  void *made = vptr__memory_calloc(1, size);
  if (made == NULL) {
    vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for the descriptor", call);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  memcpy(made, as, size);
  memcpy(place, &made, sizeof made);
  return CUSPARSE_STATUS_SUCCESS;
}
