/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_loader - registering kernels while another thread has the dynamic loader's lock: dlopen() and dlclose()
 * hold it while they run a plugin's constructors and destructors, which register and unregister fat binaries.
 *
 * So wherever the library asks for that lock, by dlopen() or dladdr1(), which are this program's here and forward,
 * another thread does what a constructor and a destructor do, and has to be through before the lock is taken.
 *
 * On the fake device, which is said to take PTX; a function of this file stands for the kernel.
 */
#include <vptr/cuda/vptr_binary.h>
#include <vptr/cuda/vptr_kernel.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/fake.h"
#include "expect.h"

enum { PATIENCE_MS = 5000 };

static const char ptx[] = "//\n.version 8.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry _Z3addPii(.param .u64 a_0, .param .u32 a_1)\n{\n"
                          "  .reg .b64 %rd<3>;\n  ld.param.u64 %rd1, [a_0];\n  ret;\n}\n";
static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=total lowered=total size=4 align=4 kind=managed initial=05000000\n";

typedef struct record {
  unsigned magic;
  int version;
  const void *content;
  void *linked;
} record;

/* A frame of zstd: what it is, how many bytes it makes, and one block of these as they are. */
enum { FRAME_HEAD = 12, PACKED = FRAME_HEAD + sizeof ptx };

static struct {
  unsigned char bytes[16 + 64 + (PACKED + 7) / 8 * 8];
  record record;
} fat;
static const record of_text = { 0x466243b1, 1, text, NULL };

/* packed: by zstd. */
static void make_fat(bool packed) {
  const uint64_t head[] = { 0x00100001ba55ed50, sizeof fat.bytes - 16 }, flags = 0x8000, unpacked = sizeof ptx;
  const uint32_t entry[] = { 0x01010001, 64, sizeof fat.bytes - 80, 0, PACKED, 0, 0, 80 };
  const uint32_t frame[] = { 0xfd2fb528, (uint32_t)(sizeof ptx << 8) | 0xa0, (uint32_t)(sizeof ptx << 3 | 1) << 8 };
  memset(&fat, 0, sizeof fat);
  memcpy(fat.bytes, head, sizeof head);
  memcpy(fat.bytes + 16, entry, sizeof entry);
  if (packed) {
    memcpy(fat.bytes + 16 + 40, &flags, sizeof flags);
    memcpy(fat.bytes + 16 + 56, &unpacked, sizeof unpacked);
    memcpy(fat.bytes + 80, frame, FRAME_HEAD);
  }
  memcpy(fat.bytes + 80 + (packed ? FRAME_HEAD : 0), ptx, sizeof ptx);
  fat.record = (record){ 0x466243b1, 1, fat.bytes, NULL };
}

static void fake_add(const vptr__fake_launch *launch) {
  uint64_t address;
  memcpy(&address, launch->arguments[0], sizeof address);
  *(int *)(uintptr_t)address += *(const int *)launch->arguments[1];
}

/* ---- the loader's lock ---------------------------------------------------------------------------------- */

static atomic_bool is_watching, has_no_zstd, has_no_driver;
static void (*_Atomic constructor)(void);  /* what the plugin's does besides; NULL: nothing */
static atomic_int asked, asked_zstd, late; /* how often for its lock; for libzstd; where the other was not through */
static atomic_int running, done;           /* other threads */
static _Thread_local bool is_plugin;

static const record of_plugin = { 0x466243b1, 1, "", NULL };

static void *load_and_unload_plugin(void *number) {
  is_plugin = true;
  void **handle = __cudaRegisterFatBinary((void *)(uintptr_t)&of_plugin);
  __cudaRegisterFatBinaryEnd(handle);
  __cudaUnregisterFatBinary(handle);
  void (*besides)(void) = atomic_load(&constructor);
  if (besides != NULL)
    besides();
  atomic_store(&done, (int)(uintptr_t)number);
  atomic_fetch_sub(&running, 1);
  return NULL;
}

