/* SPDX-License-Identifier: MIT */
/* The module's text is read exactly, and whatever else comes is refused in words: lines, prefixes, noise. */
#include "module/image.h"

#include "base/memory.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char whole[] = "//vptr-module 1\n"
                            "//vptr variable name=a%20b lowered=_Z1t size=4 align=4 kind=constant initial=00fF1080\n"
                            "//vptr variable name=flag lowered=flag size=8 align=8 kind=device extern=1\n"
                            "//vptr variable name=m lowered=m size=1 kind=managed\n"
                            "//vptr variable name=p lowered=p size=24 align=8 kind=device\n"
                            "//vptr variable name=q lowered=q size=8 align=8 kind=constant initial=0000000000000000\n"
                            "//vptr address variable=p at=0 of=_Z1t plus=4\n"
                            "//vptr address variable=p at=16 of=flag plus=9\n"
                            "//vptr address variable=q of=q\n"
                            "//vptr kernel name=k lowered=_Z1k entry=vptr_k_k packed=1 shared=48 max_threads=256 "
                            "min_blocks=2 fast=1 private=8192 prints=1\n"
                            "//vptr param size=1 align=1 kind=value\n"
                            "//vptr param size=8 align=8 kind=pointer\n"
                            "//vptr param size=24 align=8 kind=value pointers=0,16\n"
                            "//vptr hidden kind=variable name=flag\n"
                            "//vptr hidden kind=shared\n"
                            "//vptr hidden kind=status\n"
                            "//vptr hidden kind=translation\n"
                            "//vptr hidden kind=texels\n"
                            "//vptr kernel name=q lowered=_Z1q entry=vptr_k_q\n"
                            "//vptr param size=8 align=8 kind=pointer access=read\n"
                            "//vptr param size=4 align=4 kind=value access=read\n"
                            "//vptr expression name=&k<int> lowered=_Z1kIiE\n"
                            "__kernel void vptr_k_k() {}\n//vptr kernel this is code\n";

static long live;

static void setup(void) {
  live = vptr__memory_live();
}

static void teardown(void) {
  vptr__memory_fail_nth(0);
  ck_assert_int_eq(vptr__memory_live(), live);
}

START_TEST(every_line_is_understood) {
  vptr__module_image *image;
  support_succeed(vptr__module_image_parse(whole, sizeof whole - 1, &image));
  ck_assert_uint_eq(image->kernel_count, 2);
  ck_assert_uint_eq(image->variable_count, 5);
  ck_assert_uint_eq(image->expression_count, 1);
  ck_assert(image->fast_math);
  ck_assert_str_eq(image->text, whole);
  ck_assert_uint_eq(image->length, sizeof whole - 1);
  ck_assert_str_eq(image->variables[0].name, "a b");
  ck_assert_mem_eq(image->variables[0].initial, "\x00\xff\x10\x80", 4);
  ck_assert_int_eq(image->variables[0].kind, VPTR__VARIABLE_CONSTANT);
  ck_assert(image->variables[1].is_extern && image->variables[1].initial == NULL);
  ck_assert_int_eq(image->variables[2].kind, VPTR__VARIABLE_MANAGED);
  ck_assert_str_eq(image->expressions[0].lowered, "_Z1kIiE");
  ck_assert_uint_eq(image->address_count, 3);
  const vptr__image_variable *pointing = &image->variables[3];
  ck_assert(image->variables[0].address_count == 0 && pointing[0].address_count == 2 &&
            pointing[1].address_count == 1);
  ck_assert(pointing[0].addresses[0].of == 0 && pointing[0].addresses[0].at == 0 &&
            pointing[0].addresses[0].plus == 4);
  ck_assert(pointing[0].addresses[1].of == 1 && pointing[0].addresses[1].at == 16);
  ck_assert(pointing[1].addresses[0].of == 4 && pointing[1].addresses[0].plus == 0);
  const vptr__image_kernel *kernel = &image->kernels[0];
  ck_assert_str_eq(kernel->entry, "vptr_k_k");
  ck_assert(kernel->shared == 48 && kernel->max_threads == 256 && kernel->min_blocks == 2);
  ck_assert_uint_eq(kernel->private_bytes, 8192);
  ck_assert(kernel->prints && !image->kernels[1].prints);
  ck_assert_uint_eq(kernel->param_count, 3);
  ck_assert_uint_eq(kernel->hidden_count, 5);
  ck_assert_uint_eq(kernel->parameter_bytes, 40);
  ck_assert(kernel->packs && !image->kernels[1].packs);
  ck_assert_uint_eq(kernel->packed_end, 56); /* the variable's address, and the status's */
  ck_assert(kernel->params[3].offset == 40 && kernel->params[5].offset == 48);
  ck_assert(kernel->packed_align == 8 && image->kernels[1].packed_end == 12);
  ck_assert(kernel->params[0].offset == 0 && kernel->params[1].offset == 8 && kernel->params[2].offset == 16);
  ck_assert_uint_eq(kernel->params[2].pointer_count, 2);
  ck_assert_uint_eq(kernel->params[2].pointers[1], 16);
  ck_assert_uint_eq(kernel->params[3].variable, 1);
  ck_assert_int_eq(kernel->params[4].kind, VPTR__PARAM_SHARED);
  ck_assert_int_eq(kernel->params[5].kind, VPTR__PARAM_STATUS);
  ck_assert_int_eq(kernel->params[6].kind, VPTR__PARAM_TRANSLATION);
  ck_assert_int_eq(kernel->params[7].kind, VPTR__PARAM_TEXELS);
  ck_assert(kernel->reads_texels && !image->kernels[1].reads_texels);
  ck_assert(kernel->follows_pointers && !image->kernels[1].follows_pointers);
  ck_assert(image->kernels[1].params[0].is_read_only && !image->kernels[1].params[1].is_read_only);
  ck_assert(!kernel->params[1].is_read_only);
  vptr__module_image_free(image);
}
END_TEST

