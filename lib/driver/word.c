/* SPDX-License-Identifier: MIT */
/*
 * word - cuStreamWaitValue32(), cuStreamWriteValue32(), their like for 64 bits, and cuStreamBatchMemOp().
 *
 * Each operation becomes a step of vptr__cuda_words(), but those for the order of memory: a step is seen by everybody
 * before the next is taken, so there is nothing to do for them. Remote writes that have to be flushed are of hardware
 * that OpenCL does not show, and CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES says so.
 *
 * The first version and the second (_v2) differ in two things: flags of a write, and barriers in a batch. No state, no
 * locks. Called by programs, directly or by the table in entry.c; by graph_word.c, for nodes. The host waits for none
 * of them: a stream does.
 */
#include "driver/word.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

/* ---- operations ----------------------------------------------------------------------------------------- */

static CUresult refuse_flags(const char *call, unsigned flags) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags 0x%x of an operation are none of CUDA's", call, flags);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

static CUresult refuse_flush(const char *call) {
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: remote writes cannot be flushed here, as CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES tells", call);
  return vptr__driver_refuse(CUDA_ERROR_NOT_SUPPORTED);
}

static CUresult convert_wait(const char *call, unsigned flags, vptr__word_step *step) {
  static const vptr__word_verb verbs[] = { [CU_STREAM_WAIT_VALUE_GEQ] = VPTR__WORD_GEQ,
                                           [CU_STREAM_WAIT_VALUE_EQ] = VPTR__WORD_EQ,
                                           [CU_STREAM_WAIT_VALUE_AND] = VPTR__WORD_AND,
                                           [CU_STREAM_WAIT_VALUE_NOR] = VPTR__WORD_NOR };
  unsigned kind = flags & ~(unsigned)CU_STREAM_WAIT_VALUE_FLUSH;
  if (kind >= sizeof verbs / sizeof *verbs)
    return refuse_flags(call, flags);
  step->verb = verbs[kind];
  return kind == flags ? CUDA_SUCCESS : refuse_flush(call);
}

static CUresult convert_write(const char *call, int version, unsigned flags, vptr__word_step *step) {
  step->verb = VPTR__WORD_WRITE;
  if (flags == CU_STREAM_WRITE_VALUE_DEFAULT || (version == 1 && flags == CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER))
    return CUDA_SUCCESS;
  return refuse_flags(call, flags);
}

static CUresult check_barrier(const char *call, int version, unsigned flags) {
  if (version == 1)
    return vptr__driver_invalid(call, "CU_STREAM_MEM_OP_BARRIER is an operation of cuStreamBatchMemOp_v2() alone");
  return flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_SUCCESS : refuse_flags(call, flags);
}

/* A step of size 0: there is nothing to do. */
static CUresult convert_operation(const char *call, int version, const CUstreamBatchMemOpParams *from,
                                  vptr__word_step *step) {
  *step = (vptr__word_step){ .size = 0 };
  switch (from->operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    *step = (vptr__word_step){ .size = 4, .value = from->waitValue.value, .address = from->waitValue.address };
    return convert_wait(call, from->waitValue.flags, step);
  case CU_STREAM_MEM_OP_WAIT_VALUE_64:
    *step = (vptr__word_step){ .size = 8, .value = from->waitValue.value64, .address = from->waitValue.address };
    return convert_wait(call, from->waitValue.flags, step);
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    *step = (vptr__word_step){ .size = 4, .value = from->writeValue.value, .address = from->writeValue.address };
    return convert_write(call, version, from->writeValue.flags, step);
  case CU_STREAM_MEM_OP_WRITE_VALUE_64:
    *step = (vptr__word_step){ .size = 8, .value = from->writeValue.value64, .address = from->writeValue.address };
    return convert_write(call, version, from->writeValue.flags, step);
  case CU_STREAM_MEM_OP_BARRIER:
    return check_barrier(call, version, from->memoryBarrier.flags);
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    return refuse_flush(call);
  default:
    return vptr__driver_invalid(call, "an operation is none of CUDA's");
  }
}