static void sleep_ms(void) {
  nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void expect_no_waiting(void) {
  if (!atomic_load(&is_watching) || is_plugin)
    return;
  int number = atomic_fetch_add(&asked, 1) + 1;
  pthread_t thread;
  atomic_fetch_add(&running, 1);
  ck_assert_int_eq(pthread_create(&thread, NULL, load_and_unload_plugin, (void *)(uintptr_t)number), 0);
  pthread_detach(thread);
  for (int i = 0; atomic_load(&done) != number && i < PATIENCE_MS; i++)
    sleep_ms();
  atomic_fetch_add(&late, atomic_load(&done) != number);
}

void *dlopen(const char *file, int mode) {
  void *(*next)(const char *, int);
  *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
  bool is_zstd = file != NULL && strcmp(file, "libzstd.so.1") == 0;
  expect_no_waiting();
  atomic_fetch_add(&asked_zstd, is_zstd);
  if (file != NULL && strstr(file, "libvptr-cuda.so") != NULL && atomic_load(&has_no_driver))
    return NULL;
  return is_zstd && atomic_load(&has_no_zstd) ? NULL : next(file, mode);
}

int dladdr1(const void *address, Dl_info *info, void **extra, int flags) {
  int (*next)(const void *, Dl_info *, void **, int);
  *(void **)&next = dlsym(RTLD_NEXT, "dladdr1");
  expect_no_waiting();
  return next(address, info, extra, flags);
}

static void watch(void) {
  atomic_store(&asked, 0);
  atomic_store(&asked_zstd, 0);
  atomic_store(&done, 0);
  atomic_store(&late, 0);
  atomic_store(&is_watching, true);
}

/* That the lock was asked for, and that nobody waited for whoever did. */
static void expect_watched(void) {
  atomic_store(&is_watching, false);
  while (atomic_load(&running) > 0)
    sleep_ms();
  ck_assert_int_gt(atomic_load(&asked), 0);
  ck_assert_int_eq(atomic_load(&late), 0);
}

/* ---- the program ---------------------------------------------------------------------------------------- */

static char add, total[4];
static void **handle;
static const dim3 one = { 1, 1, 1 };

static void register_fat(bool packed) {
  make_fat(packed);
  handle = __cudaRegisterFatBinary(&fat.record);
  __cudaRegisterFunction(handle, &add, NULL, "_Z3addPii", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFatBinaryEnd(handle);
}

static void setup(void) {
  setenv("VPTR_CACHE", "off", 1);
  vptr__fake_take_ptx(900);
  vptr__fake_report_addresses(true);
  vptr__fake_define("_Z3addPii", fake_add);
  handle = NULL;
}

static void teardown(void) {
  atomic_store(&is_watching, false);
  atomic_store(&has_no_zstd, false);
  atomic_store(&has_no_driver, false);
  atomic_store(&constructor, NULL);
  __cudaUnregisterFatBinary(handle);
  succeed(cudaDeviceSynchronize());
  cudaGetLastError();
}

/* ---- tests ---------------------------------------------------------------------------------------------- */

/* The first test: in a process of all of them the device is open behind it. */
START_TEST(a_device_that_a_binary_needs_is_opened_without_the_lock_of_units) {
  register_fat(false);
  watch();
  ck_assert_int_ne(__cudaInitModule(handle), 0);
  expect_watched();
}
END_TEST

START_TEST(libzstd_is_opened_without_the_lock_of_units) {
  int n = 7, seen = -1, *x = (int *)device_memory(sizeof n);
  void *arguments[] = { &x, &n };
  succeed(cudaMemset(x, 0, sizeof n));
  register_fat(true);
  atomic_store(&has_no_zstd, true);
  for (int i = 0; i < 2; i++) {
    watch();
    expect(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&add, one, one, arguments, 0, NULL));
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "libzstd.so.1 cannot be opened"));
    expect_watched();
    ck_assert_int_eq(atomic_load(&asked_zstd), 1);
  }
  atomic_store(&has_no_zstd, false); /* it was installed */
  watch();
  succeed(cudaLaunchKernel(&add, one, one, arguments, 0, NULL));
  expect_watched();
  ck_assert_int_eq(atomic_load(&asked_zstd), 1);
  succeed(cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen, n);
  succeed(cudaFree(x));
}
END_TEST

/* Of a compiler that does not say when all is registered, so that the first call registers. */
START_TEST(a_managed_variables_object_is_kept_without_the_lock_of_units) {
  void *address = NULL;
  succeed(cudaDeviceSynchronize());
  handle = __cudaRegisterFatBinary((void *)(uintptr_t)&of_text);
  __cudaRegisterVar(handle, total, NULL, "total", 0, sizeof total, 0, 0);
  watch();
  succeed(cudaGetSymbolAddress(&address, total));
  expect_watched();
  ck_assert_ptr_eq(address, total);
  ck_assert_int_eq(total[0], 5);
}
END_TEST

/* libvptr-nvrtc may be there or not: nobody waits. */
static void register_cuda_text(void) {
  static const char cuda[] = "extern \"C\" __global__ void nothing(void) {}";
  const vptr_cuda_module module = { sizeof module, cuda, sizeof cuda - 1, NULL, 0, NULL, 0 };
  void *made = NULL;
  cudaError_t error = vptr_cuda_register_module(&module, &made);
  ck_assert(error == cudaSuccess || error == cudaErrorJitCompilerNotFound);
  if (error == cudaSuccess)
    succeed(vptr_cuda_unregister_module(made));
}

START_TEST(a_plugin_with_cuda_text_waits_for_nobody_who_opens_the_translator) {
  succeed(cudaDeviceSynchronize());
  atomic_store(&constructor, register_cuda_text);
  watch();
  register_cuda_text();
  expect_watched();
}
END_TEST

static void ask_for_entry(void) {
  void *entry = NULL;
  expect(cudaErrorNotSupported, cudaGetDriverEntryPoint("cuInit", &entry, cudaEnableDefault, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "libvptr-cuda.so.0, and that cannot be opened"));
}

START_TEST(a_plugin_that_asks_for_an_entry_of_the_driver_waits_for_nobody) {
  succeed(cudaDeviceSynchronize());
  atomic_store(&has_no_driver, true);
  atomic_store(&constructor, ask_for_entry);
  watch();
  ask_for_entry();
  expect_watched();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cuda_loader");
  TCase *tests = tcase_create("cuda_loader");
  if (support_has_opencl()) {
    puts("left out: kernels of PTX are played by the fake device here");
    return 77;
  }
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_device_that_a_binary_needs_is_opened_without_the_lock_of_units);
  tcase_add_test(tests, libzstd_is_opened_without_the_lock_of_units);
  tcase_add_test(tests, a_managed_variables_object_is_kept_without_the_lock_of_units);
  tcase_add_test(tests, a_plugin_with_cuda_text_waits_for_nobody_who_opens_the_translator);
  tcase_add_test(tests, a_plugin_that_asks_for_an_entry_of_the_driver_waits_for_nobody);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
