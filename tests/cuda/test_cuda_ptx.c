/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_ptx - what nvcc compiled, on a device that takes PTX: a fat binary that is registered as nvcc's objects do,
 * and images that the driver's interface loads and links.
 *
 * On the fake device, which is said to take PTX and to tell addresses; functions of this file stand for the kernels.
 */
#include <vptr/cuda/cuda.h>
#include <vptr/cuda/vptr_binary.h>

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "expect.h"

static const char ptx[] = "//\n.version 8.0\n.target sm_80\n.address_size 64\n"
                          ".global .align 4 .b8 _Z5table[8] = {1, 0, 0, 0, 2};\n"
                          ".global .attribute(.managed) .align 4 .u32 total = 5;\n"
                          ".global .align 1 .b8 kept$[4];\n"
                          ".visible .entry _Z3addPii(.param .u64 a_0, .param .u32 a_1)\n{\n"
                          "  .reg .b64 %rd<3>;\n  ld.param.u64 %rd1, [a_0];\n  ret;\n}\n"
                          ".visible .entry _Z4readPi(.param .u64 r_0)\n{\n  .reg .b64 %rd<3>;\n"
                          "  ld.param.u64 %rd1, [r_0];\n  ld.global.u32 %r1, [_Z5table+4];\n  ret;\n}\n"
                          ".visible .entry _Z5counti(.param .u32 c_0)\n{\n  .reg .b32 %r<3>;\n"
                          "  ld.global.u32 %r1, [total];\n  ret;\n}\n";

/* A container with one entry, and the record that leads to it. */
static struct {
  unsigned char bytes[16 + 64 + (sizeof ptx + 7) / 8 * 8];
  struct {
    unsigned magic;
    int version;
    const void *content;
    void *linked;
  } record;
} fat;

static void make_fat(unsigned arch) {
  const uint64_t head[] = { 0x00100001ba55ed50, sizeof fat.bytes - 16 };
  const uint32_t entry[] = { 0x01010001, 64, sizeof fat.bytes - 80, 0, 0, 0, 0, arch };
  memset(fat.bytes, 0, sizeof fat.bytes);
  memcpy(fat.bytes, head, sizeof head);
  memcpy(fat.bytes + 16, entry, sizeof entry);
  memcpy(fat.bytes + 80, ptx, sizeof ptx);
  fat.record.magic = 0x466243b1;
  fat.record.version = 1;
  fat.record.content = fat.bytes;
}

/* Machine code of no kernel: symbols, and their names. */
static struct {
  Elf64_Ehdr header;
  char names[9];
  Elf64_Sym symbol;
  Elf64_Shdr sections[3];
} code;

static void make_code(void) {
  memcpy(code.header.e_ident, ELFMAG, SELFMAG);
  code.header.e_ident[EI_CLASS] = ELFCLASS64;
  code.header.e_ident[EI_ABIVERSION] = 8;
  code.header.e_machine = EM_CUDA;
  code.header.e_flags = 0x6005a04;
  code.header.e_shoff = sizeof code - sizeof code.sections;
  code.header.e_shentsize = sizeof *code.sections;
  code.header.e_shnum = 3;
  code.header.e_shstrndx = 1;
  memcpy(code.names, "\0.symtab", sizeof code.names);
  code.sections[1].sh_type = SHT_STRTAB;
  code.sections[1].sh_offset = offsetof(__typeof__(code), names);
  code.sections[1].sh_size = sizeof code.names;
  code.sections[2].sh_type = SHT_SYMTAB;
  code.sections[2].sh_offset = offsetof(__typeof__(code), symbol);
  code.sections[2].sh_size = sizeof code.symbol;
  code.sections[2].sh_name = code.sections[2].sh_link = 1;
  fat.record.content = &code;
}

/* ---- the kernels ---------------------------------------------------------------------------------------- */

static uint64_t words[4]; /* what the program was told */

static void fake_set(const vptr__fake_launch *launch) {
  words[*(const uint64_t *)launch->arguments[0] % 4] = *(const uint64_t *)launch->arguments[1];
}

static int *pointer_in(const void *argument) {
  uint64_t address;
  memcpy(&address, argument, sizeof address);
  return (int *)(uintptr_t)address;
}

static void fake_add(const vptr__fake_launch *launch) {
  *pointer_in(launch->arguments[0]) += *(const int *)launch->arguments[1];
}

static void fake_read(const vptr__fake_launch *launch) {
  memcpy(pointer_in(launch->arguments[0]), pointer_in(&words[0]), 8);
}

static void fake_count(const vptr__fake_launch *launch) {
  *pointer_in(&words[1]) += *(const int *)launch->arguments[0];
}

/* ---- what a compiler emits ------------------------------------------------------------------------------ */

static char add, read_table, count; /* stubs */
static char table[8], kept[4];      /* shadows */
static int *total;
static void **handle;
static const dim3 one = { 1, 1, 1 };

