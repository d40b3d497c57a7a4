/* SPDX-License-Identifier: MIT */
/*
 * lt_descriptor - making descriptors, and their attributes; see lt_descriptor.h.
 *
 * An attribute is a row of a table: where it lies, and how long it is. One that NVIDIA has and that is not here is
 * NOT_SUPPORTED; a number that is none is INVALID_VALUE. No state, no locks. Called by programs; and by lt_algorithm.c,
 * lt_task.c and lt_transform.c, which look at what they were given. Nothing waits.
 */
#include "cublas/lt_descriptor.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cublas/lt_logger.h"
#include "cublas/status.h"

static_assert(sizeof(vptr__lt_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t) &&
                  sizeof(vptr__lt_matmul) <= sizeof(cublasLtMatmulDescOpaque_t) &&
                  sizeof(vptr__lt_preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t) &&
                  sizeof(vptr__lt_transform) <= sizeof(cublasLtMatrixTransformDescOpaque_t) &&
                  sizeof(vptr__lt_algorithm) <= sizeof(cublasLtMatmulAlgo_t),
              "descriptors lie in the program's structures");

typedef struct attribute {
  int number;
  size_t offset, size;
} attribute;

/* What a kind of descriptor has. */
typedef struct family {
  vptr__lt_kind kind;
  int most; /* of the numbers that NVIDIA has */
  const attribute *rows;
  size_t count;
} family;

#define ROW(number, T, member)                                                                                       \
  { number, offsetof(T, member), sizeof(((T *)NULL)->member) }
#define FAMILY(kind, most, rows)                                                                                     \
  { kind, most, rows, sizeof(rows) / sizeof *(rows) }

static const attribute layout_rows[] = {
  ROW(CUBLASLT_MATRIX_LAYOUT_TYPE, vptr__lt_layout, type),
  ROW(CUBLASLT_MATRIX_LAYOUT_ORDER, vptr__lt_layout, order),
  ROW(CUBLASLT_MATRIX_LAYOUT_ROWS, vptr__lt_layout, rows),
  ROW(CUBLASLT_MATRIX_LAYOUT_COLS, vptr__lt_layout, columns),
  ROW(CUBLASLT_MATRIX_LAYOUT_LD, vptr__lt_layout, ld),
  ROW(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, vptr__lt_layout, batch_count),
  ROW(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, vptr__lt_layout, batch_stride),
  ROW(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, vptr__lt_layout, plane_offset),
  ROW(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, vptr__lt_layout, batch_mode),
};
static const family layouts = FAMILY(VPTR__LT_LAYOUT, 8, layout_rows);

static const attribute matmul_rows[] = {
  ROW(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, vptr__lt_matmul, compute_type),
  ROW(CUBLASLT_MATMUL_DESC_SCALE_TYPE, vptr__lt_matmul, scale_type),
  ROW(CUBLASLT_MATMUL_DESC_POINTER_MODE, vptr__lt_matmul, pointer_mode),
  ROW(CUBLASLT_MATMUL_DESC_TRANSA, vptr__lt_matmul, trans_a),
  ROW(CUBLASLT_MATMUL_DESC_TRANSB, vptr__lt_matmul, trans_b),
  ROW(CUBLASLT_MATMUL_DESC_TRANSC, vptr__lt_matmul, trans_c),
  ROW(CUBLASLT_MATMUL_DESC_FILL_MODE, vptr__lt_matmul, fill_mode),
  ROW(CUBLASLT_MATMUL_DESC_EPILOGUE, vptr__lt_matmul, epilogue),
  ROW(CUBLASLT_MATMUL_DESC_BIAS_POINTER, vptr__lt_matmul, bias),
  ROW(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, vptr__lt_matmul, bias_stride),
  ROW(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, vptr__lt_matmul, aux),
  ROW(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, vptr__lt_matmul, aux_ld),
  ROW(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, vptr__lt_matmul, aux_stride),
  ROW(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, vptr__lt_matmul, alpha_stride),
  ROW(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, vptr__lt_matmul, sm_count),
  ROW(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, vptr__lt_matmul, aux_type),
  ROW(CUBLASLT_MATMUL_DESC_FAST_ACCUM, vptr__lt_matmul, fast_accumulation),
  ROW(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, vptr__lt_matmul, bias_type),
};
static const family matmuls = FAMILY(VPTR__LT_MATMUL, 38, matmul_rows);

static const attribute preference_rows[] = {
  ROW(CUBLASLT_MATMUL_PREF_SEARCH_MODE, vptr__lt_preference, search),
  ROW(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, vptr__lt_preference, workspace),
  ROW(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, vptr__lt_preference, schemes),
  ROW(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, vptr__lt_preference, align[0]),
  ROW(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, vptr__lt_preference, align[1]),
  ROW(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, vptr__lt_preference, align[2]),
  ROW(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, vptr__lt_preference, align[3]),
  ROW(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, vptr__lt_preference, waves),
  ROW(CUBLASLT_MATMUL_PREF_IMPL_MASK, vptr__lt_preference, implementations),
};
static const family preferences = FAMILY(VPTR__LT_PREFERENCE, 12, preference_rows);

