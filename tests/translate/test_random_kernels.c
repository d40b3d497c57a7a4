/* SPDX-License-Identifier: MIT */
/*
 * test_random_kernels - kernels made at random, whose barriers all threads reach, compute on the device what an
 * interpreter of threads computes: as a work-item a thread, and as one work-item that runs a block by loops. Half as
 * many have no barriers: of those some threads leave first. VPTR_TEST_RANDOM_KERNELS says how many, and
 * VPTR_TEST_RANDOM_SEED with which to begin.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "translate/opencl.h"
#include "translate/random_kernel.h"
#include "translate/translate.h"

enum { USUALLY = 40, BATCH = 10, MOST_THREADS = 256 };

static const char *const options[] = {
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=0 -DVPTR_PARAMETER_LIMIT=1024",
  "-cl-std=CL1.2 -DVPTR_ADDRESSES=0 -DVPTR_PARAMETER_LIMIT=1024 -DVPTR_LOOPS=1"
};

static unsigned long number_of(const char *variable, unsigned long otherwise) {
  const char *text = getenv(variable);
  return text != NULL ? strtoul(text, NULL, 10) : otherwise;
}

static bool no_file(void *context, const char *name, bool is_quoted, const char *includer, const char *after,
                    const char **text_out, size_t *length_out, const char **path_out) {
  (void)context, (void)name, (void)is_quoted, (void)includer, (void)after, (void)text_out, (void)length_out,
      (void)path_out;
  return false;
}

/* Drivers take longer to begin with a program than for a kernel of it. */
typedef struct batch {
  unsigned long seeds[BATCH];
  random_kernel *kernels[BATCH];
  bool has_loops[BATCH];
  bool is_of_loops;
  int count;
} batch;

static const char *name_of(int index) {
  static const char *const names[BATCH] = { "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9" };
  return names[index];
}

/* The caller frees it. */
static char *text_of(const batch *batch, int first, int count) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  for (int i = first; i < first + count; i++)
    random_print(batch->kernels[i], name_of(i), stream);
  fclose(stream);
  return text;
}

/* The caller frees the result. */
static char *module_of(const char *text) {
  vptr__reader reader = { .open = no_file };
  vptr__translate_options none = { 0 };
  vptr__translation translation = { 0 };
  ck_assert(vptr__translate("k.cu", text, strlen(text), &reader, &none, &translation));
  ck_assert_msg(translation.module != NULL, "%s\n%s", text, translation.log);
  char *module = strdup(translation.module);
  vptr__translate_free(&translation);
  return module;
}

static void report_difference(const batch *batch, int i, const char *what, unsigned at, unsigned is,
                              unsigned should_be) {
  const random_kernel *kernel = batch->kernels[i];
  char *text = text_of(batch, i, 1), *module = module_of(text);
  fprintf(stderr, "%s\n%s\n", text, module); /* too long for Check */
  ck_abort_msg("kernel %lu: %s[%u] is %u, not %u; n %u, m %u, %u blocks of %u", batch->seeds[i], what, at, is,
               should_be, kernel->n, kernel->m, kernel->blocks, kernel->threads);
}

/* By loops a work-item runs `together` blocks, if there are so many. */
static void run_on_device(opencl_program *program, const char *name, const random_kernel *kernel, bool by_loops,
                          unsigned long together, unsigned *f, unsigned *out, unsigned *sums) {
  unsigned long zero = 0, block = kernel->threads | (unsigned long)kernel->rows << 16 | 1ul << 32 | together << 48;
  unsigned long blocks = kernel->blocks | 1ul << 32 | 1ul << 48;
  size_t items = (kernel->blocks + together - 1) / together;
  unsigned n = kernel->n, m = kernel->m;
  char entry[32];
  const opencl_argument arguments[] = { { out, MOST_THREADS * 4, OPENCL_BUFFER },
                                        { &zero, 8, OPENCL_VALUE },
                                        { sums, RANDOM_SUMS * 4, OPENCL_BUFFER },
                                        { &zero, 8, OPENCL_VALUE },
                                        { f, RANDOM_INPUTS * 4, OPENCL_BUFFER },
                                        { &zero, 8, OPENCL_VALUE },
                                        { &n, 4, OPENCL_VALUE },
                                        { &m, 4, OPENCL_VALUE },
                                        { &block, 8, OPENCL_VALUE },
                                        { &blocks, 8, OPENCL_VALUE } };
  snprintf(entry, sizeof entry, "vptr_k_%s", name);
  if (by_loops)
    opencl_run(program, entry, arguments, 10, items, 1);
  else
    opencl_run_rows(program, entry, arguments, 8, kernel->blocks, kernel->threads, kernel->rows);
}

static void compare(const batch *batch, int i, opencl_program *program) {
  const random_kernel *kernel = batch->kernels[i];
  unsigned f[RANDOM_INPUTS], out[MOST_THREADS] = { 0 }, sums[RANDOM_SUMS] = { 0 };
  unsigned right[MOST_THREADS] = { 0 }, right_sums[RANDOM_SUMS] = { 0 };
  uint64_t state = batch->seeds[i];
  for (int j = 0; j < RANDOM_INPUTS; j++)
    f[j] = (unsigned)(support_random(&state) >> 24) % 5;
  ck_assert_msg(random_run(kernel, f, right, right_sums), "kernel %lu: threads wait at different barriers",
                batch->seeds[i]);
  run_on_device(program, name_of(i), kernel, batch->is_of_loops && batch->has_loops[i], 1 + batch->seeds[i] % 3, f,
                out, sums);
  for (unsigned j = 0; j < RANDOM_SUMS; j++)
    if (sums[j] != right_sums[j])
      report_difference(batch, i, "sums", j, sums[j], right_sums[j]);
  for (unsigned j = 0; j < MOST_THREADS; j++)
    if (out[j] != right[j])
      report_difference(batch, i, "out", j, out[j], right[j]);
}

