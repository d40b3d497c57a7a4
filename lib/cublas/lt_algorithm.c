/* SPDX-License-Identifier: MIT */
/*
 * lt_algorithm - which algorithms there are for a product, what they can do, and which is best.
 *
 * There is one, 0, without choices: programs that go through algorithms, tiles and splits find it, with an undefined
 * tile and one split. What it is configured to be lies in the program's memory (lt_descriptor.c) and is looked at
 * when it is checked or used. No state, no locks. Called by programs; and by lt_matmul.c, for the algorithm that it
 * is given. Nothing waits.
 */
#include "cublas/lt_algorithm.h"

#include "base/error.h"
#include "cublas/lt_epilogue.h"
#include "cublas/lt_logger.h"
#include "cublas/lt_task.h"

#include <string.h>

static vptr__lt_algorithm new_algorithm(vptr__blas_family family) {
  return (vptr__lt_algorithm){ .kind = VPTR__LT_ALGORITHM,
                               .splits = 1,
                               .input_size = (uint32_t)vptr__blas_input_size(family),
                               .output_size = (uint32_t)vptr__blas_output_size(family) };
}

cublasStatus_t vptr__lt_check_algorithm(const char *call, const cublasLtMatmulAlgo_t *algo) {
  cublasStatus_t status = vptr__lt_check(call, "the algorithm", algo, VPTR__LT_ALGORITHM);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  vptr__lt_algorithm it;
  memcpy(&it, algo, sizeof it);
  if (it.number == 0 && it.splits <= 1 && it.splits >= 0 && it.tile == CUBLASLT_MATMUL_TILE_UNDEFINED &&
      it.scheme == CUBLASLT_REDUCTION_SCHEME_NONE && it.swizzle == 0 && it.custom == 0 &&
      it.stages == CUBLASLT_MATMUL_STAGES_UNDEFINED && it.shape == 0 && it.cluster == 0)
    return CUBLAS_STATUS_SUCCESS;
  return vptr__lt_refuse(call,
                         "there is one algorithm, 0, with an undefined tile, one split, no reduction, swizzling "
                         "or custom option, and undefined stages and shapes");
}