static const attribute transform_rows[] = {
  ROW(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, vptr__lt_transform, scale_type),
  ROW(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, vptr__lt_transform, pointer_mode),
  ROW(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, vptr__lt_transform, trans_a),
  ROW(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, vptr__lt_transform, trans_b),
};
static const family transforms = FAMILY(VPTR__LT_TRANSFORM, 3, transform_rows);

static const attribute algorithm_rows[] = {
  ROW(CUBLASLT_ALGO_CONFIG_ID, vptr__lt_algorithm, number),
  ROW(CUBLASLT_ALGO_CONFIG_TILE_ID, vptr__lt_algorithm, tile),
  ROW(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, vptr__lt_algorithm, splits),
  ROW(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, vptr__lt_algorithm, scheme),
  ROW(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, vptr__lt_algorithm, swizzle),
  ROW(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, vptr__lt_algorithm, custom),
  ROW(CUBLASLT_ALGO_CONFIG_STAGES_ID, vptr__lt_algorithm, stages),
  ROW(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, vptr__lt_algorithm, shape),
  ROW(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, vptr__lt_algorithm, cluster),
};
static const family algorithms = FAMILY(VPTR__LT_ALGORITHM, 8, algorithm_rows);

cublasStatus_t vptr__lt_check(const char *call, const char *what, const void *descriptor, vptr__lt_kind kind) {
  uint32_t found = 0;
  if (descriptor != NULL)
    memcpy(&found, descriptor, sizeof found);
  if (found == kind)
    return CUBLAS_STATUS_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s is %s", call, what,
              descriptor == NULL ? "NULL" : "no such descriptor, or was never made one");
  return CUBLAS_STATUS_INVALID_VALUE;
}

