/* SPDX-License-Identifier: MIT */
/* conform_error - every enumerator's value, name and text, and what the last error is when. */
#include "conform.h"

#include <pthread.h>
#include <string.h>

static const struct {
  int value;
  cudaError_t error;
  const char *name, *text;
} errors[] = {
  { 0, cudaSuccess, "cudaSuccess", "no error" },
  { 1, cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument" },
  { 2, cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory" },
  { 3, cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error" },
  { 4, cudaErrorCudartUnloading, "cudaErrorCudartUnloading", "driver shutting down" },
  { 5, cudaErrorProfilerDisabled, "cudaErrorProfilerDisabled",
    "profiler disabled while using external profiling tool" },
  { 6, cudaErrorProfilerNotInitialized, "cudaErrorProfilerNotInitialized",
    "profiler not initialized: call cudaProfilerInitialize()" },
  { 7, cudaErrorProfilerAlreadyStarted, "cudaErrorProfilerAlreadyStarted", "profiler already started" },
  { 8, cudaErrorProfilerAlreadyStopped, "cudaErrorProfilerAlreadyStopped", "profiler already stopped" },
  { 9, cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument" },
  { 12, cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument" },
  { 13, cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol" },
  { 16, cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer" },
  { 17, cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer" },
  { 18, cudaErrorInvalidTexture, "cudaErrorInvalidTexture", "invalid texture reference" },
  { 19, cudaErrorInvalidTextureBinding, "cudaErrorInvalidTextureBinding", "texture is not bound to a pointer" },
  { 20, cudaErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor" },
  { 21, cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy" },
  { 22, cudaErrorAddressOfConstant, "cudaErrorAddressOfConstant", "invalid address of constant" },
  { 23, cudaErrorTextureFetchFailed, "cudaErrorTextureFetchFailed", "fetch from texture failed" },
  { 24, cudaErrorTextureNotBound, "cudaErrorTextureNotBound", "cannot fetch from a texture that is not bound" },
  { 25, cudaErrorSynchronizationError, "cudaErrorSynchronizationError", "incorrect use of __syncthreads()" },
  { 26, cudaErrorInvalidFilterSetting, "cudaErrorInvalidFilterSetting",
    "linear filtering not supported for non-float type" },
  { 27, cudaErrorInvalidNormSetting, "cudaErrorInvalidNormSetting",
    "read as normalized float not supported for data type" },
  { 28, cudaErrorMixedDeviceExecution, "cudaErrorMixedDeviceExecution",
    "device emulation mode and device execution mode cannot be mixed" },
  { 31, cudaErrorNotYetImplemented, "cudaErrorNotYetImplemented", "feature not yet implemented" },
  { 32, cudaErrorMemoryValueTooLarge, "cudaErrorMemoryValueTooLarge",
    "memory size or pointer value too large to fit in 32 bit" },
  { 34, cudaErrorStubLibrary, "cudaErrorStubLibrary", "CUDA driver is a stub library" },
  { 35, cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
    "CUDA driver version is insufficient for CUDA runtime version" },
  { 36, cudaErrorCallRequiresNewerDriver, "cudaErrorCallRequiresNewerDriver",
    "API call is not supported in the installed CUDA driver" },
  { 37, cudaErrorInvalidSurface, "cudaErrorInvalidSurface", "invalid surface reference" },
  { 43, cudaErrorDuplicateVariableName, "cudaErrorDuplicateVariableName",
    "duplicate global variable looked up by string name" },
  { 44, cudaErrorDuplicateTextureName, "cudaErrorDuplicateTextureName",
    "duplicate texture looked up by string name" },
  { 45, cudaErrorDuplicateSurfaceName, "cudaErrorDuplicateSurfaceName",
    "duplicate surface looked up by string name" },
  { 46, cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
    "CUDA-capable device(s) is/are busy or unavailable" },
  { 49, cudaErrorIncompatibleDriverContext, "cudaErrorIncompatibleDriverContext", "incompatible driver context" },
  { 52, cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration",
    "__global__ function call is not configured" },
  { 53, cudaErrorPriorLaunchFailure, "cudaErrorPriorLaunchFailure", "unspecified launch failure in prior launch" },
  { 65, cudaErrorLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded",
    "launch would exceed maximum depth of nested launches" },
  { 66, cudaErrorLaunchFileScopedTex, "cudaErrorLaunchFileScopedTex",
    "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)" },
  { 67, cudaErrorLaunchFileScopedSurf, "cudaErrorLaunchFileScopedSurf",
    "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)" },
  { 68, cudaErrorSyncDepthExceeded, "cudaErrorSyncDepthExceeded",
    "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth" },
  { 69, cudaErrorLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded",
    "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount" },
  { 98, cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function" },
  { 100, cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected" },
  { 101, cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal" },
  { 102, cudaErrorDeviceNotLicensed, "cudaErrorDeviceNotLicensed", "device doesn't have valid Grid license" },
  { 103, cudaErrorSoftwareValidityNotEstablished, "cudaErrorSoftwareValidityNotEstablished",
    "integrity checks failed" },
  { 127, cudaErrorStartupFailure, "cudaErrorStartupFailure", "startup failure in cuda runtime" },
  { 200, cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage", "device kernel image is invalid" },
  { 201, cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context" },
  { 205, cudaErrorMapBufferObjectFailed, "cudaErrorMapBufferObjectFailed", "mapping of buffer object failed" },
  { 206, cudaErrorUnmapBufferObjectFailed, "cudaErrorUnmapBufferObjectFailed", "unmapping of buffer object failed" },
  { 207, cudaErrorArrayIsMapped, "cudaErrorArrayIsMapped", "array is mapped" },
  { 208, cudaErrorAlreadyMapped, "cudaErrorAlreadyMapped", "resource already mapped" },
  { 209, cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
    "no kernel image is available for execution on the device" },
  { 210, cudaErrorAlreadyAcquired, "cudaErrorAlreadyAcquired", "resource already acquired" },
  { 211, cudaErrorNotMapped, "cudaErrorNotMapped", "resource not mapped" },
  { 212, cudaErrorNotMappedAsArray, "cudaErrorNotMappedAsArray", "resource not mapped as array" },
  { 213, cudaErrorNotMappedAsPointer, "cudaErrorNotMappedAsPointer", "resource not mapped as pointer" },
  { 214, cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered" },
  { 215, cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture" },
  { 216, cudaErrorDeviceAlreadyInUse, "cudaErrorDeviceAlreadyInUse",
    "exclusive-thread device already in use by a different thread" },
  { 217, cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
    "peer access is not supported between these two devices" },
  { 218, cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed" },
  { 219, cudaErrorInvalidGraphicsContext, "cudaErrorInvalidGraphicsContext", "invalid OpenGL or DirectX context" },
  { 220, cudaErrorNvlinkUncorrectable, "cudaErrorNvlinkUncorrectable",
    "uncorrectable NVLink error detected during the execution" },
  { 221, cudaErrorJitCompilerNotFound, "cudaErrorJitCompilerNotFound", "PTX JIT compiler library not found" },
  { 222, cudaErrorUnsupportedPtxVersion, "cudaErrorUnsupportedPtxVersion",
    "the provided PTX was compiled with an unsupported toolchain." },
  { 223, cudaErrorJitCompilationDisabled, "cudaErrorJitCompilationDisabled", "PTX JIT compilation was disabled" },
  { 224, cudaErrorUnsupportedExecAffinity, "cudaErrorUnsupportedExecAffinity",
    "the provided execution affinity is not supported" },
  { 225, cudaErrorUnsupportedDevSideSync, "cudaErrorUnsupportedDevSideSync",
    "the provided PTX contains unsupported call to cudaDeviceSynchronize" },
  { 226, cudaErrorContained, "cudaErrorContained",
    "Invalid access of peer GPU memory over nvlink or a hardware error" },
  { 300, cudaErrorInvalidSource, "cudaErrorInvalidSource", "device kernel image is invalid" },
  { 301, cudaErrorFileNotFound, "cudaErrorFileNotFound", "file not found" },
  { 302, cudaErrorSharedObjectSymbolNotFound, "cudaErrorSharedObjectSymbolNotFound",
    "shared object symbol not found" },
  { 303, cudaErrorSharedObjectInitFailed, "cudaErrorSharedObjectInitFailed", "shared object initialization failed" },
  { 304, cudaErrorOperatingSystem, "cudaErrorOperatingSystem",
    "OS call failed or operation not supported on this OS" },
  { 400, cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle" },
  { 401, cudaErrorIllegalState, "cudaErrorIllegalState", "the operation cannot be performed in the present state" },
  { 402, cudaErrorLossyQuery, "cudaErrorLossyQuery", "attempted introspection would be semantically lossy" },
  { 500, cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "named symbol not found" },
  { 600, cudaErrorNotReady, "cudaErrorNotReady", "device not ready" },
  { 700, cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered" },
  { 701, cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch" },
  { 702, cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated" },
  { 703, cudaErrorLaunchIncompatibleTexturing, "cudaErrorLaunchIncompatibleTexturing",
    "launch uses incompatible texturing mode" },
  { 704, cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled" },
  { 705, cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled" },
  { 708, cudaErrorSetOnActiveProcess, "cudaErrorSetOnActiveProcess",
    "cannot set while device is active in this process" },
  { 709, cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "context is destroyed" },
  { 710, cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered" },
  { 711, cudaErrorTooManyPeers, "cudaErrorTooManyPeers", "peer mapping resources exhausted" },
  { 712, cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
    "part or all of the requested memory range is already mapped" },
  { 713, cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
    "pointer does not correspond to a registered memory region" },
  { 714, cudaErrorHardwareStackError, "cudaErrorHardwareStackError", "hardware stack error" },
  { 715, cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction", "an illegal instruction was encountered" },
  { 716, cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address" },
  { 717, cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace",
    "operation not supported on global/shared address space" },
  { 718, cudaErrorInvalidPc, "cudaErrorInvalidPc", "invalid program counter" },
  { 719, cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure" },
  { 720, cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
    "too many blocks in cooperative launch" },
  { 721, cudaErrorTensorMemoryLeak, "cudaErrorTensorMemoryLeak", "tensor memory not completely freed" },
  { 800, cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted" },
  { 801, cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported" },
  { 802, cudaErrorSystemNotReady, "cudaErrorSystemNotReady", "system not yet initialized" },
  { 803, cudaErrorSystemDriverMismatch, "cudaErrorSystemDriverMismatch",
    "system has unsupported display driver / cuda driver combination" },
  { 804, cudaErrorCompatNotSupportedOnDevice, "cudaErrorCompatNotSupportedOnDevice",
    "forward compatibility was attempted on non supported HW" },
  { 805, cudaErrorMpsConnectionFailed, "cudaErrorMpsConnectionFailed",
    "MPS client failed to connect to the MPS control daemon or the MPS server" },
  { 806, cudaErrorMpsRpcFailure, "cudaErrorMpsRpcFailure",
    "the remote procedural call between the MPS server and the MPS client failed" },
  { 807, cudaErrorMpsServerNotReady, "cudaErrorMpsServerNotReady",
    "MPS server is not ready to accept new MPS client requests" },
  { 808, cudaErrorMpsMaxClientsReached, "cudaErrorMpsMaxClientsReached",
    "the hardware resources required to create MPS client have been exhausted" },
  { 809, cudaErrorMpsMaxConnectionsReached, "cudaErrorMpsMaxConnectionsReached",
    "the hardware resources required to support device connections have been exhausted" },
  { 810, cudaErrorMpsClientTerminated, "cudaErrorMpsClientTerminated",
    "the MPS client has been terminated by the server" },
  { 811, cudaErrorCdpNotSupported, "cudaErrorCdpNotSupported",
    "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it" },
  { 812, cudaErrorCdpVersionMismatch, "cudaErrorCdpVersionMismatch",
    "unsupported interaction between different versions of CUDA Dynamic Parallelism" },
  { 900, cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
    "operation not permitted when stream is capturing" },
  { 901, cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
    "operation failed due to a previous error during capture" },
  { 902, cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge",
    "operation would result in a merge of separate capture sequences" },
  { 903, cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
    "capture was not ended in the same stream as it began" },
  { 904, cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work" },
  { 905, cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
    "dependency created on uncaptured work in another stream" },
  { 906, cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
    "operation would make the legacy stream depend on a capturing blocking stream" },
  { 907, cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
    "operation not permitted on an event last recorded in a capturing stream" },
  { 908, cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
    "attempt to terminate a thread-local capture sequence from another thread" },
  { 909, cudaErrorTimeout, "cudaErrorTimeout", "wait operation timed out" },
  { 910, cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure",
    "the graph update was not performed because it included changes which violated constraints specific to "
    "instantiated graph update" },
  { 911, cudaErrorExternalDevice, "cudaErrorExternalDevice",
    "an async error has occured in external entity outside of CUDA" },
  { 912, cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize",
    "a kernel launch error has occurred due to cluster misconfiguration" },
  { 913, cudaErrorFunctionNotLoaded, "cudaErrorFunctionNotLoaded",
    "the function handle is not loaded when calling an API that requires a loaded function" },
  { 914, cudaErrorInvalidResourceType, "cudaErrorInvalidResourceType",
    "one or more resources passed in are not valid resource types for the operation" },
  { 915, cudaErrorInvalidResourceConfiguration, "cudaErrorInvalidResourceConfiguration",
    "one or more resources are insufficient or non-applicable for the operation" },
  { 999, cudaErrorUnknown, "cudaErrorUnknown", "unknown error" },
  { 10000, cudaErrorApiFailureBase, "cudaErrorApiFailureBase", "api failure base" },
};

enum { ERRORS = sizeof errors / sizeof *errors };

static void every_error_has_its_value_name_and_text(void) {
  for (int i = 0; i < ERRORS; i++) {
    conform_true((int)errors[i].error == errors[i].value);
    conform_classify(strcmp(cudaGetErrorName(errors[i].error), errors[i].name) == 0, __FILE__, __LINE__,
                     errors[i].name);
    conform_classify(strcmp(cudaGetErrorString(errors[i].error), errors[i].text) == 0, __FILE__, __LINE__,
                     errors[i].text);
  }
}

static int is_known(int value) {
  for (int i = 0; i < ERRORS; i++)
    if (errors[i].value == value)
      return 1;
  return 0;
}

static void other_values_are_unrecognized(void) {
  for (int value = -2; value < 1100; value++)
    if (!is_known(value)) {
      conform_true(strcmp(cudaGetErrorName((cudaError_t)value), "unrecognized error code") == 0);
      conform_true(strcmp(cudaGetErrorString((cudaError_t)value), "unrecognized error code") == 0);
    }
}

static void the_last_error_stays_until_it_is_taken(void) {
  int count = 0;
  conform_true(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  conform_true(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  conform_true(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  conform_true(cudaGetDeviceCount(&count) == cudaSuccess); /* a success leaves it */
  conform_true(cudaFree(NULL) == cudaSuccess);
  conform_true(cudaGetLastError() == cudaErrorInvalidDevice);
  conform_true(cudaGetLastError() == cudaSuccess);
}

static void a_later_failure_replaces_it(void) {
  conform_true(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  conform_true(cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
  conform_true(cudaGetLastError() == cudaErrorInvalidValue);
  conform_true(cudaGetLastError() == cudaSuccess);
}

static void words_leave_it_alone(void) {
  conform_true(cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
  cudaGetErrorName((cudaError_t)12345);
  cudaGetErrorString(cudaErrorNoDevice);
  conform_true(cudaGetLastError() == cudaErrorInvalidValue);
}

static void *fail_in_thread(void *unused) {
  (void)unused;
  conform_true(cudaPeekAtLastError() == cudaSuccess);
  conform_true(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  return NULL;
}

static void it_is_the_threads_own(void) {
  pthread_t thread;
  conform_true(cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
  int refused = pthread_create(&thread, NULL, fail_in_thread, NULL);
  if (refused == 0)
    pthread_join(thread, NULL);
  conform_true(refused == 0);
  conform_true(cudaGetLastError() == cudaErrorInvalidValue);
}

int main(void) {
  every_error_has_its_value_name_and_text();
  other_values_are_unrecognized();
  the_last_error_stays_until_it_is_taken();
  a_later_failure_replaces_it();
  words_leave_it_alone();
  it_is_the_threads_own();
  return conform_done("conform_error");
}
