/* SPDX-License-Identifier: MIT */
/*
 * launch_attribute - checking the attributes of a launch: what is said of it beside its grid and block.
 *
 * Most attributes are hints, or allow the device what it need not do: an overlap with the kernel before, a place in the
 * cache, a priority among streams, a domain of fences. These change nothing here, and no program can tell. One makes
 * the launch cooperative. The others would change what a kernel sees, or what follows it, and are refused by name and
 * value: clusters of several blocks, events that kernels trigger, nodes of graphs. Both interfaces number them alike.
 * No data but the constant `names`, no locks; waits for nothing. Called by cluster.c, launch.c, replay/kernel_node.c
 * and driver/launch.c.
 */
#include "cuda/launch_attribute.h"

#include "base/error.h"
#include "cuda/error.h"

enum { MOST_CLUSTER_POLICY = 2, MOST_CARVEOUT = 100 };

/* By number. */
static const char *const names[] = { "Ignore",
                                     "AccessPolicyWindow",
                                     "Cooperative",
                                     "SynchronizationPolicy",
                                     "ClusterDimension",
                                     "ClusterSchedulingPolicyPreference",
                                     "ProgrammaticStreamSerialization",
                                     "ProgrammaticEvent",
                                     "Priority",
                                     "MemSyncDomainMap",
                                     "MemSyncDomain",
                                     "PreferredClusterDimension",
                                     "LaunchCompletionEvent",
                                     "DeviceUpdatableKernelNode",
                                     "PreferredSharedMemoryCarveout",
                                     NULL,
                                     "NvlinkUtilCentricScheduling" };

static const char *name_of(const cudaLaunchAttribute *attribute) {
  const char *name = NULL;
  if ((unsigned)attribute->id < sizeof names / sizeof *names)
    name = names[attribute->id];
  return name != NULL ? name : "unknown";
}

static cudaError_t refuse(const char *call, const cudaLaunchAttribute *attribute, const char *why) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: attribute %d (%s): %s", call, (int)attribute->id, name_of(attribute), why);
  return cudaErrorNotSupported;
}

static cudaError_t refuse_event(const char *call, const cudaLaunchAttribute *attribute, cudaEvent_t event) {
  if (event != NULL)
    return refuse(call, attribute, "kernels record no events: cudaEventRecord() behind the launch");
  vptr__error(VPTR_ERROR_NULL_POINTER, "%s: attribute %d (%s): the event is NULL", call, (int)attribute->id,
              name_of(attribute));
  return cudaErrorInvalidResourceHandle;
}

/* What is no launch's. */
static cudaError_t refuse_unknown(const char *call, const cudaLaunchAttribute *attribute) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: attribute %d (%s) is none of a launch's", call, (int)attribute->id,
              name_of(attribute));
  return cudaErrorInvalidValue;
}

static cudaError_t check_range(const char *call, const cudaLaunchAttribute *attribute, long long value, int least,
                               int most) {
  if (value >= least && value <= most)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: attribute %d (%s) is %lld, and can be %d to %d", call,
              (int)attribute->id, name_of(attribute), value, least, most);
  return cudaErrorInvalidValue;
}

static cudaError_t check_cluster(const char *call, const cudaLaunchAttribute *attribute) {
  const cudaLaunchAttributeValue *value = &attribute->val;
  if (value->clusterDim.x <= 1 && value->clusterDim.y <= 1 && value->clusterDim.z <= 1)
    return cudaSuccess;
  vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: attribute %d (%s) is %u x %u x %u: there are no clusters of blocks; 1 in each dimension is possible", call,
      (int)attribute->id, name_of(attribute), value->clusterDim.x, value->clusterDim.y, value->clusterDim.z);
  return cudaErrorNotSupported;
}

static cudaError_t check(const char *call, const cudaLaunchAttribute *attribute) {
  const cudaLaunchAttributeValue *value = &attribute->val;
  switch ((int)attribute->id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeCooperative:
  case cudaLaunchAttributeProgrammaticStreamSerialization: /* allows an overlap, which need not happen */
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap: /* fences wait for all domains */
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredClusterDimension: /* the other one may be taken, which is refused if it is larger */
  case cudaLaunchAttributeNvlinkUtilCentricScheduling:
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    return check_cluster(call, attribute);
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    return check_range(call, attribute, value->clusterSchedulingPolicyPreference, 0, MOST_CLUSTER_POLICY);
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return check_range(call, attribute, (int)value->sharedMemCarveout, -1, MOST_CARVEOUT);
  case cudaLaunchAttributeProgrammaticEvent:
    return refuse_event(call, attribute, value->programmaticEvent.event);
  case cudaLaunchAttributeLaunchCompletionEvent:
    return refuse_event(call, attribute, value->launchCompletionEvent.event);
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return refuse(call, attribute, "kernels change no nodes of graphs");
  default:
    return refuse_unknown(call, attribute);
  }
}

cudaError_t vptr__cuda_launch_attributes(const char *call, const cudaLaunchAttribute *attributes, unsigned count,
                                         bool *cooperative_out) {
  cudaError_t error = cudaSuccess;
  *cooperative_out = false;
  if (count > 0 && attributes == NULL)
    return vptr__cuda_null_output(call, "config->attrs");
  for (unsigned i = 0; i < count && error == cudaSuccess; i++) {
    error = check(call, &attributes[i]);
    if (attributes[i].id == cudaLaunchAttributeCooperative)
      *cooperative_out = attributes[i].val.cooperative != 0;
  }
  return error;
}