static void run_batch(batch *batch) {
  if (batch->count == 0)
    return;
  char *text = text_of(batch, 0, batch->count), *module = module_of(text);
  opencl_program *program = opencl_build(module, options[batch->is_of_loops]);
  for (int i = 0; i < batch->count; i++) {
    compare(batch, i, program);
    random_free(batch->kernels[i]);
  }
  opencl_free(program);
  free(module);
  free(text);
  batch->count = 0;
}

/* Some threads of it leave where the device would run it wrongly, and the text says so; by loops it does not matter. */
static bool is_refused(batch *batch, int i) {
  char *text = text_of(batch, i, 1), *module = module_of(text);
  batch->has_loops[i] = strstr(module, "kind=block of=loops") != NULL;
  bool is = strstr(module, "#error some threads leave") != NULL && !(batch->is_of_loops && batch->has_loops[i]);
  free(module);
  free(text);
  return is;
}

typedef random_kernel *maker(uint64_t seed);

/* Keeps those that are not refused. */
static batch batch_make(maker *make, unsigned long first, unsigned long count, bool is_of_loops) {
  batch batch = { .count = 0, .is_of_loops = is_of_loops };
  for (unsigned long seed = first; seed < first + count; seed++) {
    batch.seeds[batch.count] = seed;
    batch.kernels[batch.count] = make(seed);
    if (is_refused(&batch, batch.count))
      random_free(batch.kernels[batch.count]);
    else
      batch.count++;
  }
  return batch;
}

static unsigned long kernel_count(void) {
  return number_of("VPTR_TEST_RANDOM_KERNELS", USUALLY);
}

static unsigned long first_seed(void) {
  return number_of("VPTR_TEST_RANDOM_SEED", 1);
}

/* Half as many have no barriers. */
static unsigned long free_count(void) {
  return (kernel_count() + 1) / 2;
}

static int batch_count(unsigned long kernels) {
  return (int)((kernels + BATCH - 1) / BATCH);
}

static void run_number(maker *make, unsigned long count, int number, bool is_of_loops) {
  unsigned long done = (unsigned long)number * BATCH, left = count - done;
  if (!support_has_opencl())
    return;
  batch batch = batch_make(make, first_seed() + done, left < BATCH ? left : BATCH, is_of_loops);
  run_batch(&batch);
}

START_TEST(devices_compute_what_threads_do) {
  run_number(random_make, kernel_count(), _i, false);
}
END_TEST

START_TEST(loops_compute_what_threads_do) {
  run_number(random_make, kernel_count(), _i, true);
}
END_TEST

START_TEST(devices_compute_what_free_threads_do) {
  run_number(random_make_free, free_count(), _i, false);
}
END_TEST

START_TEST(loops_compute_what_free_threads_do) {
  run_number(random_make_free, free_count(), _i, true);
}
END_TEST

static void count_kernels(maker *make, unsigned long *run_out, unsigned long *looped_out) {
  *run_out = *looped_out = 0;
  for (unsigned long i = 0; i < USUALLY; i++) {
    batch batch = batch_make(make, first_seed() + i, 1, false);
    *run_out += (unsigned long)batch.count;
    *looped_out += batch.has_loops[0];
    if (batch.count == 1)
      random_free(batch.kernels[0]);
  }
  printf("%d kernels, %lu of them run, %lu have loops\n", USUALLY, *run_out, *looped_out);
}

START_TEST(few_kernels_are_refused) {
  unsigned long run, looped;
  count_kernels(random_make, &run, &looped);
  ck_assert(run * 10 >= USUALLY * 9);
  ck_assert(looped * 4 >= USUALLY * 3);
}
END_TEST

START_TEST(many_free_kernels_have_loops) {
  unsigned long run, looped;
  count_kernels(random_make_free, &run, &looped);
  ck_assert(run == USUALLY);
  ck_assert(looped * 2 >= USUALLY);
}
END_TEST

/* All threads may return early, and some return by themselves at the end. */
START_TEST(threads_that_return_alone_meet_at_the_end) {
  batch batch = { .seeds = { 40101 }, .count = 1 };
  if (!support_has_opencl())
    return;
  batch.kernels[0] = random_make(40101);
  ck_assert(!is_refused(&batch, 0));
  run_batch(&batch);
}
END_TEST

static TCase *free_case(void) {
  TCase *tcase = tcase_create("without barriers");
  tcase_add_loop_test(tcase, devices_compute_what_free_threads_do, 0, batch_count(free_count()));
  tcase_add_loop_test(tcase, loops_compute_what_free_threads_do, 0, batch_count(free_count()));
  tcase_add_test(tcase, many_free_kernels_have_loops);
  return tcase;
}

int main(void) {
  Suite *suite = suite_create("random kernels");
  TCase *tcase = tcase_create("random kernels");
  tcase_add_loop_test(tcase, devices_compute_what_threads_do, 0, batch_count(kernel_count()));
  tcase_add_loop_test(tcase, loops_compute_what_threads_do, 0, batch_count(kernel_count()));
  tcase_add_test(tcase, few_kernels_are_refused);
  tcase_add_test(tcase, threads_that_return_alone_meet_at_the_end);
  suite_add_tcase(suite, tcase);
  suite_add_tcase(suite, free_case());
  return support_run(suite);
}
