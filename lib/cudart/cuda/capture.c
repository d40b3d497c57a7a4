/* SPDX-License-Identifier: MIT */
/*
 * capture - what can be asked about stream capture where there is none.
 *
 * There are no graphs, so nothing begins a capture, and libraries that ask whether one is going on get the true answer:
 * no. The mode, which says what a thread may call while others capture, is taken, told and without effect, as it is in
 * CUDA while nobody does. It is the thread-local `mode_of_thread`; no locks. Called by programs, and by
 * driver/stream.c.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"

#include <vptr/cuda/cuda_runtime_api.h>

static _Thread_local enum cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

static cudaError_t is_capturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error != cudaSuccess)
    return error;
  if (status == NULL)
    return vptr__cuda_null_output("cudaStreamIsCapturing", "pCaptureStatus");
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

static cudaError_t exchange_mode(enum cudaStreamCaptureMode *mode) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (mode == NULL)
    return vptr__cuda_null_output("cudaThreadExchangeStreamCaptureMode", "mode");
  if ((unsigned)*mode > cudaStreamCaptureModeRelaxed) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaThreadExchangeStreamCaptureMode: %d is no mode, they are 0 to %d",
                (int)*mode, (int)cudaStreamCaptureModeRelaxed);
    return cudaErrorInvalidValue;
  }
  enum cudaStreamCaptureMode before = mode_of_thread;
  mode_of_thread = *mode;
  *mode = before;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus) {
  return vptr__cuda_record(is_capturing(stream, pCaptureStatus));
}

cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus) {
  return cudaStreamIsCapturing(vptr__cuda_own_default(stream), pCaptureStatus);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  return vptr__cuda_record(exchange_mode(mode));
}