/* Such a kernel runs its block's threads only in programs that are built so. */
START_TEST(a_block_may_be_of_loops) {
  static const char text_of[] = "//vptr-module 1\n//vptr kernel name=k lowered=k entry=k private=512 loops=4096\n"
                                "//vptr hidden kind=block of=loops\n//vptr hidden kind=blocks of=loops\n"
                                "//vptr kernel name=q lowered=q entry=q\n//vptr hidden kind=block\n"
                                "//vptr kernel name=old lowered=old entry=old\n//vptr hidden kind=block of=loops\n";
  vptr__module_image *image;
  support_succeed(vptr__module_image_parse(text_of, sizeof text_of - 1, &image));
  ck_assert(image->kernels[0].has_loops && !image->kernels[0].runs_threads);
  ck_assert(image->kernels[0].runs_blocks && !image->kernels[1].runs_blocks && !image->kernels[2].runs_blocks);
  ck_assert(image->kernels[2].has_loops);
  ck_assert(image->kernels[0].loops_bytes == 4096 && image->kernels[0].private_bytes == 512);
  ck_assert(!image->kernels[1].has_loops && image->kernels[1].runs_threads);
  vptr__module_image_free(image);
}
END_TEST

START_TEST(a_status_may_be_of_the_block_alone) {
  static const char text_of[] =
      "//vptr-module 1\n//vptr kernel name=k lowered=k entry=k arch=900\n//vptr hidden kind=status of=block\n"
      "//vptr hidden kind=block\n//vptr kernel name=q lowered=q entry=q\n"
      "//vptr hidden kind=status\n";
  vptr__module_image *image;
  support_succeed(vptr__module_image_parse(text_of, sizeof text_of - 1, &image));
  ck_assert(image->kernels[0].arch == 900 && image->kernels[1].arch == 700);
  ck_assert(image->kernels[0].runs_threads && image->kernels[0].params[0].is_of_block);
  ck_assert(!image->kernels[1].runs_threads && !image->kernels[1].params[0].is_of_block);
  vptr__module_image_free(image);
}
END_TEST

#define VARIABLES                                                                                                    \
  "//vptr variable name=o lowered=o size=8 kind=device\n//vptr variable name=p lowered=p size=8 kind=device\n"       \
  "//vptr variable name=x lowered=x size=4 kind=device\n//vptr variable name=m lowered=m size=8 kind=managed\n"      \
  "//vptr variable name=e lowered=e size=8 kind=device extern=1\n"

