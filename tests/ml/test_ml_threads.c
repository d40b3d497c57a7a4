/* SPDX-License-Identifier: MIT */
/*
 * test_ml_threads - threads that begin and end NVML each for itself, while others allocate; that a question opens no
 * device; and that a failure of NVML's is no error of the runtime's.
 */
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <vptr/vptr.h>

#include "../cuda/conform.h"

enum { THREADS = 6, ROUNDS = 60 };

static atomic_int wrong;

/* A device that nobody has used: it has its memory, nothing of which is in use, and no process. */
static void questions_open_nothing(void) {
  nvmlMemory_t unused, used;
  nvmlProcessInfo_t info;
  nvmlDevice_t device = NULL;
  unsigned int count = 1;
  char name[256];
  conform_true(nvmlInit_v2() == NVML_SUCCESS && nvmlDeviceGetHandleByIndex_v2(0, &device) == NVML_SUCCESS);
  conform_true(nvmlDeviceGetName(device, name, sizeof name) == NVML_SUCCESS);
  conform_true(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, &info) == NVML_SUCCESS && count == 0);
  conform_true(nvmlDeviceGetMemoryInfo(device, &unused) == NVML_SUCCESS);
  conform_succeed(cudaFree(NULL));
  conform_succeed(cudaDeviceSynchronize());
  conform_true(nvmlDeviceGetMemoryInfo(device, &used) == NVML_SUCCESS);
  conform_true(used.total == unused.total && unused.used == 0);
  count = 1;
  conform_true(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, &info) == NVML_SUCCESS && count == 1);
  conform_true(nvmlShutdown() == NVML_SUCCESS);
}

static void failures_stay_here(void) {
  nvmlDevice_t device = NULL;
  conform_true(nvmlInit_v2() == NVML_SUCCESS);
  conform_true(nvmlDeviceGetHandleByIndex_v2(99, &device) == NVML_ERROR_INVALID_ARGUMENT);
  conform_true(strstr(vptr_last_error(), "nvmlDeviceGetHandleByIndex: there is no device 99") != NULL);
  conform_true(cudaGetLastError() == cudaSuccess);
  conform_true(nvmlShutdown() == NVML_SUCCESS);
  conform_true(nvmlDeviceGetHandleByIndex_v2(0, &device) == NVML_ERROR_UNINITIALIZED);
  conform_true(strstr(vptr_last_error(), "nvmlInit() comes first") != NULL);
}

/* Programs of before keep the shorter structures. */
static void older_versions_write_no_more_than_they_had(void) {
  struct {
    nvmlProcessInfo_v1_t info;
    unsigned char guard[16];
  } process;
  nvmlPciInfo_t pci;
  nvmlDevice_t device = NULL;
  unsigned int count = 1;
  memset(&process, 0x5a, sizeof process);
  memset(&pci, 0x5a, sizeof pci);
  conform_true(nvmlInit() == NVML_SUCCESS && nvmlDeviceGetHandleByIndex(0, &device) == NVML_SUCCESS);
  conform_true(nvmlDeviceGetComputeRunningProcesses(device, &count, &process.info) == NVML_SUCCESS && count == 1);
  conform_true(process.guard[0] == 0x5a && process.info.usedGpuMemory != 0x5a5a5a5a5a5a5a5aull);
  conform_true(nvmlDeviceGetPciInfo(device, &pci) == NVML_SUCCESS);
  conform_true(pci.busId[0] == 0x5a && pci.busIdLegacy[0] != 0x5a);
  conform_true(nvmlShutdown() == NVML_SUCCESS);
}

static void *ask(void *unused) {
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    nvmlMemory_t memory;
    nvmlDevice_t device;
    char name[256], uuid[96];
    void *block = NULL;
    int fine = nvmlInit_v2() == NVML_SUCCESS && nvmlDeviceGetHandleByIndex_v2(0, &device) == NVML_SUCCESS &&
               cudaMalloc(&block, 4096) == cudaSuccess && nvmlDeviceGetMemoryInfo(device, &memory) == NVML_SUCCESS &&
               memory.used >= 4096 && memory.used + memory.free == memory.total && cudaFree(block) == cudaSuccess &&
               nvmlDeviceGetName(device, name, sizeof name) == NVML_SUCCESS &&
               nvmlDeviceGetUUID(device, uuid, sizeof uuid) == NVML_SUCCESS && nvmlShutdown() == NVML_SUCCESS;
    atomic_fetch_add(&wrong, !fine);
  }
  return NULL;
}

static void threads_do_not_disturb_each_other(void) {
  pthread_t threads[THREADS];
  unsigned int count;
  for (int i = 0; i < THREADS; i++)
    conform_true(pthread_create(&threads[i], NULL, ask, NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    conform_true(pthread_join(threads[i], NULL) == 0);
  conform_true(atomic_load(&wrong) == 0);
  conform_true(nvmlDeviceGetCount_v2(&count) == NVML_ERROR_UNINITIALIZED);
}

int main(void) {
  questions_open_nothing();
  failures_stay_here();
  older_versions_write_no_more_than_they_had();
  threads_do_not_disturb_each_other();
  return conform_done("test_ml_threads");
}
