/* SPDX-License-Identifier: MIT */
/*
 * conform_ml - NVML beside the CUDA runtime: the same devices, names, UUIDs and numbers; and what is wrong with calls.
 *
 * The program is compiled against NVIDIA's header and library, too. There NVML counts all devices of the machine, in
 * the order of the bus, so a device is looked for by its UUID, and what is in use is not this process's alone.
 */
#include <nvml.h>
#include <string.h>
#include <unistd.h>

#include "../cuda/conform.h"

#define gives(result, call) conform_true((call) == (result))
#define fine(call) gives(NVML_SUCCESS, call)

enum { MOST_TEXT = 256, MEBIBYTE = 1 << 20 };

static void nothing_is_told_before_the_beginning(void) {
  char text[MOST_TEXT];
  nvmlDevice_t device;
  nvmlMemory_t memory;
  unsigned int count;
  int version;
  gives(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount(&count));
  gives(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetHandleByIndex(0, &device));
  gives(NVML_ERROR_UNINITIALIZED, nvmlSystemGetDriverVersion(text, sizeof text));
  gives(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetMemoryInfo(NULL, &memory));
  gives(NVML_ERROR_UNINITIALIZED, nvmlShutdown());
#ifdef VPTR_CUDA_NVML_H
  gives(NVML_ERROR_UNINITIALIZED, nvmlSystemGetCudaDriverVersion(&version));
#else
  (void)version;
#endif
  conform_true(strcmp(nvmlErrorString(NVML_ERROR_UNINITIALIZED), "Uninitialized") == 0);
  conform_true(strcmp(nvmlErrorString(NVML_SUCCESS), "Success") == 0);
  conform_true(strcmp(nvmlErrorString((nvmlReturn_t)12345), nvmlErrorString(NVML_ERROR_UNKNOWN)) == 0);
}

static void beginnings_are_counted(void) {
  unsigned int count;
  fine(nvmlInit());
  fine(nvmlInitWithFlags(0));
  fine(nvmlInitWithFlags(NVML_INIT_FLAG_NO_GPUS));
  fine(nvmlShutdown());
  fine(nvmlShutdown());
  fine(nvmlDeviceGetCount(&count));
  fine(nvmlShutdown());
  gives(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount(&count));
  gives(NVML_ERROR_UNINITIALIZED, nvmlShutdown());
}

static void versions_are_told(void) {
  char text[MOST_TEXT], process[MOST_TEXT];
  int version = 0, runtime = 0;
  fine(nvmlSystemGetDriverVersion(text, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE));
  conform_true(strchr(text, '.') != NULL);
  gives(NVML_ERROR_INSUFFICIENT_SIZE, nvmlSystemGetDriverVersion(text, 1));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlSystemGetDriverVersion(NULL, 80));
  fine(nvmlSystemGetNVMLVersion(text, NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE));
  conform_true(strchr(text, '.') != NULL);
  gives(NVML_ERROR_INSUFFICIENT_SIZE, nvmlSystemGetNVMLVersion(text, 1));
  fine(nvmlSystemGetCudaDriverVersion(&version));
  conform_succeed(cudaDriverGetVersion(&runtime));
  conform_true(version == runtime && NVML_CUDA_DRIVER_VERSION_MAJOR(version) >= 12);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlSystemGetCudaDriverVersion(NULL));
  fine(nvmlSystemGetProcessName((unsigned int)getpid(), process, sizeof process));
  conform_true(strstr(process, "conform_ml") != NULL);
  gives(NVML_ERROR_NOT_FOUND, nvmlSystemGetProcessName(0x7ffffff0u, process, sizeof process));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlSystemGetProcessName((unsigned int)getpid(), NULL, 1));
}

/* The device of an ordinal of the runtime's. */
static nvmlDevice_t device_of(int ordinal, char uuid[MOST_TEXT]) {
  struct cudaDeviceProp properties;
  const unsigned char *bytes = (const unsigned char *)properties.uuid.bytes;
  nvmlDevice_t device = NULL;
  conform_succeed(cudaGetDeviceProperties(&properties, ordinal));
  snprintf(uuid, MOST_TEXT, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", bytes[0],
           bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10],
           bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]);
  fine(nvmlDeviceGetHandleByUUID(uuid, &device));
  return device;
}

