/* SPDX-License-Identifier: MIT */
/*
 * stream_query - what a stream is: flags, priority, id, device.
 *
 * These only tell what is known, yet a default stream is made when it is first asked about. No data, and no locks here:
 * the priority is stream_attribute.c's, under its static `lock`, of rank LEAF. Called by programs, and by
 * driver/stream.c.
 */
#include "base/error.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "cuda/stream_attribute.h"
#include "device/device.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

static cudaError_t find_queried_stream(const char *call, cudaStream_t handle, const void *output,
                                       const char *argument, vptr__stream **stream_out) {
  cudaError_t error = vptr__cuda_stream(handle, stream_out);
  if (error == cudaSuccess && output == NULL)
    error = vptr__cuda_null_output(call, argument);
  return error;
}

static cudaError_t get_flags(cudaStream_t handle, unsigned int *flags) {
  vptr__stream *stream;
  cudaError_t error = find_queried_stream("cudaStreamGetFlags", handle, flags, "flags", &stream);
  if (error == cudaSuccess)
    *flags = vptr__stream_flags(stream);
  return error;
}

static cudaError_t get_priority(cudaStream_t handle, int *priority) {
  vptr__stream *stream;
  cudaError_t error = find_queried_stream("cudaStreamGetPriority", handle, priority, "priority", &stream);
  if (error == cudaSuccess)
    *priority = vptr__cuda_stream_priority(stream);
  return error;
}

static cudaError_t get_id(cudaStream_t handle, unsigned long long *id) {
  vptr__stream *stream;
  cudaError_t error = find_queried_stream("cudaStreamGetId", handle, id, "streamId", &stream);
  if (error == cudaSuccess)
    *id = vptr__stream_id(stream);
  return error;
}

static cudaError_t get_device(cudaStream_t handle, int *device) {
  vptr__stream *stream;
  cudaError_t error = find_queried_stream("cudaStreamGetDevice", handle, device, "device", &stream);
  if (error == cudaSuccess)
    *device = vptr__stream_mapper(stream)->device->ordinal;
  return error;
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags) {
  return vptr__cuda_record(get_flags(hStream, flags));
}

cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t hStream, unsigned int *flags) {
  return cudaStreamGetFlags(vptr__cuda_own_default(hStream), flags);
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority) {
  return vptr__cuda_record(get_priority(hStream, priority));
}

cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t hStream, int *priority) {
  return cudaStreamGetPriority(vptr__cuda_own_default(hStream), priority);
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId) {
  return vptr__cuda_record(get_id(hStream, streamId));
}

cudaError_t cudaStreamGetId_ptsz(cudaStream_t hStream, unsigned long long *streamId) {
  return cudaStreamGetId(vptr__cuda_own_default(hStream), streamId);
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device) {
  return vptr__cuda_record(get_device(hStream, device));
}

cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t hStream, int *device) {
  return cudaStreamGetDevice(vptr__cuda_own_default(hStream), device);
}
