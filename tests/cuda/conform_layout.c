/* SPDX-License-Identifier: MIT */
/* conform_layout - sizes, alignments, offsets and values that are part of the ABI. Needs no device. */
#include "conform.h"

#include <stddef.h>

/* NVIDIA marks the 32-byte vectors without a named alignment as old. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define conform_layout(type, size, alignment)                                                                        \
  do {                                                                                                               \
    conform_true(sizeof(type) == (size));                                                                            \
    conform_true(_Alignof(type) == (alignment));                                                                     \
  } while (0)

static void vectors(void) {
  conform_layout(char1, 1, 1);
  conform_layout(char2, 2, 2);
  conform_layout(char3, 3, 1);
  conform_layout(char4, 4, 4);
  conform_layout(uchar1, 1, 1);
  conform_layout(uchar2, 2, 2);
  conform_layout(uchar3, 3, 1);
  conform_layout(uchar4, 4, 4);
  conform_layout(short1, 2, 2);
  conform_layout(short2, 4, 4);
  conform_layout(short3, 6, 2);
  conform_layout(short4, 8, 8);
  conform_layout(ushort1, 2, 2);
  conform_layout(ushort2, 4, 4);
  conform_layout(ushort3, 6, 2);
  conform_layout(ushort4, 8, 8);
  conform_layout(int1, 4, 4);
  conform_layout(int2, 8, 8);
  conform_layout(int3, 12, 4);
  conform_layout(int4, 16, 16);
  conform_layout(uint1, 4, 4);
  conform_layout(uint2, 8, 8);
  conform_layout(uint3, 12, 4);
  conform_layout(uint4, 16, 16);
  conform_layout(long1, 8, 8);
  conform_layout(long2, 16, 16);
  conform_layout(long3, 24, 8);
  conform_layout(long4, 32, 16);
  conform_layout(ulong1, 8, 8);
  conform_layout(ulong2, 16, 16);
  conform_layout(ulong3, 24, 8);
  conform_layout(ulong4, 32, 16);
  conform_layout(longlong1, 8, 8);
  conform_layout(longlong2, 16, 16);
  conform_layout(longlong3, 24, 8);
  conform_layout(longlong4, 32, 16);
  conform_layout(ulonglong1, 8, 8);
  conform_layout(ulonglong2, 16, 16);
  conform_layout(ulonglong3, 24, 8);
  conform_layout(ulonglong4, 32, 16);
  conform_layout(float1, 4, 4);
  conform_layout(float2, 8, 8);
  conform_layout(float3, 12, 4);
  conform_layout(float4, 16, 16);
  conform_layout(double1, 8, 8);
  conform_layout(double2, 16, 16);
  conform_layout(double3, 24, 8);
  conform_layout(double4, 32, 16);
  conform_layout(long4_16a, 32, 16);
  conform_layout(long4_32a, 32, 32);
  conform_layout(ulong4_16a, 32, 16);
  conform_layout(ulong4_32a, 32, 32);
  conform_layout(longlong4_16a, 32, 16);
  conform_layout(longlong4_32a, 32, 32);
  conform_layout(ulonglong4_16a, 32, 16);
  conform_layout(ulonglong4_32a, 32, 32);
  conform_layout(double4_16a, 32, 16);
  conform_layout(double4_32a, 32, 32);
  conform_layout(dim3, 12, 4);
}

static void components(void) {
  conform_true(offsetof(float4, x) == 0 && offsetof(float4, y) == 4);
  conform_true(offsetof(float4, z) == 8 && offsetof(float4, w) == 12);
  conform_true(offsetof(dim3, x) == 0 && offsetof(dim3, y) == 4 && offsetof(dim3, z) == 8);
  double3 v = make_double3(1, 2, 3);
  uchar4 u = make_uchar4(1, 2, 3, 255);
  conform_true(v.x + 10 * v.y + 100 * v.z == 321 && u.w == 255);
}

static void launches(void) {
  conform_layout(cudaLaunchConfig_t, 56, 8);
  conform_true(offsetof(cudaLaunchConfig_t, dynamicSmemBytes) == 24);
  conform_true(offsetof(cudaLaunchConfig_t, stream) == 32);
  conform_true(offsetof(cudaLaunchConfig_t, attrs) == 40);
  conform_true(offsetof(cudaLaunchConfig_t, numAttrs) == 48);
  conform_true(sizeof(cudaLaunchAttribute) == 72);
  conform_true(offsetof(cudaLaunchAttribute, val) == 8);
  conform_true(sizeof(cudaLaunchAttributeValue) == 64);
  conform_true(offsetof(cudaLaunchAttributeValue, accessPolicyWindow.hitRatio) == 16);
  conform_true(offsetof(cudaLaunchAttributeValue, accessPolicyWindow.missProp) == 24);
  conform_true(offsetof(cudaLaunchAttributeValue, programmaticEvent.triggerAtBlockStart) == 12);
  conform_true(offsetof(cudaLaunchAttributeValue, launchCompletionEvent.flags) == 8);
  conform_true(sizeof(cudaLaunchMemSyncDomainMap) == 2);
  conform_true(cudaLaunchAttributeClusterDimension == 4 && cudaLaunchAttributePriority == 8);
  conform_true(cudaLaunchAttributePreferredSharedMemoryCarveout == 14);
}

static void structures(void) {
  conform_layout(struct cudaPointerAttributes, 88, 8);
  conform_true(offsetof(struct cudaPointerAttributes, type) == 0);
  conform_true(offsetof(struct cudaPointerAttributes, device) == 4);
  conform_true(offsetof(struct cudaPointerAttributes, devicePointer) == 8);
  conform_true(offsetof(struct cudaPointerAttributes, hostPointer) == 16);
  conform_true(offsetof(struct cudaPointerAttributes, reserved) == 24);
}

#define conform_offset(type, field, offset) conform_true(offsetof(struct type, field) == (offset))

static void copies(void) {
  conform_layout(struct cudaExtent, 24, 8);
  conform_layout(struct cudaPos, 24, 8);
  conform_layout(struct cudaPitchedPtr, 32, 8);
  conform_offset(cudaPitchedPtr, pitch, 8);
  conform_offset(cudaPitchedPtr, ysize, 24);
  conform_layout(struct cudaMemcpy3DParms, 160, 8);
  conform_offset(cudaMemcpy3DParms, srcPos, 8);
  conform_offset(cudaMemcpy3DParms, srcPtr, 32);
  conform_offset(cudaMemcpy3DParms, dstArray, 64);
  conform_offset(cudaMemcpy3DParms, dstPos, 72);
  conform_offset(cudaMemcpy3DParms, dstPtr, 96);
  conform_offset(cudaMemcpy3DParms, extent, 128);
  conform_offset(cudaMemcpy3DParms, kind, 152);
  conform_layout(struct cudaMemcpy3DPeerParms, 168, 8);
  conform_offset(cudaMemcpy3DPeerParms, srcDevice, 64);
  conform_offset(cudaMemcpy3DPeerParms, dstArray, 72);
  conform_offset(cudaMemcpy3DPeerParms, dstPtr, 104);
  conform_offset(cudaMemcpy3DPeerParms, dstDevice, 136);
  conform_offset(cudaMemcpy3DPeerParms, extent, 144);
}

static void textures(void) {
  conform_layout(struct cudaChannelFormatDesc, 20, 4);
  conform_offset(cudaChannelFormatDesc, f, 16);
  conform_layout(struct cudaResourceDesc, 144, 8);
  conform_offset(cudaResourceDesc, res, 8);
  conform_offset(cudaResourceDesc, res.linear.desc, 16);
  conform_offset(cudaResourceDesc, res.linear.sizeInBytes, 40);
  conform_offset(cudaResourceDesc, res.pitch2D.width, 40);
  conform_offset(cudaResourceDesc, res.pitch2D.pitchInBytes, 56);
  conform_offset(cudaResourceDesc, flags, 136);
  conform_layout(struct cudaTextureDesc, 72, 4);
  conform_offset(cudaTextureDesc, filterMode, 12);
  conform_offset(cudaTextureDesc, readMode, 16);
  conform_offset(cudaTextureDesc, sRGB, 20);
  conform_offset(cudaTextureDesc, borderColor, 24);
  conform_offset(cudaTextureDesc, normalizedCoords, 40);
  conform_offset(cudaTextureDesc, maxAnisotropy, 44);
  conform_offset(cudaTextureDesc, mipmapFilterMode, 48);
  conform_offset(cudaTextureDesc, disableTrilinearOptimization, 64);
  conform_offset(cudaTextureDesc, seamlessCubemap, 68);
  conform_layout(struct cudaResourceViewDesc, 112, 8);
  conform_offset(cudaResourceViewDesc, width, 8);
  conform_offset(cudaResourceViewDesc, firstMipmapLevel, 32);
  conform_offset(cudaResourceViewDesc, lastLayer, 44);
  conform_offset(cudaResourceViewDesc, reserved, 48);
}

static void pools(void) {
  conform_layout(struct cudaMemLocation, 8, 4);
  conform_layout(struct cudaMemAccessDesc, 12, 4);
  conform_layout(struct cudaMemPoolProps, 88, 8);
  conform_offset(cudaMemPoolProps, handleTypes, 4);
  conform_offset(cudaMemPoolProps, location, 8);
  conform_offset(cudaMemPoolProps, win32SecurityAttributes, 16);
  conform_offset(cudaMemPoolProps, maxSize, 24);
  conform_offset(cudaMemPoolProps, usage, 32);
  conform_offset(cudaMemPoolProps, reserved, 34);
}

static void properties(void) {
  conform_layout(struct cudaDeviceProp, 1008, 8);
  conform_offset(cudaDeviceProp, uuid, 256);
  conform_offset(cudaDeviceProp, totalGlobalMem, 288);
  conform_offset(cudaDeviceProp, memPitch, 312);
  conform_offset(cudaDeviceProp, major, 360);
  conform_offset(cudaDeviceProp, multiProcessorCount, 384);
  conform_offset(cudaDeviceProp, maxSurfaceCubemapLayered, 544);
  conform_offset(cudaDeviceProp, surfaceAlignment, 552);
  conform_offset(cudaDeviceProp, sharedMemPerMultiprocessor, 624);
  conform_offset(cudaDeviceProp, reservedSharedMemPerBlock, 696);
  conform_offset(cudaDeviceProp, reserved, 784);
}

static void functions(void) {
  conform_layout(struct cudaFuncAttributes, 144, 8);
  conform_offset(cudaFuncAttributes, maxThreadsPerBlock, 24);
  conform_offset(cudaFuncAttributes, maxDynamicSharedSizeBytes, 44);
  conform_offset(cudaFuncAttributes, nonPortableClusterSizeAllowed, 72);
  conform_true(cudaFuncAttributeMaxDynamicSharedMemorySize == 8 && cudaFuncAttributeMax == 16);
}

static void values(void) {
  conform_layout(cudaError_t, 4, 4);
  conform_layout(enum cudaMemcpyKind, 4, 4);
  conform_true(cudaMemcpyHostToHost == 0 && cudaMemcpyHostToDevice == 1 && cudaMemcpyDeviceToHost == 2);
  conform_true(cudaMemcpyDeviceToDevice == 3 && cudaMemcpyDefault == 4);
  conform_true(cudaMemoryTypeUnregistered == 0 && cudaMemoryTypeHost == 1 && cudaMemoryTypeDevice == 2);
  conform_true(cudaMemoryTypeManaged == 3 && cudaCpuDeviceId == -1 && cudaInvalidDeviceId == -2);
}

int main(void) {
  vectors();
  components();
  launches();
  structures();
  copies();
  textures();
  pools();
  properties();
  functions();
  values();
  return conform_done("conform_layout");
}