static void names_are_the_runtimes(int ordinal, nvmlDevice_t device, const char *uuid) {
  struct cudaDeviceProp properties;
  char text[MOST_TEXT];
  conform_succeed(cudaGetDeviceProperties(&properties, ordinal));
  fine(nvmlDeviceGetName(device, text, sizeof text));
  conform_true(strcmp(text, properties.name) == 0);
  memset(text, 'x', sizeof text);
  gives(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetName(device, text, (unsigned int)strlen(properties.name)));
  fine(nvmlDeviceGetName(device, text, (unsigned int)strlen(properties.name) + 1));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetName(device, NULL, 64));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetName(NULL, text, 64));
  fine(nvmlDeviceGetUUID(device, text, NVML_DEVICE_UUID_BUFFER_SIZE));
  conform_true(strcmp(text, uuid) == 0);
  gives(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetUUID(device, text, 8));
}

static void places_are_the_runtimes(int ordinal, nvmlDevice_t device) {
  struct cudaDeviceProp properties;
  nvmlPciInfo_t pci;
  nvmlDevice_t again = NULL;
  char text[MOST_TEXT];
  conform_succeed(cudaGetDeviceProperties(&properties, ordinal));
  fine(nvmlDeviceGetPciInfo(device, &pci));
  conform_true((int)pci.domain == properties.pciDomainID && (int)pci.bus == properties.pciBusID &&
               (int)pci.device == properties.pciDeviceID);
  fine(nvmlDeviceGetHandleByPciBusId(pci.busId, &again));
  conform_true(again == device);
  again = NULL;
  fine(nvmlDeviceGetHandleByPciBusId(pci.busIdLegacy, &again));
  conform_true(again == device);
  conform_succeed(cudaDeviceGetPCIBusId(text, sizeof text, ordinal));
  again = NULL;
  fine(nvmlDeviceGetHandleByPciBusId(text, &again));
  conform_true(again == device);
  snprintf(text, sizeof text, NVML_DEVICE_PCI_BUS_ID_FMT, NVML_DEVICE_PCI_BUS_ID_FMT_ARGS(&pci));
  conform_true(strcmp(text, pci.busId) == 0);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetPciInfo(device, NULL));
}

static void figures_are_the_runtimes(int ordinal, nvmlDevice_t device) {
  struct cudaDeviceProp properties;
  nvmlComputeMode_t mode = NVML_COMPUTEMODE_COUNT;
  unsigned int clock = 0;
  int major = -1, minor = -1, rate = 0;
  conform_succeed(cudaGetDeviceProperties(&properties, ordinal));
  fine(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  conform_true(major == properties.major && minor == properties.minor);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetCudaComputeCapability(device, &major, NULL));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetCudaComputeCapability(device, NULL, &minor));
  fine(nvmlDeviceGetComputeMode(device, &mode));
  conform_true(mode == NVML_COMPUTEMODE_DEFAULT);
  conform_succeed(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, ordinal));
  fine(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &clock));
  conform_true((int)clock == rate / 1000);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetMaxClockInfo(device, (nvmlClockType_t)77, &clock));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, NULL));
}

/* In use is at least what this process has taken. */
static void memory_is_the_runtimes(int ordinal, nvmlDevice_t device) {
  nvmlMemory_t before = { 0, 0, 0 }, after = { 0, 0, 0 };
  nvmlMemory_v2_t newer;
  size_t left = 0, total = 0;
  void *memory = NULL;
  conform_succeed(cudaSetDevice(ordinal));
  conform_succeed(cudaFree(NULL));
  fine(nvmlDeviceGetMemoryInfo(device, &before));
  conform_succeed(cudaMalloc(&memory, 8 * MEBIBYTE));
  fine(nvmlDeviceGetMemoryInfo(device, &after));
  conform_true(after.used >= before.used + 8 * MEBIBYTE && after.free + after.used == after.total);
  conform_true(before.total == after.total);
  newer.version = nvmlMemory_v2;
  fine(nvmlDeviceGetMemoryInfo_v2(device, &newer));
  conform_true(newer.total == after.total && newer.free == after.free);
  newer.version = 1;
  gives(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, nvmlDeviceGetMemoryInfo_v2(device, &newer));
  conform_succeed(cudaMemGetInfo(&left, &total));
#ifdef VPTR_CUDA_NVML_H
  conform_true(after.total == total && after.free == left && newer.reserved == 0);
#endif
  conform_succeed(cudaFree(memory));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetMemoryInfo(device, NULL));
}

/* The process is told of from when it uses the device; memory_is_the_runtimes() has opened it. */
static void the_process_is_listed(nvmlDevice_t device) {
  nvmlProcessInfo_t infos[64];
  unsigned int count = 0;
  int found = 0;
  gives(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetComputeRunningProcesses(device, &count, NULL));
  conform_true(count >= 1);
  count = 64;
  fine(nvmlDeviceGetComputeRunningProcesses(device, &count, infos));
  for (unsigned int i = 0; i < count; i++)
    found += infos[i].pid == (unsigned int)getpid();
  conform_true(found == 1);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetComputeRunningProcesses(device, NULL, infos));
}