/* The row, and that the descriptor is of its kind. */
static cublasStatus_t find_row(const char *call, const family *of, const void *descriptor, int number,
                               const attribute **row_out) {
  vptr__lt_log(call);
  cublasStatus_t status = vptr__lt_check(call, "the descriptor", descriptor, of->kind);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  for (size_t i = 0; i < of->count; i++)
    if (of->rows[i].number == number) {
      *row_out = &of->rows[i];
      return CUBLAS_STATUS_SUCCESS;
    }
  if (number < 0 || number > of->most)
    return vptr__blas_invalid(call, "there is no such attribute");
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: attribute %d is not supported", call, number);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t set_attribute(const char *call, const family *of, void *descriptor, int number,
                                    const void *value, size_t size) {
  const attribute *row = NULL;
  cublasStatus_t status = find_row(call, of, descriptor, number, &row);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (value == NULL || size != row->size) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: attribute %d has %zu bytes, and %zu are given at %p", call, number,
                row->size, size, value);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  memcpy((char *)descriptor + row->offset, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t get_attribute(const char *call, const family *of, const void *descriptor, int number,
                                    void *value, size_t size, size_t *written) {
  const attribute *row = NULL;
  cublasStatus_t status = find_row(call, of, descriptor, number, &row);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  bool only_asks = size == 0 && written != NULL;
  if (!only_asks && (value == NULL || size != row->size)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: attribute %d has %zu bytes, and there is room for %zu at %p", call,
                number, row->size, size, value);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!only_asks)
    memcpy(value, (const char *)descriptor + row->offset, size);
  if (written != NULL)
    *written = row->size;
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

/* Puts a descriptor into the program's structure of so many bytes. */
static cublasStatus_t begin_in(const char *call, void *place, size_t room, size_t opaque, const void *from,
                               size_t size) {
  vptr__lt_log(call);
  if (place == NULL || room < opaque)
    return vptr__blas_invalid(call,
                              place == NULL ? "there is no place for the descriptor" : "the place is too short");
  memset(place, 0, opaque);
  memcpy(place, from, size);
  return CUBLAS_STATUS_SUCCESS;
}

/* And into memory of its own. */
static cublasStatus_t make(const char *call, void **place_out, size_t opaque, const void *from, size_t size) {
  vptr__lt_log(call);
  if (place_out == NULL)
    return vptr__blas_invalid(call, "there is no place for the descriptor");
  void *made = vptr__memory_calloc(1, opaque);
  if (made == NULL) {
    vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for %zu bytes", call, opaque);
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  memcpy(made, from, size);
  *place_out = made;
  return CUBLAS_STATUS_SUCCESS;
}

/* Ends one that make() made. NULL is allowed. What is left behind is no descriptor any more. */
static cublasStatus_t end(const char *call, void *descriptor, vptr__lt_kind kind) {
  vptr__lt_log(call);
  if (descriptor == NULL)
    return CUBLAS_STATUS_SUCCESS;
  cublasStatus_t status = vptr__lt_check(call, "the descriptor", descriptor, kind);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  memset(descriptor, 0, sizeof(uint32_t));
  vptr__memory_free(descriptor);
  return CUBLAS_STATUS_SUCCESS;
}

static vptr__lt_layout new_layout(cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  return (vptr__lt_layout){
    .kind = VPTR__LT_LAYOUT, .type = (uint32_t)type, .batch_count = 1, .rows = rows, .columns = columns, .ld = ld
  };
}

static vptr__lt_matmul new_matmul(cublasComputeType_t compute, cudaDataType scale) {
  return (vptr__lt_matmul){ .kind = VPTR__LT_MATMUL,
                            .compute_type = (int32_t)compute,
                            .scale_type = (int32_t)scale,
                            .fill_mode = CUBLAS_FILL_MODE_FULL,
                            .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                            .bias_type = -1,
                            .aux_type = -1 };
}

static vptr__lt_preference new_preference(void) {
  return (vptr__lt_preference){ .kind = VPTR__LT_PREFERENCE,
                                .schemes = CUBLASLT_REDUCTION_SCHEME_MASK,
                                .align = { 256, 256, 256, 256 },
                                .implementations = UINT64_MAX };
}

static vptr__lt_transform new_transform(cudaDataType scale) {
  return (vptr__lt_transform){ .kind = VPTR__LT_TRANSFORM, .scale_type = (int32_t)scale };
}

/* The functions of one kind of descriptor: `parameters` are what a new one is made of, in brackets. */
#define DESCRIPTOR(Noun, Type, noun, of, attributes, parameters_internal, parameters_create, arguments)              \
  cublasStatus_t cublasLt##Noun##Init_internal parameters_internal {                                                 \
    vptr__lt_##noun from = new_##noun arguments;                                                                     \
    return begin_in("cublasLt" #Noun "Init", at, size, sizeof *at, &from, sizeof from);                              \
  }                                                                                                                  \
  cublasStatus_t cublasLt##Noun##Create parameters_create {                                                          \
    vptr__lt_##noun from = new_##noun arguments;                                                                     \
    return make("cublasLt" #Noun "Create", (void **)at, sizeof **at, &from, sizeof from);                            \
  }                                                                                                                  \
  cublasStatus_t cublasLt##Noun##Destroy(Type at) {                                                                  \
    return end("cublasLt" #Noun "Destroy", at, (of).kind);                                                           \
  }                                                                                                                  \
  cublasStatus_t cublasLt##Noun##SetAttribute(Type at, attributes attr, const void *buf, size_t size) {              \
    return set_attribute("cublasLt" #Noun "SetAttribute", &(of), at, (int)attr, buf, size);                          \
  }                                                                                                                  \
  cublasStatus_t cublasLt##Noun##GetAttribute(Type at, attributes attr, void *buf, size_t size, size_t *written) {   \
    return get_attribute("cublasLt" #Noun "GetAttribute", &(of), at, (int)attr, buf, size, written);                 \
  }

DESCRIPTOR(MatrixLayout, cublasLtMatrixLayout_t, layout, layouts, cublasLtMatrixLayoutAttribute_t,
           (cublasLtMatrixLayout_t at, size_t size, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld),
           (cublasLtMatrixLayout_t * at, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld),
           (type, rows, cols, ld))
DESCRIPTOR(MatmulDesc, cublasLtMatmulDesc_t, matmul, matmuls, cublasLtMatmulDescAttributes_t,
           (cublasLtMatmulDesc_t at, size_t size, cublasComputeType_t compute, cudaDataType_t scale),
           (cublasLtMatmulDesc_t * at, cublasComputeType_t compute, cudaDataType_t scale), (compute, scale))
DESCRIPTOR(MatmulPreference, cublasLtMatmulPreference_t, preference, preferences,
           cublasLtMatmulPreferenceAttributes_t, (cublasLtMatmulPreference_t at, size_t size),
           (cublasLtMatmulPreference_t * at), ())
DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDesc_t, transform, transforms,
           cublasLtMatrixTransformDescAttributes_t,
           (cublasLtMatrixTransformDesc_t at, size_t size, cudaDataType scale),
           (cublasLtMatrixTransformDesc_t * at, cudaDataType scale), (scale))

/* ---- the algorithm's choices, which lie in the program's memory as well
 * -------------------------------------------- */

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attr, const void *buf,
                                                    size_t sizeInBytes) {
  static const char name[] = "cublasLtMatmulAlgoConfigSetAttribute";
  if (attr == CUBLASLT_ALGO_CONFIG_ID)
    return vptr__blas_invalid(name, "the number of an algorithm is read only: cublasLtMatmulAlgoInit() sets it");
  return set_attribute(name, &algorithms, algo, (int)attr, buf, sizeInBytes);
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attr, void *buf,
                                                    size_t sizeInBytes, size_t *sizeWritten) {
  return get_attribute("cublasLtMatmulAlgoConfigGetAttribute", &algorithms, algo, (int)attr, buf, sizeInBytes,
                       sizeWritten);
}