static const char *const bad[] = {
  "//vptr nothing\n",
  "//vptr \n",
  "//vptr kernel name=k lowered=k\n",
  "//vptr kernel name= lowered=k entry=k\n",
  "//vptr kernel name=%0 lowered=k entry=k\n",
  "//vptr kernel name=%00 lowered=k entry=k\n",
  "//vptr kernel name=k lowered=k entry=k shared=-1\n",
  "//vptr kernel name=k lowered=k entry=k shared=4294967296\n",
  "//vptr kernel name=k lowered=k entry=k max_threads=many\n",
  "//vptr kernel name=k lowered=k entry=k private=-1\n",
  "//vptr kernel name=k lowered=k entry=k arch=sm_90\n",
  "//vptr param size=4 align=4 kind=value\n",
  "//vptr hidden kind=shared\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr hidden kind=shared\n//vptr param size=4 align=4 kind=value\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=0 align=4 kind=value\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=4 align=3 kind=value\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=4 align=4 kind=pointer\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=4 align=4\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=99999999 align=4 kind=value\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=8 align=8 kind=value pointers=8\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=8 align=8 kind=value pointers=x\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=24 align=8 kind=value pointers=0;8\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr param size=24 align=8 kind=value pointers=4\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr hidden kind=variable name=nobody\n",
  "//vptr kernel name=k lowered=k entry=k\n//vptr hidden kind=magic\n",
  "//vptr variable name=v lowered=v size=0 kind=device\n",
  "//vptr variable name=v lowered=v kind=device\n",
  "//vptr variable name=v lowered=v size=4 align=0 kind=device\n",
  "//vptr variable name=v lowered=v size=4 align=3 kind=device\n",
  "//vptr variable name=v lowered=v size=4 align=8192 kind=device\n",
  "//vptr variable name=v lowered=v size=4 kind=private\n",
  "//vptr variable name=v lowered=v size=4 kind=device initial=00\n",
  "//vptr variable name=v lowered=v size=1 kind=device initial=0g\n",
  "//vptr variable name=v size=1 kind=device\n",
  "//vptr variable name=v lowered=v size=99999999999999999999 kind=device\n",
  VARIABLES "//vptr address variable=p at=0\n",
  VARIABLES "//vptr address variable=p of=x at=1\n",
  VARIABLES "//vptr address variable=p of=x at=-8\n",
  VARIABLES "//vptr address variable=p of=x plus=5\n",
  VARIABLES "//vptr address variable=x of=p\n",
  VARIABLES "//vptr address variable=p of=nobody\n",
  VARIABLES "//vptr address variable=m of=x\n",
  VARIABLES "//vptr address variable=p of=m\n",
  VARIABLES "//vptr address variable=e of=x\n",
  VARIABLES "//vptr address variable=p of=x\n//vptr address variable=o of=x\n",
  "//vptr expression name=k\n",
  "//vptr kernels name=k lowered=k entry=k\n",
};

START_TEST(a_bad_line_is_named) {
  char text[1024] = "//vptr-module 1\n";
  vptr__module_image *image = NULL;
  strcat(text, bad[_i]);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_image_parse(text, strlen(text), &image));
  ck_assert_ptr_null(image);
  ck_assert_msg(strstr(vptr_last_error(), "line ") != NULL, "%s", vptr_last_error());
}
END_TEST

/* Their sum must not pass what counts it. */
START_TEST(parameters_are_not_more_than_can_be_counted) {
  enum { LINES = 4096 };
  static const char head[] = "//vptr-module 1\n//vptr kernel name=k lowered=k entry=k\n";
  static const char line[] = "//vptr param size=1048576 align=1 kind=value\n";
  char *text = malloc(sizeof head + LINES * sizeof line), *at = text + sprintf(text, "%s", head);
  for (int i = 0; i < LINES; i++)
    at += sprintf(at, "%s", line);
  vptr__module_image *image = NULL;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_image_parse(text, (size_t)(at - text), &image));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "line 4:"));
  free(text);
}
END_TEST

START_TEST(what_is_no_module_says_how_it_begins) {
  vptr__module_image *image;
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_image_parse("__global__ void k()", 19, &image));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "__global__"));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_image_parse("//vptr-module 2\n", 16, &image));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_image_parse("", 0, &image));
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__module_image_parse(NULL, 0, &image));
}
END_TEST

/* In memory of exactly its size, so that sanitizers see a byte too far. */
static vptr_status parse_exactly(const char *text, size_t length) {
  char *copy = malloc(length > 0 ? length : 1);
  vptr__module_image *image;
  memcpy(copy, text, length);
  vptr_status status = vptr__module_image_parse(copy, length, &image);
  free(copy);
  if (status == VPTR_SUCCESS)
    vptr__module_image_free(image);
  return status;
}

START_TEST(every_prefix_is_a_module_or_refused) {
  for (size_t length = 0; length < sizeof whole; length++) {
    vptr_status status = parse_exactly(whole, length);
    support_must(status == VPTR_SUCCESS || status == VPTR_ERROR_INVALID_ARGUMENT);
  }
}
END_TEST

START_TEST(noise_breaks_nothing) {
  uint64_t state = 4711;
  char text[sizeof whole];
  for (int round = 0; round < 20000; round++) {
    memcpy(text, whole, sizeof text);
    for (uint64_t i = support_random(&state) % 8; i < 8; i++)
      text[16 + support_random(&state) % (sizeof text - 17)] = "=, \n%09afkpvx/-"[support_random(&state) % 15];
    vptr_status status = parse_exactly(text, sizeof text - 1);
    support_must(status == VPTR_SUCCESS || status == VPTR_ERROR_INVALID_ARGUMENT);
  }
}
END_TEST

