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

nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char *serial, unsigned int length) {
  (void)length;
  return look_and_tell("nvmlDeviceGetSerial", device, serial, "serial numbers");
}

nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char *version, unsigned int length) {
  (void)length;
  return look_and_tell("nvmlDeviceGetVbiosVersion", device, version, "the version of a BIOS");
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minorNumber) {
  return look_and_tell("nvmlDeviceGetMinorNumber", device, minorNumber, "the number of a file in /dev");
}

nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int *numCores) {
  return look_and_tell("nvmlDeviceGetNumGpuCores", device, numCores, "how many lanes a compute unit has");
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *busWidth) {
  return look_and_tell("nvmlDeviceGetMemoryBusWidth", device, busWidth, "the width of the bus to memory");
}

nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *bar1Memory) {
  return look_and_tell("nvmlDeviceGetBAR1MemoryInfo", device, bar1Memory, "how memory is mapped on the bus");
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  (void)type;
  return look_and_tell("nvmlDeviceGetClockInfo", device, clock, "clocks of the moment");
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t clockType, unsigned int *clockMHz) {
  (void)clockType;
  return look_and_tell("nvmlDeviceGetApplicationsClock", device, clockMHz, "clocks that were set");
}

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int *count, unsigned int *clocksMHz) {
  (void)clocksMHz;
  return look_and_tell("nvmlDeviceGetSupportedMemoryClocks", device, count, "memory's clocks");
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *clocksEventReasons) {
  return look_and_tell("nvmlDeviceGetCurrentClocksEventReasons", device, clocksEventReasons, "why a clock is low");
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long *clocksThrottleReasons) {
  return look_and_tell("nvmlDeviceGetCurrentClocksThrottleReasons", device, clocksThrottleReasons,
                       "why a clock is low");
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization) {
  return look_and_tell("nvmlDeviceGetUtilizationRates", device, utilization, "how busy a device is");
}

nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned int *utilization,
                                             unsigned int *samplingPeriodUs) {
  return look_and_tell("nvmlDeviceGetEncoderUtilization", device, samplingPeriodUs != NULL ? utilization : NULL,
                       "how busy an encoder is");
}

nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned int *utilization,
                                             unsigned int *samplingPeriodUs) {
  return look_and_tell("nvmlDeviceGetDecoderUtilization", device, samplingPeriodUs != NULL ? utilization : NULL,
                       "how busy a decoder is");
}

nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *utilization,
                                             unsigned int *processSamplesCount,
                                             unsigned long long lastSeenTimeStamp) {
  (void)utilization;
  (void)lastSeenTimeStamp;
  return look_and_tell("nvmlDeviceGetProcessUtilization", device, processSamplesCount,
                       "what processes use of a device");
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensorType, unsigned int *temp) {
  (void)sensorType;
  return look_and_tell("nvmlDeviceGetTemperature", device, temp, "temperatures");
}

nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t thresholdType,
                                               unsigned int *temp) {
  (void)thresholdType;
  return look_and_tell("nvmlDeviceGetTemperatureThreshold", device, temp, "temperatures");
}

nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int *speed) {
  return look_and_tell("nvmlDeviceGetFanSpeed", device, speed, "fans");
}

nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned int fan, unsigned int *speed) {
  (void)fan;
  return look_and_tell("nvmlDeviceGetFanSpeed_v2", device, speed, "fans");
}

nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned int *numFans) {
  return look_and_tell("nvmlDeviceGetNumFans", device, numFans, "fans");
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *power) {
  return look_and_tell("nvmlDeviceGetPowerUsage", device, power, "power");
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *energy) {
  return look_and_tell("nvmlDeviceGetTotalEnergyConsumption", device, energy, "energy");
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *limit) {
  return look_and_tell("nvmlDeviceGetEnforcedPowerLimit", device, limit, "power");
}