#ifdef VPTR_CUDA_NVML_H
/* What a device of NVIDIA's may tell, and one of OpenCL's does not. */
static void sensors_are_not_there(nvmlDevice_t device) {
  unsigned int value = 4711, other = 4711;
  unsigned long long energy = 4711;
  nvmlUtilization_t use = { 47, 11 };
  nvmlProcessInfo_t info;
  char text[MOST_TEXT];
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetPowerUsage(device, &value));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetFanSpeed(device, &value));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &value));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetMemoryBusWidth(device, &value));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &value));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetMigMode(device, &value, &other));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetTotalEnergyConsumption(device, &energy));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetUtilizationRates(device, &use));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetSerial(device, text, sizeof text));
  gives(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetGraphicsRunningProcesses(device, &value, &info));
  conform_true(value == 4711 && other == 4711 && energy == 4711 && use.gpu == 47 && use.memory == 11);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetPowerUsage(NULL, &value));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetUtilizationRates(device, NULL));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetMigMode(device, &value, NULL));
}

static void the_rest_is_vptrs(int ordinal, nvmlDevice_t device) {
  nvmlDeviceAttributes_t attributes;
  nvmlDeviceArchitecture_t architecture = 0;
  nvmlBrandType_t brand = NVML_BRAND_NVIDIA;
  nvmlEnableState_t current, pending;
  struct cudaDeviceProp properties;
  unsigned int index = 77, is_part = 1;
  int same = 0;
  conform_succeed(cudaGetDeviceProperties(&properties, ordinal));
  fine(nvmlDeviceGetIndex(device, &index));
  conform_true((int)index == ordinal);
  fine(nvmlDeviceGetAttributes(device, &attributes));
  conform_true((int)attributes.multiprocessorCount == properties.multiProcessorCount &&
               attributes.memorySizeMB == properties.totalGlobalMem / MEBIBYTE);
  fine(nvmlDeviceGetArchitecture(device, &architecture));
  conform_true(properties.major != 7 || properties.minor != 5 || architecture == NVML_DEVICE_ARCH_TURING);
  fine(nvmlDeviceGetBrand(device, &brand));
  conform_true(brand == NVML_BRAND_UNKNOWN);
  fine(nvmlDeviceGetEccMode(device, &current, &pending));
  conform_true((int)current == properties.ECCEnabled && current == pending);
  fine(nvmlDeviceIsMigDeviceHandle(device, &is_part));
  fine(nvmlDeviceOnSameBoard(device, device, &same));
  conform_true(is_part == 0 && same == 1);
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceOnSameBoard(device, NULL, &same));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetIndex((nvmlDevice_t)&same, &index));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlInitWithFlags(0x100));
}
#endif

static void devices_are_found(void) {
  nvmlDevice_t device = NULL;
  unsigned int count = 0;
  int devices = 0;
  fine(nvmlDeviceGetCount(&count));
  conform_succeed(cudaGetDeviceCount(&devices));
  conform_true((int)count >= devices);
#ifdef VPTR_CUDA_NVML_H
  conform_true((int)count == devices);
#endif
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetCount(NULL));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByIndex(count, &device));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByIndex(0, NULL));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByUUID(NULL, &device));
  gives(NVML_ERROR_NOT_FOUND, nvmlDeviceGetHandleByUUID("GPU-00000000-0000-0000-0000-000000000000", &device));
  gives(NVML_ERROR_NOT_FOUND, nvmlDeviceGetHandleByPciBusId("00000001:ee:1e.0", &device));
  gives(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByPciBusId(NULL, &device));
  conform_true(device == NULL);
}

int main(void) {
  char uuid[MOST_TEXT];
  int devices = 0;
  nothing_is_told_before_the_beginning();
  beginnings_are_counted();
  fine(nvmlInit());
  versions_are_told();
  devices_are_found();
  conform_succeed(cudaGetDeviceCount(&devices));
  for (int ordinal = 0; ordinal < devices; ordinal++) {
    nvmlDevice_t device = device_of(ordinal, uuid);
    names_are_the_runtimes(ordinal, device, uuid);
    places_are_the_runtimes(ordinal, device);
    figures_are_the_runtimes(ordinal, device);
    memory_is_the_runtimes(ordinal, device);
    the_process_is_listed(device);
#ifdef VPTR_CUDA_NVML_H
    sensors_are_not_there(device);
    the_rest_is_vptrs(ordinal, device);
#endif
  }
  fine(nvmlShutdown());
  return conform_done("conform_ml");
}
