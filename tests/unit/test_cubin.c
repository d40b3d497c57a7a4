/* SPDX-License-Identifier: MIT */
/*
 * test_cubin - machine code as a module: small ELF files with the sections that nvcc's have, made here, whole and
 * damaged; and a launch on the fake device, which is said to take them.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "module/module.h"
#include "nvidia/cubin.h"
#include "stream/stream.h"
#include "support/support.h"

enum { SECTIONS = 6, INFO = 0x17, THREADS = 0x05, SHARED = 1234 };

static const char section_names[] = "\0.shstrtab\0.strtab\0.symtab\0.nv.info.code_k\0.nv.shared.code_k";
static const char symbol_names[] = "\0code_k\0helper\0vprintf\0__cudaCDP2LaunchDeviceV2";

/* A kernel of (void *, int, struct of 24 bytes), with 64 threads at most. */
static const uint32_t records[] = { 0x000c0004 | THREADS << 8,
                                    32,
                                    2,
                                    1,
                                    0x000c0004 | INFO << 8,
                                    0,
                                    2 | 16 << 16,
                                    24u << 18,
                                    0x00000003 | 0x1b << 8, /* a value without bytes behind it */
                                    0x000c0004 | INFO << 8,
                                    0,
                                    1 | 8 << 16,
                                    4u << 18,
                                    0x000c0004 | INFO << 8,
                                    0,
                                    0,
                                    8u << 18 };

static struct {
  Elf64_Ehdr header;
  char section_names[sizeof section_names];
  char symbol_names[sizeof symbol_names];
  Elf64_Sym symbols[4];
  uint32_t records[sizeof records / sizeof *records];
  Elf64_Shdr sections[SECTIONS];
} file;

static char *module;
static size_t length;

static Elf64_Shdr section_of(const char *name, unsigned type, const void *begin, size_t size) {
  size_t at = 0;
  while (strcmp(section_names + at, name) != 0)
    at += strlen(section_names + at) + 1;
  return (Elf64_Shdr){ .sh_name = (unsigned)at,
                       .sh_type = type,
                       .sh_offset = (size_t)((const char *)begin - (const char *)&file),
                       .sh_size = size };
}

static Elf64_Sym symbol_of(const char *name, unsigned char other) {
  size_t at = 1;
  while (strcmp(symbol_names + at, name) != 0)
    at += strlen(symbol_names + at) + 1;
  return (Elf64_Sym){ .st_name = (unsigned)at, .st_info = STT_FUNC, .st_other = other };
}

static void make_file(void) {
  memset(&file, 0, sizeof file);
  memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_ident[EI_ABIVERSION] = 8;
  file.header.e_machine = EM_CUDA;
  file.header.e_flags = 0x6005a04;
  file.header.e_shoff = offsetof(__typeof__(file), sections);
  file.header.e_shentsize = sizeof *file.sections;
  file.header.e_shnum = SECTIONS;
  file.header.e_shstrndx = 1;
  memcpy(file.section_names, section_names, sizeof section_names);
  memcpy(file.symbol_names, symbol_names, sizeof symbol_names);
  memcpy(file.records, records, sizeof records);
  file.symbols[1] = symbol_of("helper", 0);
  file.symbols[2] = symbol_of("code_k", 0x10);
  file.symbols[3] = symbol_of("vprintf", 0);
  file.sections[1] = section_of(".shstrtab", SHT_STRTAB, file.section_names, sizeof file.section_names);
  file.sections[2] = section_of(".strtab", SHT_STRTAB, file.symbol_names, sizeof file.symbol_names);
  file.sections[3] = section_of(".symtab", SHT_SYMTAB, file.symbols, sizeof file.symbols);
  file.sections[3].sh_link = 2;
  file.sections[4] = section_of(".nv.info.code_k", SHT_LOPROC, file.records, sizeof file.records);
  file.sections[5] = section_of(".nv.shared.code_k", SHT_NOBITS, &file, SHARED);
}