/* ---- names ---------------------------------------------------------------------------------------------- */

static uint32_t found(const vptr__name_table *table, const char *name) {
  uint32_t index = UINT32_MAX;
  return vptr__name_find(table, name, &index) ? index : UINT32_MAX;
}

START_TEST(of_two_with_a_name_the_first_is_found) {
  static const char text[] = "//vptr-module 1\n"
                             "//vptr variable name=b lowered=a size=4 align=4 kind=device\n"
                             "//vptr variable name=c lowered=b size=4 align=4 kind=device\n"
                             "//vptr kernel name=f lowered=g entry=h\n"
                             "//vptr hidden kind=variable name=b\n"
                             "//vptr kernel name=h lowered=f entry=i\n";
  vptr__module_image *image;
  support_succeed(vptr__module_image_parse(text, sizeof text - 1, &image));
  ck_assert_uint_eq(found(&image->variable_names, "b"), 0);
  ck_assert_uint_eq(found(&image->variable_names, "c"), 1);
  ck_assert_uint_eq(image->kernels[0].params[0].variable, 1); /* by lowered= alone */
  ck_assert_uint_eq(found(&image->kernel_names, "f"), 0);
  ck_assert_uint_eq(found(&image->kernel_names, "h"), 0);
  ck_assert_uint_eq(found(&image->kernel_names, "i"), 1);
  ck_assert_uint_eq(found(&image->kernel_names, "b"), UINT32_MAX);
  vptr__module_image_free(image);
}
END_TEST

START_TEST(a_module_without_names_has_none) {
  static const char text[] = "//vptr-module 1\ntext\n";
  vptr__module_image *image;
  support_succeed(vptr__module_image_parse(text, sizeof text - 1, &image));
  ck_assert_uint_eq(found(&image->kernel_names, "f"), UINT32_MAX);
  ck_assert_uint_eq(found(&image->variable_names, ""), UINT32_MAX);
  vptr__module_image_free(image);
}
END_TEST

static clock_t time_to_find(int count) {
  char *text = malloc((size_t)count * 160), name[80];
  size_t length = (size_t)sprintf(text, "//vptr-module 1\n");
  for (int i = 0; i < count; i++)
    length += (size_t)sprintf(text + length,
                              "//vptr kernel name=k%d lowered=a_name_that_all_begin_with_%d entry=e%d\n", i, i, i);
  vptr__module_image *image;
  clock_t begin = clock();
  support_succeed(vptr__module_image_parse(text, length, &image));
  for (int i = 0; i < count; i++) {
    sprintf(name, "a_name_that_all_begin_with_%d", i);
    support_must(found(&image->kernel_names, name) == (uint32_t)i);
  }
  clock_t end = clock();
  vptr__module_image_free(image);
  free(text);
  return end - begin;
}

/* Sixteen times the kernels take some 16 times as long, and 256 times when each is compared with all. */
START_TEST(names_are_found_as_fast_among_many) {
  enum { FEW = 1000, TIMES = 16, LIMIT = 64, TRIES = 3 };
  bool is_linear = false;
  for (int i = 0; i < TRIES && !is_linear; i++) {
    clock_t few = time_to_find(FEW);
    is_linear = time_to_find(FEW * TIMES) < LIMIT * (few + 1);
  }
  ck_assert(is_linear);
}
END_TEST

START_TEST(no_memory_is_said) {
  vptr__module_image *image;
  vptr__memory_fail_nth(1);
  support_expect(VPTR_ERROR_OUT_OF_HOST_MEMORY, vptr__module_image_parse(whole, sizeof whole - 1, &image));
}
END_TEST

static Suite *image_suite(void) {
  Suite *suite = suite_create("image");
  TCase *tests = tcase_create("image");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, every_line_is_understood);
  tcase_add_test(tests, a_block_may_be_of_loops);
  tcase_add_test(tests, a_status_may_be_of_the_block_alone);
  tcase_add_loop_test(tests, a_bad_line_is_named, 0, (int)(sizeof bad / sizeof *bad));
  tcase_add_test(tests, parameters_are_not_more_than_can_be_counted);
  tcase_add_test(tests, what_is_no_module_says_how_it_begins);
  tcase_add_test(tests, every_prefix_is_a_module_or_refused);
  tcase_add_test(tests, noise_breaks_nothing);
  tcase_add_test(tests, of_two_with_a_name_the_first_is_found);
  tcase_add_test(tests, a_module_without_names_has_none);
  tcase_add_test(tests, names_are_found_as_fast_among_many);
  tcase_add_test(tests, no_memory_is_said);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(image_suite());
}