static void register_fat(void) {
  handle = __cudaRegisterFatBinary(&fat.record);
  __cudaRegisterFunction(handle, &add, NULL, "_Z3addPii", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &read_table, NULL, "_Z4readPi", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(handle, &count, NULL, "_Z5counti", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(handle, table, NULL, "_Z5table", 0, sizeof table, 0, 0);
  __cudaRegisterVar(handle, kept, NULL, "kept$", 0, sizeof kept, 0, 0);
  __cudaRegisterManagedVar(handle, (void **)&total, NULL, "total", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}

static void setup(void) {
  setenv("VPTR_CACHE", "off", 1);
  vptr__fake_take_ptx(900);
  vptr__fake_report_addresses(true);
  vptr__fake_define("__vptr_set", fake_set);
  vptr__fake_define("_Z3addPii", fake_add);
  vptr__fake_define("_Z4readPi", fake_read);
  vptr__fake_define("_Z5counti", fake_count);
  make_fat(80);
  handle = NULL;
  total = NULL;
}

static void teardown(void) {
  vptr__memory_fail_nth(0);
  __cudaUnregisterFatBinary(handle);
  succeed(cudaDeviceSynchronize());
  cudaGetLastError();
}

static int added(int n) {
  int *x = (int *)device_memory(sizeof n), seen = -1;
  void *arguments[] = { &x, &n };
  succeed(cudaMemset(x, 0, sizeof n));
  succeed(cudaLaunchKernel(&add, one, one, arguments, 0, NULL));
  succeed(cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost));
  succeed(cudaFree(x));
  return seen;
}

/* ---- registered binaries -------------------------------------------------------------------------------- */

START_TEST(kernels_of_a_fat_binary_are_launched) {
  struct cudaFuncAttributes attributes;
  register_fat();
  ck_assert_int_eq(added(7), 7);
  succeed(cudaFuncGetAttributes(&attributes, &add));
  ck_assert_int_eq(attributes.ptxVersion, 80);
}
END_TEST

START_TEST(variables_are_the_hosts_and_the_kernels) {
  int seen[2] = { 0, 0 }, *out = (int *)device_memory(sizeof seen);
  void *arguments[] = { &out };
  register_fat();
  succeed(cudaMemcpyFromSymbol(seen, table, sizeof seen, 0, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen[0] * 10 + seen[1], 12);
  const int written[2] = { 5, 6 };
  succeed(cudaMemcpyToSymbol(table, written, sizeof written, 0, cudaMemcpyHostToDevice));
  succeed(cudaLaunchKernel(&read_table, one, one, arguments, 0, NULL));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen[0] * 10 + seen[1], 56);
  expect(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(kept, written, 4, 0, cudaMemcpyHostToDevice));
  succeed(cudaDeviceReset());
  out = (int *)device_memory(sizeof seen);
  succeed(cudaLaunchKernel(&read_table, one, one, arguments, 0, NULL));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen[0] * 10 + seen[1], 12);
  succeed(cudaFree(out));
}
END_TEST

START_TEST(managed_variables_are_pointers) {
  int n = 10;
  void *arguments[] = { &n };
  register_fat();
  ck_assert_int_ne(__cudaInitModule(handle), 0);
  ck_assert_ptr_nonnull(total);
  ck_assert_int_eq(*total, 5);
  succeed(cudaLaunchKernel(&count, one, one, arguments, 0, NULL));
  succeed(cudaDeviceSynchronize());
  ck_assert_int_eq(*total, 15);
}
END_TEST

START_TEST(managed_variables_of_machine_code_are_refused_in_words) {
  int n = 1;
  void *arguments[] = { &n };
  make_code();
  register_fat();
  ck_assert_int_eq(__cudaInitModule(handle), 0);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "managed variable, total"));
  ck_assert_ptr_nonnull(total);
  ck_assert_int_eq(*total, 0);
  expect(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&count, one, one, arguments, 0, NULL));
  vptr__memory_free(total);
}
END_TEST

START_TEST(what_is_for_newer_devices_is_refused_in_words) {
  int n = 1, *x = (int *)device_memory(sizeof n);
  void *arguments[] = { &x, &n };
  make_fat(100);
  register_fat();
  expect(cudaErrorNoKernelImageForDevice, cudaLaunchKernel(&add, one, one, arguments, 0, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "-arch=compute_90"));
  succeed(cudaFree(x));
}
END_TEST

START_TEST(memory_may_run_out_when_it_is_registered) {
  int n = 3, *x = (int *)device_memory(sizeof n);
  void *arguments[] = { &x, &n };
  cudaError_t error = cudaErrorMemoryAllocation;
  register_fat();
  for (long i = 1; error != cudaSuccess; i++) {
    vptr__memory_fail_nth(i);
    error = cudaLaunchKernel(&add, one, one, arguments, 0, NULL);
    vptr__memory_fail_nth(0);
    ck_assert(error == cudaSuccess || error == cudaErrorMemoryAllocation);
  }
  ck_assert_int_eq(added(n), n);
  succeed(cudaFree(x));
}
END_TEST

/* ---- images --------------------------------------------------------------------------------------------- */

