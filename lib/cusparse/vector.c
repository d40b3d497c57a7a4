/* SPDX-License-Identifier: MIT */
/*
 * vector - the descriptors of sparse and of dense vectors.
 *
 * No locks: see descriptor.h. Called by programs. Nothing blocks.
 */
#include "base/memory.h"
#include "cusparse/descriptor.h"

/* ---- sparse ------------------------------------------------------------------------------------------------ */

static cusparseStatus_t create_sparse(const char *call, void *place, const struct cusparseSpVecDescr *as) {
  bool is_right = as->size >= 0 && as->nnz >= 0 && as->nnz <= as->size &&
                  (as->nnz == 0 || (as->indices != NULL && as->values != NULL)) &&
                  vptr__sparse_is_index_type(as->index_type) && vptr__sparse_is_base(as->base) &&
                  vptr__sparse_is_data_type(as->type);
  return vptr__sparse_create(call, is_right, as, sizeof *as, place);
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *spVecDescr, int64_t size, int64_t nnz, void *indices,
                                     void *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                     cudaDataType valueType) {
  struct cusparseSpVecDescr as = { size, nnz, indices, values, idxType, idxBase, valueType };
  return create_sparse("cusparseCreateSpVec", spVecDescr, &as);
}

cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *spVecDescr, int64_t size, int64_t nnz,
                                          const void *indices, const void *values, cusparseIndexType_t idxType,
                                          cusparseIndexBase_t idxBase, cudaDataType valueType) {
  struct cusparseSpVecDescr as = {
    size, nnz, vptr__sparse_address(indices), vptr__sparse_address(values), idxType, idxBase, valueType
  };
  return create_sparse("cusparseCreateConstSpVec", spVecDescr, &as);
}

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t spVecDescr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDestroySpVec", spVecDescr != NULL);
  vptr__memory_free(vptr__sparse_address(spVecDescr));
  return status;
}

cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t spVecDescr, int64_t *size, int64_t *nnz,
                                       const void **indices, const void **values, cusparseIndexType_t *idxType,
                                       cusparseIndexBase_t *idxBase, cudaDataType *valueType) {
  bool are_right = spVecDescr != NULL && size != NULL && nnz != NULL && indices != NULL && values != NULL &&
                   idxType != NULL && idxBase != NULL && valueType != NULL;
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseSpVecGet", are_right);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *size = spVecDescr->size;
  *nnz = spVecDescr->nnz;
  *indices = spVecDescr->indices;
  *values = spVecDescr->values;
  *idxType = spVecDescr->index_type;
  *idxBase = spVecDescr->base;
  *valueType = spVecDescr->type;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t spVecDescr, int64_t *size, int64_t *nnz, void **indices,
                                  void **values, cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
                                  cudaDataType *valueType) {
  return cusparseConstSpVecGet(spVecDescr, size, nnz, (const void **)indices, (const void **)values, idxType, idxBase,
                               valueType);
}

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t spVecDescr, cusparseIndexBase_t *idxBase) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpVecGetIndexBase", spVecDescr != NULL && idxBase != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *idxBase = spVecDescr->base;
  return status;
}

cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t spVecDescr, const void **values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpVecGetValues", spVecDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *values = spVecDescr->values;
  return status;
}

cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t spVecDescr, void **values) {
  return cusparseConstSpVecGetValues(spVecDescr, (const void **)values);
}

cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t spVecDescr, void *values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseSpVecSetValues", spVecDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    spVecDescr->values = values;
  return status;
}

/* ---- dense ------------------------------------------------------------------------------------------------- */

static cusparseStatus_t create_dense(const char *call, void *place, const struct cusparseDnVecDescr *as) {
  bool is_right = as->size >= 0 && (as->size == 0 || as->values != NULL) && vptr__sparse_is_data_type(as->type);
  return vptr__sparse_create(call, is_right, as, sizeof *as, place);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *dnVecDescr, int64_t size, void *values,
                                     cudaDataType valueType) {
  struct cusparseDnVecDescr as = { size, values, valueType };
  return create_dense("cusparseCreateDnVec", dnVecDescr, &as);
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *dnVecDescr, int64_t size, const void *values,
                                          cudaDataType valueType) {
  struct cusparseDnVecDescr as = { size, vptr__sparse_address(values), valueType };
  return create_dense("cusparseCreateConstDnVec", dnVecDescr, &as);
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t dnVecDescr) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDestroyDnVec", dnVecDescr != NULL);
  vptr__memory_free(vptr__sparse_address(dnVecDescr));
  return status;
}

cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t dnVecDescr, int64_t *size, const void **values,
                                       cudaDataType *valueType) {
  cusparseStatus_t status = vptr__sparse_check_arguments("cusparseDnVecGet", dnVecDescr != NULL && size != NULL &&
                                                                                 values != NULL && valueType != NULL);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  *size = dnVecDescr->size;
  *values = dnVecDescr->values;
  *valueType = dnVecDescr->type;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t dnVecDescr, int64_t *size, void **values,
                                  cudaDataType *valueType) {
  return cusparseConstDnVecGet(dnVecDescr, size, (const void **)values, valueType);
}

cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t dnVecDescr, const void **values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseDnVecGetValues", dnVecDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *values = dnVecDescr->values;
  return status;
}

cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t dnVecDescr, void **values) {
  return cusparseConstDnVecGetValues(dnVecDescr, (const void **)values);
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t dnVecDescr, void *values) {
  cusparseStatus_t status =
      vptr__sparse_check_arguments("cusparseDnVecSetValues", dnVecDescr != NULL && values != NULL);
  if (status == CUSPARSE_STATUS_SUCCESS)
    dnVecDescr->values = values;
  return status;
}