static CUresult check_batch(const char *call, unsigned count, const CUstreamBatchMemOpParams *operations,
                            unsigned flags) {
  if (count > VPTR__MOST_OPERATIONS)
    return vptr__driver_invalid(call, "there are more than 255 operations");
  if (operations == NULL && count > 0)
    return vptr__driver_invalid(call, "there are no operations");
  return flags == 0 ? CUDA_SUCCESS : vptr__driver_invalid(call, "flags are not 0");
}

CUresult vptr__driver_words_read(const char *call, int version, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params,
                                 vptr__driver_words *made) {
  size_t done = 0;
  const unsigned count = params->count;
  CUresult result = check_batch(call, count, params->paramArray, params->flags);
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++) {
    result = convert_operation(call, version, &params->paramArray[i], &made->steps[done]);
    done += made->steps[done].size > 0;
  }
  if (result != CUDA_SUCCESS)
    return result;
  made->told.params = *params;
  if (count > 0)
    memcpy(made->told.operations, params->paramArray, count * sizeof *params->paramArray);
  made->words = (vptr__words){ made->steps, done, &made->told,
                               offsetof(vptr__driver_operations, operations) + count * sizeof *params->paramArray };
  return CUDA_SUCCESS;
}

static CUresult send_batch(const char *call, int version, CUstream stream, unsigned count,
                           CUstreamBatchMemOpParams *operations, unsigned flags) {
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = { NULL, count, operations, flags };
  vptr__driver_words made;
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = cuCtxGetCurrent(&params.ctx);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_words_read(call, version, &params, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result_of(vptr__cuda_words(call, stream, &made.words)) : result;
}

static CUresult send_operation(const char *call, int version, CUstream stream, CUstreamBatchMemOpType operation,
                               CUdeviceptr address, cuuint64_t value, unsigned flags) {
  CUstreamBatchMemOpParams params = { .operation = operation };
  if (operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || operation == CU_STREAM_MEM_OP_WAIT_VALUE_64) {
    params.waitValue.address = address;
    params.waitValue.value64 = value;
    params.waitValue.flags = flags;
  } else {
    params.writeValue.address = address;
    params.writeValue.value64 = value;
    params.writeValue.flags = flags;
  }
  return send_batch(call, version, stream, 1, &params, 0);
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return send_operation("cuStreamWaitValue32", 2, stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}

CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWaitValue32_v2(vptr__driver_own_default(stream), addr, value, flags);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWaitValue32_v2(stream, addr, value, flags);
}

CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWaitValue32_v2_ptsz(stream, addr, value, flags);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return send_operation("cuStreamWaitValue64", 2, stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}

CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWaitValue64_v2(vptr__driver_own_default(stream), addr, value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWaitValue64_v2(stream, addr, value, flags);
}

CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWaitValue64_v2_ptsz(stream, addr, value, flags);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return send_operation("cuStreamWriteValue32", 2, stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}

CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWriteValue32_v2(vptr__driver_own_default(stream), addr, value, flags);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return send_operation("cuStreamWriteValue32", 1, stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}

CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
  return cuStreamWriteValue32(vptr__driver_own_default(stream), addr, value, flags);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return send_operation("cuStreamWriteValue64", 2, stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}

CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWriteValue64_v2(vptr__driver_own_default(stream), addr, value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return send_operation("cuStreamWriteValue64", 1, stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}

CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
  return cuStreamWriteValue64(vptr__driver_own_default(stream), addr, value, flags);
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                               unsigned int flags) {
  return send_batch("cuStreamBatchMemOp", 2, stream, count, paramArray, flags);
}

CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                                    unsigned int flags) {
  return cuStreamBatchMemOp_v2(vptr__driver_own_default(stream), count, paramArray, flags);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                            unsigned int flags) {
  return send_batch("cuStreamBatchMemOp", 1, stream, count, paramArray, flags);
}

CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
                                 unsigned int flags) {
  return cuStreamBatchMemOp(vptr__driver_own_default(stream), count, paramArray, flags);
}