/* ---- what there is
 * ------------------------------------------------------------------------------------------------ */

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t lightHandle, cublasComputeType_t computeType,
                                        cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype,
                                        cudaDataType_t Ctype, cudaDataType_t Dtype, int requestedAlgoCount,
                                        int algoIdsArray[], int *returnAlgoCount) {
  static const char name[] = "cublasLtMatmulAlgoGetIds";
  vptr__blas_family family;
  vptr__lt_log(name);
  cublasStatus_t status = vptr__blas_handle_check(name, (const struct cublasContext *)(const void *)lightHandle);
  if (status == CUBLAS_STATUS_SUCCESS && (requestedAlgoCount < 1 || algoIdsArray == NULL || returnAlgoCount == NULL))
    status = vptr__blas_invalid(name, "there is no place for a number or their count, or none is wanted");
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  *returnAlgoCount =
      vptr__lt_family_of(name, computeType, scaleType, Atype, Btype, Ctype, Dtype, &family) == CUBLAS_STATUS_SUCCESS;
  if (*returnAlgoCount == 1)
    algoIdsArray[0] = 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t lightHandle, cublasComputeType_t computeType,
                                      cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype,
                                      cudaDataType_t Ctype, cudaDataType_t Dtype, int algoId,
                                      cublasLtMatmulAlgo_t *algo) {
  static const char name[] = "cublasLtMatmulAlgoInit";
  vptr__blas_family family = VPTR__BLAS_OF_S;
  vptr__lt_log(name);
  cublasStatus_t status = vptr__blas_handle_check(name, (const struct cublasContext *)(const void *)lightHandle);
  if (status == CUBLAS_STATUS_SUCCESS && (algo == NULL || algoId != 0))
    status = vptr__blas_invalid(name, algo == NULL ? "there is no place for the algorithm"
                                                   : "algoId is no algorithm's number: there is 0 alone");
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_family_of(name, computeType, scaleType, Atype, Btype, Ctype, Dtype, &family);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const vptr__lt_algorithm made = new_algorithm(family);
  memset(algo, 0, sizeof *algo);
  memcpy(algo, &made, sizeof made);
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- what it can do
 * ----------------------------------------------------------------------------------------------- */

typedef struct capability {
  cublasLtMatmulAlgoCapAttributes_t number;
  bool is_list; /* of which a program may have more room than there is */
  uint32_t value;
} capability;

static const capability capabilities[] = {
  { CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, false, 0 },
  { CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, false, CUBLASLT_REDUCTION_SCHEME_NONE },
  { CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, false, 0 },
  { CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, false, 1 },
  { CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, false, 1 },
  { CUBLASLT_ALGO_CAP_UPLO_SUPPORT, false, 0 },
  { CUBLASLT_ALGO_CAP_TILE_IDS, true, CUBLASLT_MATMUL_TILE_UNDEFINED },
  { CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, false, 0 },
  { CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, false, 0 },
  { CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, false, CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE },
  { CUBLASLT_ALGO_CAP_EPILOGUE_MASK, false, VPTR__LT_EPILOGUES },
  { CUBLASLT_ALGO_CAP_STAGES_IDS, true, CUBLASLT_MATMUL_STAGES_UNDEFINED },
  { CUBLASLT_ALGO_CAP_LD_NEGATIVE, false, 0 },
  { CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT, false, 1 },
  { CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT, false, 0 },
};

static cublasStatus_t find_capability(const char *call, const vptr__lt_algorithm *it,
                                      cublasLtMatmulAlgoCapAttributes_t number, capability *found_out) {
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
    if (capabilities[i].number == number) {
      *found_out = capabilities[i];
      return CUBLAS_STATUS_SUCCESS;
    }
  if (number >= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES && number <= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES) {
    bool is_input = number <= CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES;
    *found_out = (capability){ number, false, is_input ? it->input_size : it->output_size };
    return CUBLAS_STATUS_SUCCESS;
  }
  if (number == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS)
    return vptr__lt_refuse(call, "by which instructions a device computes is not known: NUMERICAL_IMPL_FLAGS");
  return vptr__blas_invalid(call, "there is no such attribute");
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attr, void *buf,
                                                 size_t sizeInBytes, size_t *sizeWritten) {
  static const char name[] = "cublasLtMatmulAlgoCapGetAttribute";
  vptr__lt_algorithm it;
  capability found = { .number = attr };
  vptr__lt_log(name);
  cublasStatus_t status = vptr__lt_check(name, "the algorithm", algo, VPTR__LT_ALGORITHM);
  if (status == CUBLAS_STATUS_SUCCESS) {
    memcpy(&it, algo, sizeof it);
    status = find_capability(name, &it, attr, &found);
  }
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  bool only_asks = sizeInBytes == 0 && sizeWritten != NULL,
       has_room = buf != NULL && sizeInBytes >= sizeof found.value;
  if (!only_asks && (!has_room || (sizeInBytes != sizeof found.value && !found.is_list)))
    return vptr__blas_invalid(name,
                              "buf is NULL, or sizeInBytes is not the attribute's size: each is one of 4 bytes");
  if (!only_asks)
    memcpy(buf, &found.value, sizeof found.value);
  if (sizeWritten != NULL)
    *sizeWritten = sizeof found.value;
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- which is best
 * ------------------------------------------------------------------------------------------------ */

/* All of a result but the algorithm, which a check never writes. */
static void tell_result(cublasLtMatmulHeuristicResult_t *result) {
  result->workspaceSize = 0;
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  memset(result->reserved, 0, sizeof result->reserved);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
                                              cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                              cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                              cublasLtMatmulPreference_t preference, int requestedAlgoCount,
                                              cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
                                              int *returnAlgoCount) {
  static const char name[] = "cublasLtMatmulAlgoGetHeuristic";
  vptr__lt_task it;
  cublasStatus_t status = vptr__lt_describe(name, lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &it);
  if (status == CUBLAS_STATUS_SUCCESS && preference != NULL)
    status = vptr__lt_check(name, "the preference", preference, VPTR__LT_PREFERENCE);
  if (status == CUBLAS_STATUS_SUCCESS &&
      (requestedAlgoCount < 1 || heuristicResultsArray == NULL || returnAlgoCount == NULL))
    status = vptr__blas_invalid(name, "there is no place for a result or their count, or none is wanted");
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const vptr__lt_algorithm best = new_algorithm(it.family);
  memset(&heuristicResultsArray[0].algo, 0, sizeof heuristicResultsArray[0].algo);
  memcpy(&heuristicResultsArray[0].algo, &best, sizeof best);
  tell_result(&heuristicResultsArray[0]);
  *returnAlgoCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result) {
  static const char name[] = "cublasLtMatmulAlgoCheck";
  vptr__lt_task it;
  vptr__lt_algorithm given;
  cublasStatus_t status = vptr__lt_describe(name, lightHandle, operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &it);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = vptr__lt_check_algorithm(name, algo);
  if (status == CUBLAS_STATUS_SUCCESS && result == NULL)
    status = vptr__blas_invalid(name, "there is no place for the result");
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const vptr__lt_algorithm wanted = new_algorithm(it.family);
  memcpy(&given, algo, sizeof given);
  if (given.input_size != wanted.input_size || given.output_size != wanted.output_size)
    return vptr__blas_invalid(name, "the algorithm was made for elements of other sizes");
  tell_result(result);
  return CUBLAS_STATUS_SUCCESS;
}