static void drive(CUresult expected, CUresult got) {
  ck_assert_msg(expected == got, "%d, not %d: %s", (int)got, (int)expected, vptr_last_error());
}

static void use_module(CUmodule module) {
  CUfunction function;
  CUdeviceptr x, variable;
  size_t size;
  int n = 4, seen = 0;
  drive(CUDA_SUCCESS, cuModuleGetFunction(&function, module, "_Z3addPii"));
  drive(CUDA_SUCCESS, cuModuleGetGlobal(&variable, &size, module, "_Z5table"));
  ck_assert_uint_eq(size, 8);
  drive(CUDA_SUCCESS, cuMemAlloc(&x, sizeof n));
  drive(CUDA_SUCCESS, cuMemsetD32(x, 0, 1));
  void *arguments[] = { &x, &n };
  drive(CUDA_SUCCESS, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  drive(CUDA_SUCCESS, cuMemcpyDtoH(&seen, x, sizeof seen));
  ck_assert_int_eq(seen, 4);
  drive(CUDA_SUCCESS, cuMemFree(x));
  drive(CUDA_SUCCESS, cuModuleUnload(module));
}

static void begin_driver(void) {
  CUcontext context;
  drive(CUDA_SUCCESS, cuInit(0));
  drive(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&context, 0));
  drive(CUDA_SUCCESS, cuCtxSetCurrent(context));
}

START_TEST(images_are_loaded) {
  CUmodule module;
  begin_driver();
  drive(CUDA_SUCCESS, cuModuleLoadData(&module, ptx));
  use_module(module);
  drive(CUDA_SUCCESS, cuModuleLoadDataEx(&module, fat.bytes, 0, NULL, NULL));
  use_module(module);
}
END_TEST

static void load_file(const void *bytes, size_t size, CUresult expected) {
  char path[] = "/tmp/vptr-ptx-XXXXXX";
  CUmodule module;
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, bytes, size), (ssize_t)size);
  close(file);
  drive(expected, cuModuleLoad(&module, path));
  if (expected == CUDA_SUCCESS)
    use_module(module);
  unlink(path);
}

START_TEST(files_are_loaded_and_may_be_cut_short) {
  begin_driver();
  load_file(ptx, sizeof ptx - 1, CUDA_SUCCESS);
  load_file(fat.bytes, sizeof fat.bytes, CUDA_SUCCESS);
  load_file(fat.bytes, 200, CUDA_ERROR_INVALID_IMAGE);
  load_file(fat.bytes, 5, CUDA_ERROR_INVALID_IMAGE);
  load_file(ptx, 100, CUDA_ERROR_INVALID_PTX);
}
END_TEST

START_TEST(images_are_linked) {
  CUlinkState link;
  CUmodule module;
  void *image;
  size_t size;
  begin_driver();
  for (int which = 0; which < 2; which++) {
    const char *input = which == 0 ? ptx : (const char *)fat.bytes;
    size_t length = which == 0 ? sizeof ptx : sizeof fat.bytes;
    drive(CUDA_SUCCESS, cuLinkCreate(0, NULL, NULL, &link));
    drive(CUDA_SUCCESS, cuLinkAddData(link, which == 0 ? CU_JIT_INPUT_PTX : CU_JIT_INPUT_FATBINARY,
                                      (void *)(uintptr_t)input, length, "image", 0, NULL, NULL));
    drive(CUDA_SUCCESS, cuLinkComplete(link, &image, &size));
    drive(CUDA_SUCCESS, cuModuleLoadData(&module, image));
    drive(CUDA_SUCCESS, cuLinkDestroy(link));
    use_module(module);
  }
}
END_TEST

START_TEST(images_that_are_damaged_or_code_alone_are_refused) {
  CUmodule module;
  begin_driver();
  drive(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, ".version 8.0\n.target sm_80\n.entry k {"));
  static const char empty[64] = "\177ELF\2\1\1";
  drive(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, empty));
  make_fat(100);
  drive(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, fat.bytes));
  make_fat(80);
  fat.bytes[16 + 4] = 3;
  drive(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, fat.bytes));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cuda_ptx");
  TCase *tests = tcase_create("cuda_ptx");
  if (support_has_opencl()) {
    puts("left out: kernels of PTX are played by the fake device here");
    return 77;
  }
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, kernels_of_a_fat_binary_are_launched);
  tcase_add_test(tests, variables_are_the_hosts_and_the_kernels);
  tcase_add_test(tests, managed_variables_are_pointers);
  tcase_add_test(tests, managed_variables_of_machine_code_are_refused_in_words);
  tcase_add_test(tests, what_is_for_newer_devices_is_refused_in_words);
  tcase_add_test(tests, memory_may_run_out_when_it_is_registered);
  tcase_add_test(tests, images_are_loaded);
  tcase_add_test(tests, files_are_loaded_and_may_be_cut_short);
  tcase_add_test(tests, images_are_linked);
  tcase_add_test(tests, images_that_are_damaged_or_code_alone_are_refused);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