nvmlReturn_t nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t *mode) {
  return look_and_tell("nvmlDeviceGetPowerManagementMode", device, mode, "power");
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int *limit) {
  return look_and_tell("nvmlDeviceGetPowerManagementLimit", device, limit, "power");
}

nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int *defaultLimit) {
  return look_and_tell("nvmlDeviceGetPowerManagementDefaultLimit", device, defaultLimit, "power");
}

nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *minLimit,
                                                          unsigned int *maxLimit) {
  return look_and_tell("nvmlDeviceGetPowerManagementLimitConstraints", device, maxLimit != NULL ? minLimit : NULL,
                       "power");
}

nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t *pState) {
  return look_and_tell("nvmlDeviceGetPowerState", device, pState, "how fast a device is meant to be");
}

nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *pState) {
  return look_and_tell("nvmlDeviceGetPerformanceState", device, pState, "how fast a device is meant to be");
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode) {
  return look_and_tell("nvmlDeviceGetPersistenceMode", device, mode, "whether the driver stays loaded");
}

nvmlReturn_t nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t *display) {
  return look_and_tell("nvmlDeviceGetDisplayMode", device, display, "displays");
}

nvmlReturn_t nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t *isActive) {
  return look_and_tell("nvmlDeviceGetDisplayActive", device, isActive, "displays");
}

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *currentMode, unsigned int *pendingMode) {
  return look_and_tell("nvmlDeviceGetMigMode", device, pendingMode != NULL ? currentMode : NULL,
                       "whether a device can be parted");
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t errorType,
                                         nvmlEccCounterType_t counterType, unsigned long long *eccCounts) {
  (void)errorType;
  (void)counterType;
  return look_and_tell("nvmlDeviceGetTotalEccErrors", device, eccCounts, "errors of memory");
}

nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int *value) {
  (void)counter;
  return look_and_tell("nvmlDeviceGetPcieThroughput", device, value, "the state of the bus");
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int *currLinkGen) {
  return look_and_tell("nvmlDeviceGetCurrPcieLinkGeneration", device, currLinkGen, "the state of the bus");
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int *currLinkWidth) {
  return look_and_tell("nvmlDeviceGetCurrPcieLinkWidth", device, currLinkWidth, "the state of the bus");
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int *maxLinkGen) {
  return look_and_tell("nvmlDeviceGetMaxPcieLinkGeneration", device, maxLinkGen, "the state of the bus");
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int *maxLinkWidth) {
  return look_and_tell("nvmlDeviceGetMaxPcieLinkWidth", device, maxLinkWidth, "the state of the bus");
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, nvmlEnableState_t *isActive) {
  (void)link;
  return look_and_tell("nvmlDeviceGetNvLinkState", device, isActive, "links between devices");
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned int *infoCount,
                                                      nvmlProcessInfo_v2_t *infos) {
  (void)infos;
  return look_and_tell("nvmlDeviceGetGraphicsRunningProcesses_v2", device, infoCount, "who draws with a device");
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int *infoCount,
                                                      nvmlProcessInfo_t *infos) {
  (void)infos;
  return look_and_tell("nvmlDeviceGetGraphicsRunningProcesses_v3", device, infoCount, "who draws with a device");
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int *infoCount,
                                                        nvmlProcessInfo_v2_t *infos) {
  (void)infos;
  return look_and_tell("nvmlDeviceGetMPSComputeRunningProcesses_v2", device, infoCount, "who shares a device");
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *infoCount,
                                                        nvmlProcessInfo_t *infos) {
  (void)infos;
  return look_and_tell("nvmlDeviceGetMPSComputeRunningProcesses_v3", device, infoCount, "who shares a device");
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                   nvmlProcessInfo_v1_t *infos) {
  (void)infos;
  return look_and_tell("nvmlDeviceGetGraphicsRunningProcesses", device, infoCount, "who draws with a device");
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                     nvmlProcessInfo_v1_t *infos) {
  (void)infos;
  return look_and_tell("nvmlDeviceGetMPSComputeRunningProcesses", device, infoCount, "who shares a device");
}
