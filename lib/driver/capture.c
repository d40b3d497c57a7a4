/* SPDX-License-Identifier: MIT */
/*
 * capture - cuStreamBeginCapture() and its kin: the runtime's by other names, in CUDA 13's versions and earlier ones.
 *
 * No state, no locks. Called by programs, directly or by the table in entry.c. Nothing here waits.
 */

#include "driver/context.h"
#include "driver/graph_variant.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUstreamCaptureStatus) == sizeof(enum cudaStreamCaptureStatus) &&
                   sizeof(CUstreamCaptureMode) == sizeof(enum cudaStreamCaptureMode) &&
                   sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData) &&
                   sizeof(cuuint64_t) == sizeof(vptr_unsigned_long_long),
               "the runtime's, by other names");

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaStreamBeginCapture(hStream, (enum cudaStreamCaptureMode)mode))
             : result;
}

CUresult cuStreamBeginCapture_v2_ptsz(CUstream hStream, CUstreamCaptureMode mode) {
  return cuStreamBeginCapture_v2(vptr__driver_own_default(hStream), mode);
}

/* CUDA 10.0's had no modes. */
CUresult cuStreamBeginCapture(CUstream hStream) {
  return cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamBeginCapture_ptsz(CUstream hStream) {
  return cuStreamBeginCapture(vptr__driver_own_default(hStream));
}

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                     CUstreamCaptureMode mode) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaStreamBeginCaptureToGraph(hStream, hGraph, dependencies,
                                                                 (const void *)dependencyData, numDependencies,
                                                                 (enum cudaStreamCaptureMode)mode))
             : result;
}

CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                                          const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                          CUstreamCaptureMode mode) {
  return cuStreamBeginCaptureToGraph(vptr__driver_own_default(hStream), hGraph, dependencies, dependencyData,
                                     numDependencies, mode);
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamEndCapture(hStream, phGraph)) : result;
}

CUresult cuStreamEndCapture_ptsz(CUstream hStream, CUgraph *phGraph) {
  return cuStreamEndCapture(vptr__driver_own_default(hStream), phGraph);
}

/* ---- asking and changing ----------------------------------------------------------------------------------------- */

CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                                   CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                   const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaStreamGetCaptureInfo(hStream, (void *)captureStatus_out, (void *)id_out,
                                                            graph_out, dependencies_out, (void *)edgeData_out,
                                                            numDependencies_out))
             : result;
}

CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                        cuuint64_t *id_out, CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                        const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  return cuStreamGetCaptureInfo_v3(vptr__driver_own_default(hStream), captureStatus_out, id_out, graph_out,
                                   dependencies_out, edgeData_out, numDependencies_out);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                                   CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                   size_t *numDependencies_out) {
  return cuStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                                   numDependencies_out);
}

CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                        cuuint64_t *id_out, CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                        size_t *numDependencies_out) {
  return cuStreamGetCaptureInfo_v2(vptr__driver_own_default(hStream), captureStatus_out, id_out, graph_out,
                                   dependencies_out, numDependencies_out);
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out) {
  return cuStreamGetCaptureInfo_v3(hStream, captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}

CUresult cuStreamGetCaptureInfo_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out) {
  return cuStreamGetCaptureInfo(vptr__driver_own_default(hStream), captureStatus_out, id_out);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode *dependencies,
                                              const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                              unsigned int flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamUpdateCaptureDependencies(
                                      hStream, dependencies, (const void *)dependencyData, numDependencies, flags))
                                : result;
}

CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream hStream, CUgraphNode *dependencies,
                                                   const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                                   unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(vptr__driver_own_default(hStream), dependencies, dependencyData,
                                              numDependencies, flags);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies, size_t numDependencies,
                                           unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(hStream, dependencies, NULL, numDependencies, flags);
}

CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream hStream, CUgraphNode *dependencies, size_t numDependencies,
                                                unsigned int flags) {
  return cuStreamUpdateCaptureDependencies(vptr__driver_own_default(hStream), dependencies, numDependencies, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaThreadExchangeStreamCaptureMode((void *)mode)) : result;
}
