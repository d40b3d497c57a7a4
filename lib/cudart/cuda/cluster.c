/* SPDX-License-Identifier: MIT */
/*
 * cluster - how many clusters of blocks a device runs at once: clusters have one block here.
 *
 * No data, no locks of its own. Called by programs, and by driver/lacking.c. A kernel whose unit is not registered yet
 * is registered first, under the lock of rank UNIT (unit.c), and the count of blocks has the driver build the kernel:
 * both block.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/launch_attribute.h"
#include "cuda/registration.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* A configuration whose attributes can be heeded has clusters of one block, or says nothing of them. */
static cudaError_t check_configuration(const char *call, const int *output, const void *func,
                                       const cudaLaunchConfig_t *config) {
  vptr__function *function;
  bool is_cooperative;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && (output == NULL || config == NULL))
    error = vptr__cuda_null_output(call, output == NULL ? "the output" : "launchConfig");
  if (error == cudaSuccess)
    error = vptr__cuda_function(call, func, &function);
  if (error == cudaSuccess)
    error = vptr__cuda_launch_attributes(call, config->attrs, config->numAttrs, &is_cooperative);
  return error;
}

static cudaError_t get_potential_size(int *size, const void *func, const cudaLaunchConfig_t *config) {
  cudaError_t error = check_configuration("cudaOccupancyMaxPotentialClusterSize", size, func, config);
  if (error == cudaSuccess)
    *size = 1;
  return error;
}

static bool names_cluster(const cudaLaunchConfig_t *config) {
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      return true;
  return false;
}

static cudaError_t check_cluster(const char *call, const int *output, const void *func,
                                 const cudaLaunchConfig_t *config) {
  cudaError_t error = check_configuration(call, output, func, config);
  if (error != cudaSuccess || names_cluster(config))
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: no attribute says the clusters' size; 1 in each dimension is possible", call);
  return cudaErrorInvalidClusterSize;
}

static unsigned long long threads_of(const cudaLaunchConfig_t *config) {
  return (unsigned long long)config->blockDim.x * config->blockDim.y * config->blockDim.z;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                 const cudaLaunchConfig_t *launchConfig) {
  return vptr__cuda_record(get_potential_size(clusterSize, func, launchConfig));
}

/* The calls within keep their own errors. */
cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                           const cudaLaunchConfig_t *launchConfig) {
  int each = 0, processors = 0;
  cudaError_t error = check_cluster("cudaOccupancyMaxActiveClusters", numClusters, func, launchConfig);
  if (error != cudaSuccess)
    return vptr__cuda_record(error);
  int threads = threads_of(launchConfig) <= INT32_MAX ? (int)threads_of(launchConfig) : INT32_MAX;
  error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, func, threads, launchConfig->dynamicSmemBytes);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, vptr__cuda_current_device());
  if (error == cudaSuccess)
    *numClusters = each * processors;
  return error;
}