static vptr_status translate(size_t size, unsigned ptx) {
  vptr__memory_free(module);
  module = NULL;
  return vptr__cubin_translate(&file, size, ptx, &module, &length);
}

static void forget_module(void) {
  vptr__memory_free(module);
  module = NULL;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

START_TEST(a_kernel_has_its_parameters) {
  vptr__module_image *image;
  support_succeed(translate(sizeof file, 900));
  support_succeed(vptr__module_image_parse(module, length, &image));
  ck_assert(image->is_ptx && image->is_code);
  ck_assert_uint_eq(image->kernel_count, 1);
  const vptr__image_kernel *kernel = image->kernels;
  ck_assert_str_eq(kernel->entry, "code_k");
  ck_assert_uint_eq(kernel->param_count, 3);
  ck_assert_uint_eq(kernel->params[1].offset, 8);
  ck_assert_uint_eq(kernel->params[1].pointer_count, 0);
  ck_assert_uint_eq(kernel->params[2].offset, 16);
  ck_assert_uint_eq(kernel->params[2].size, 24);
  ck_assert_uint_eq(kernel->params[2].pointer_count, 3);
  ck_assert(kernel->params[0].are_words);
  ck_assert_uint_eq(kernel->shared, SHARED);
  ck_assert_uint_eq(kernel->max_threads, 64);
  ck_assert_uint_eq(kernel->arch, 900);
  ck_assert(kernel->prints);
  ck_assert_mem_eq(module + length - sizeof file, &file, sizeof file);
  vptr__module_image_free(image);
}
END_TEST

START_TEST(a_file_without_a_known_size_is_as_long_as_it_says) {
  support_succeed(translate(SIZE_MAX, 900));
  ck_assert_mem_eq(module + length - sizeof file, &file, sizeof file);
}
END_TEST

START_TEST(it_is_for_devices_of_its_own_generation) {
  support_expect(VPTR_ERROR_UNSUPPORTED, translate(sizeof file, 800));
  support_expect(VPTR_ERROR_UNSUPPORTED, translate(sizeof file, 1000));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "-arch=compute_100"));
  file.header.e_ident[EI_ABIVERSION] = 7;
  file.header.e_flags = 0x560556;
  support_succeed(translate(sizeof file, 890));
  support_expect(VPTR_ERROR_UNSUPPORTED, translate(sizeof file, 800));
}
END_TEST

START_TEST(kernels_that_launch_kernels_are_refused) {
  file.symbols[1] = symbol_of("__cudaCDP2LaunchDeviceV2", 0);
  support_expect(VPTR_ERROR_UNSUPPORTED, translate(sizeof file, 900));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "launch kernels"));
}
END_TEST

START_TEST(its_text_is_told_from_others) {
  support_succeed(translate(sizeof file, 900));
  ck_assert(vptr__cubin_is_text_of(module));
  ck_assert(!vptr__cubin_is_text_of("//vptr-module 1\n//vptr text language=ptx\n"));
}
END_TEST

/* ---- damage --------------------------------------------------------------------------------------------- */

START_TEST(files_that_are_cut_short_are_refused) {
  for (size_t size = 0; size < sizeof file; size++) {
    void *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, &file, size);
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__cubin_translate(copy, size, 900, &module, &length));
    free(copy);
  }
}
END_TEST

START_TEST(what_is_said_wrong_of_a_kernel_is_refused) {
  file.records[6] = 5 | 16 << 16; /* a number that is none */
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, translate(sizeof file, 900));
  make_file();
  file.records[6] = 2 | 4 << 16; /* over another */
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, translate(sizeof file, 900));
  make_file();
  file.records[0] = 0xffff0004; /* longer than the section */
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, translate(sizeof file, 900));
  make_file();
  file.sections[4].sh_name = 0;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, translate(sizeof file, 900));
  make_file();
  file.header.e_machine = EM_X86_64;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, translate(sizeof file, 900));
}
END_TEST

