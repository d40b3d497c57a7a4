/* SPDX-License-Identifier: MIT */
/*
 * unknown - what NVML tells of a device and OpenCL does not: temperatures, power, how busy it is.
 *
 * The functions are there, for programs link them, or look them up by name, and take NOT_SUPPORTED for "this device has
 * no such sensor", as they must on many of NVIDIA's. What is wrong with arguments comes before that. An output is not
 * written. Functions that change a device, and those that few programs call, are not there: doc/ml-coverage.md. No
 * state, no locks. Called by programs. Nothing blocks.
 */
#include <stddef.h>

#include "ml/device.h"
#include "ml/status.h"

static nvmlReturn_t look_and_tell(const char *call, nvmlDevice_t device, const void *output, const char *what) {
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device(call, device, output, &ordinal);
  return result == NVML_SUCCESS ? vptr__ml_not_told(call, what) : result;
}

/* A function of a device and of the arguments behind `output`, which is where the answer would go, or NULL if there is
   no place for a part of it. */
#define UNUSED __attribute__((unused))
#define TELLS_NOT(function, what, output, ...)                                                                       \
  nvmlReturn_t function(nvmlDevice_t device, __VA_ARGS__) {                                                          \
    return look_and_tell(#function, device, output, what);                                                           \
  }

TELLS_NOT(nvmlDeviceGetSerial, "serial numbers", serial, char *serial, UNUSED unsigned int length)
TELLS_NOT(nvmlDeviceGetVbiosVersion, "the version of a BIOS", version, char *version, UNUSED unsigned int length)
TELLS_NOT(nvmlDeviceGetMinorNumber, "the number of a file in /dev", minorNumber, unsigned int *minorNumber)
TELLS_NOT(nvmlDeviceGetNumGpuCores, "how many lanes a compute unit has", numCores, unsigned int *numCores)
TELLS_NOT(nvmlDeviceGetMemoryBusWidth, "the width of the bus to memory", busWidth, unsigned int *busWidth)
TELLS_NOT(nvmlDeviceGetBAR1MemoryInfo, "how memory is mapped on the bus", bar1Memory, nvmlBAR1Memory_t *bar1Memory)
TELLS_NOT(nvmlDeviceGetClockInfo, "clocks of the moment", clock, UNUSED nvmlClockType_t type, unsigned int *clock)
TELLS_NOT(nvmlDeviceGetApplicationsClock, "clocks that were set", clockMHz, UNUSED nvmlClockType_t clockType,
          unsigned int *clockMHz)
TELLS_NOT(nvmlDeviceGetSupportedMemoryClocks, "memory's clocks", count, unsigned int *count,
          UNUSED unsigned int *clocksMHz)
TELLS_NOT(nvmlDeviceGetCurrentClocksEventReasons, "why a clock is low", clocksEventReasons,
          unsigned long long *clocksEventReasons)
TELLS_NOT(nvmlDeviceGetCurrentClocksThrottleReasons, "why a clock is low", clocksThrottleReasons,
          unsigned long long *clocksThrottleReasons)
TELLS_NOT(nvmlDeviceGetUtilizationRates, "how busy a device is", utilization, nvmlUtilization_t *utilization)
TELLS_NOT(nvmlDeviceGetEncoderUtilization, "how busy an encoder is", samplingPeriodUs != NULL ? utilization : NULL,
          unsigned int *utilization, unsigned int *samplingPeriodUs)
TELLS_NOT(nvmlDeviceGetDecoderUtilization, "how busy a decoder is", samplingPeriodUs != NULL ? utilization : NULL,
          unsigned int *utilization, unsigned int *samplingPeriodUs)
TELLS_NOT(nvmlDeviceGetProcessUtilization, "what processes use of a device", processSamplesCount,
          UNUSED nvmlProcessUtilizationSample_t *utilization, unsigned int *processSamplesCount,
          UNUSED unsigned long long lastSeenTimeStamp)
TELLS_NOT(nvmlDeviceGetTemperature, "temperatures", temp, UNUSED nvmlTemperatureSensors_t sensorType,
          unsigned int *temp)
TELLS_NOT(nvmlDeviceGetTemperatureThreshold, "temperatures", temp, UNUSED nvmlTemperatureThresholds_t thresholdType,
          unsigned int *temp)
TELLS_NOT(nvmlDeviceGetFanSpeed, "fans", speed, unsigned int *speed)
TELLS_NOT(nvmlDeviceGetFanSpeed_v2, "fans", speed, UNUSED unsigned int fan, unsigned int *speed)
TELLS_NOT(nvmlDeviceGetNumFans, "fans", numFans, unsigned int *numFans)
TELLS_NOT(nvmlDeviceGetPowerUsage, "power", power, unsigned int *power)
TELLS_NOT(nvmlDeviceGetTotalEnergyConsumption, "energy", energy, unsigned long long *energy)
TELLS_NOT(nvmlDeviceGetEnforcedPowerLimit, "power", limit, unsigned int *limit)
TELLS_NOT(nvmlDeviceGetPowerManagementMode, "power", mode, nvmlEnableState_t *mode)
TELLS_NOT(nvmlDeviceGetPowerManagementLimit, "power", limit, unsigned int *limit)
TELLS_NOT(nvmlDeviceGetPowerManagementDefaultLimit, "power", defaultLimit, unsigned int *defaultLimit)
TELLS_NOT(nvmlDeviceGetPowerManagementLimitConstraints, "power", maxLimit != NULL ? minLimit : NULL,
          unsigned int *minLimit, unsigned int *maxLimit)
TELLS_NOT(nvmlDeviceGetPowerState, "how fast a device is meant to be", pState, nvmlPstates_t *pState)
TELLS_NOT(nvmlDeviceGetPerformanceState, "how fast a device is meant to be", pState, nvmlPstates_t *pState)
TELLS_NOT(nvmlDeviceGetPersistenceMode, "whether the driver stays loaded", mode, nvmlEnableState_t *mode)
TELLS_NOT(nvmlDeviceGetDisplayMode, "displays", display, nvmlEnableState_t *display)
TELLS_NOT(nvmlDeviceGetDisplayActive, "displays", isActive, nvmlEnableState_t *isActive)
TELLS_NOT(nvmlDeviceGetMigMode, "whether a device can be parted", pendingMode != NULL ? currentMode : NULL,
          unsigned int *currentMode, unsigned int *pendingMode)
TELLS_NOT(nvmlDeviceGetTotalEccErrors, "errors of memory", eccCounts, UNUSED nvmlMemoryErrorType_t errorType,
          UNUSED nvmlEccCounterType_t counterType, unsigned long long *eccCounts)
TELLS_NOT(nvmlDeviceGetPcieThroughput, "the state of the bus", value, UNUSED nvmlPcieUtilCounter_t counter,
          unsigned int *value)
TELLS_NOT(nvmlDeviceGetCurrPcieLinkGeneration, "the state of the bus", currLinkGen, unsigned int *currLinkGen)
TELLS_NOT(nvmlDeviceGetCurrPcieLinkWidth, "the state of the bus", currLinkWidth, unsigned int *currLinkWidth)
TELLS_NOT(nvmlDeviceGetMaxPcieLinkGeneration, "the state of the bus", maxLinkGen, unsigned int *maxLinkGen)
TELLS_NOT(nvmlDeviceGetMaxPcieLinkWidth, "the state of the bus", maxLinkWidth, unsigned int *maxLinkWidth)
TELLS_NOT(nvmlDeviceGetNvLinkState, "links between devices", isActive, UNUSED unsigned int link,
          nvmlEnableState_t *isActive)
TELLS_NOT(nvmlDeviceGetGraphicsRunningProcesses_v2, "who draws with a device", infoCount, unsigned int *infoCount,
          UNUSED nvmlProcessInfo_v2_t *infos)
TELLS_NOT(nvmlDeviceGetGraphicsRunningProcesses_v3, "who draws with a device", infoCount, unsigned int *infoCount,
          UNUSED nvmlProcessInfo_t *infos)
TELLS_NOT(nvmlDeviceGetMPSComputeRunningProcesses_v2, "who shares a device", infoCount, unsigned int *infoCount,
          UNUSED nvmlProcessInfo_v2_t *infos)
TELLS_NOT(nvmlDeviceGetMPSComputeRunningProcesses_v3, "who shares a device", infoCount, unsigned int *infoCount,
          UNUSED nvmlProcessInfo_t *infos)
TELLS_NOT(nvmlDeviceGetGraphicsRunningProcesses, "who draws with a device", infoCount, unsigned int *infoCount,
          UNUSED nvmlProcessInfo_v1_t *infos)
TELLS_NOT(nvmlDeviceGetMPSComputeRunningProcesses, "who shares a device", infoCount, unsigned int *infoCount,
          UNUSED nvmlProcessInfo_v1_t *infos)