START_TEST(damaged_files_are_read_or_refused) {
  uint64_t state = 5;
  for (long i = 0; i < support_rounds(20000); i++) {
    make_file();
    for (int k = 0; k < 1 + (int)(i % 3); k++)
      ((unsigned char *)&file)[support_below(&state, sizeof file)] ^= (unsigned char)(1 + support_below(&state, 255));
    vptr_status status = translate(sizeof file, 900);
    ck_assert(status == VPTR_SUCCESS || status == VPTR_ERROR_INVALID_ARGUMENT || status == VPTR_ERROR_UNSUPPORTED);
  }
}
END_TEST

START_TEST(host_memory_may_run_out) {
  long before = vptr__memory_live(), n = 0;
  vptr_status status;
  do {
    vptr__memory_fail_nth(++n);
    status = translate(sizeof file, 900);
    vptr__memory_fail_nth(0);
    ck_assert(status == VPTR_SUCCESS || status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
    ck_assert(status == VPTR_SUCCESS || vptr__memory_live() == before);
  } while (status != VPTR_SUCCESS);
  ck_assert_int_gt(n, 2);
}
END_TEST

/* ---- a launch ------------------------------------------------------------------------------------------- */

static uint64_t given;
static bool built_as_ptx;
static size_t built_size;
static const vptr__device_ops *true_ops;

static void note_run(const vptr__fake_launch *launch) {
  memcpy(&given, launch->arguments[0], sizeof given);
}

static vptr_status note_build(vptr__device *device, const vptr__program_source *source, cl_program *program_out) {
  built_as_ptx = source->is_ptx;
  built_size = source->length;
  return true_ops->kernel.program_build(device, source, program_out);
}

START_TEST(the_file_is_what_the_driver_gets) {
  vptr_mapper *mapper;
  vptr__stream *stream;
  vptr__module *loaded;
  void *memory;
  int number = 3;
  char structure[24] = "";
  setenv("VPTR_CACHE", "off", 1);
  vptr__fake_take_ptx(900);
  vptr__fake_report_addresses(true);
  vptr__fake_define("code_k", note_run);
  support_succeed(vptr_mapper_create(NULL, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  true_ops = mapper->device->ops;
  vptr__device_ops ops = *true_ops;
  ops.kernel.program_build = note_build;
  mapper->device->ops = &ops;
  support_succeed(translate(sizeof file, 900));
  support_succeed(vptr__module_load(module, length, &loaded));
  support_succeed(vptr_malloc(mapper, 100, &memory));
  void *arguments[] = { &memory, &number, structure };
  vptr__launch launch = { .what = "test", .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .arguments = arguments };
  support_succeed(vptr__function_launch(vptr__module_function(loaded, "code_k"), stream, &launch));
  support_succeed(vptr__stream_synchronize(stream));
  ck_assert(built_as_ptx);
  ck_assert_uint_eq(built_size, sizeof file);
  ck_assert_uint_ne(given, (uintptr_t)memory);
  ck_assert_uint_ne(given, 0);
  launch.shared = 16;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT,
                 vptr__function_launch(vptr__module_function(loaded, "code_k"), stream, &launch));
  vptr__module_unload(loaded);
  mapper->device->ops = true_ops;
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cubin");
  TCase *tests = tcase_create("cubin");
  tcase_add_checked_fixture(tests, make_file, forget_module);
  tcase_add_test(tests, a_kernel_has_its_parameters);
  tcase_add_test(tests, a_file_without_a_known_size_is_as_long_as_it_says);
  tcase_add_test(tests, it_is_for_devices_of_its_own_generation);
  tcase_add_test(tests, kernels_that_launch_kernels_are_refused);
  tcase_add_test(tests, its_text_is_told_from_others);
  tcase_add_test(tests, files_that_are_cut_short_are_refused);
  tcase_add_test(tests, what_is_said_wrong_of_a_kernel_is_refused);
  tcase_add_test(tests, damaged_files_are_read_or_refused);
  tcase_add_test(tests, host_memory_may_run_out);
  if (!support_has_opencl()) /* PoCL takes no machine code of others */
    tcase_add_test(tests, the_file_is_what_the_driver_gets);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
