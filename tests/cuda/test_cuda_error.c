/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_error - which error CUDA programs get for each of vptr's verdicts, and what vptr says in words.
 *
 * What CUDA does as well is asked by the conform_*.c programs, which run on both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option.h"
#include "cuda/error.h"
#include "device/fake.h"
#include "expect.h"

/* The sentence about the last failure holds these words. */
static void expect_words(const char *words, int line) {
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "line %d: \"%s\" is not in \"%s\"", line, words,
                vptr_last_error());
}

#define says(words) expect_words((words), __LINE__)

/* ---- verdicts ------------------------------------------------------------------------------------------- */

START_TEST(every_status_has_its_cuda_error) {
  static const struct {
    vptr_status status;
    cudaError_t error;
  } expected[] = {
    { VPTR_SUCCESS, cudaSuccess },
    { VPTR_ERROR_NULL_POINTER, cudaErrorInvalidValue },
    { VPTR_ERROR_UNKNOWN_ADDRESS, cudaErrorInvalidValue },
    { VPTR_ERROR_FREED, cudaErrorInvalidValue },
    { VPTR_ERROR_PAST_END, cudaErrorInvalidValue },
    { VPTR_ERROR_OUT_OF_BOUNDS, cudaErrorInvalidValue },
    { VPTR_ERROR_OTHER_MAPPER, cudaErrorInvalidValue },
    { VPTR_ERROR_INTERIOR, cudaErrorInvalidValue },
    { VPTR_ERROR_INVALID_ARGUMENT, cudaErrorInvalidValue },
    { VPTR_ERROR_INVALID_SIZE, cudaErrorInvalidValue },
    { VPTR_ERROR_MAPPED, cudaErrorAlreadyMapped },
    { VPTR_ERROR_NOT_MAPPED, cudaErrorNotMapped },
    { VPTR_ERROR_UNSUPPORTED, cudaErrorNotSupported },
    { VPTR_ERROR_NOT_READY, cudaErrorNotReady },
    { VPTR_ERROR_FORKED, cudaErrorInitializationError },
    { VPTR_ERROR_OUT_OF_DEVICE_MEMORY, cudaErrorMemoryAllocation },
    { VPTR_ERROR_OUT_OF_HOST_MEMORY, cudaErrorMemoryAllocation },
    { VPTR_ERROR_OUT_OF_ADDRESSES, cudaErrorMemoryAllocation },
    { VPTR_ERROR_NO_DEVICE, cudaErrorNoDevice },
    { VPTR_ERROR_CORRUPT, cudaErrorUnknown },
    { VPTR_ERROR_FILE, cudaErrorOperatingSystem },
  };
  size_t known = 0;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_int_eq(vptr__cuda_from_status(expected[i].status), expected[i].error);
  /* VPTR_ERROR_OPENCL depends on the code and has a test of its own; a status added later must be added here */
  for (int status = -1; status < 1000; status++)
    known += strncmp(vptr_status_string((vptr_status)status), "VPTR_", 5) == 0;
  ck_assert_uint_eq(known, sizeof expected / sizeof *expected + 1);
}
END_TEST

static void fault_becomes(cl_int code, cudaError_t error) {
  char *p = device_memory(SIZE), host[SIZE] = "";
  vptr__fake_fail_nth(1, code);
  expect(error, cudaMemcpy(p, host, SIZE, cudaMemcpyHostToDevice));
  ck_assert_int_eq(cudaGetLastError(), error);
  succeed(cudaMemcpy(p, host, SIZE, cudaMemcpyHostToDevice));
  succeed(cudaFree(p));
}

START_TEST(failed_opencl_calls_are_told_apart) {
  if (support_has_opencl())
    return; /* faults come from the fake device */
  fault_becomes(CL_OUT_OF_RESOURCES, cudaErrorLaunchFailure);
  fault_becomes(CL_INVALID_COMMAND_QUEUE, cudaErrorLaunchFailure);
  fault_becomes(CL_DEVICE_NOT_AVAILABLE, cudaErrorDevicesUnavailable);
  fault_becomes(CL_MEM_OBJECT_ALLOCATION_FAILURE, cudaErrorMemoryAllocation);
  fault_becomes(CL_OUT_OF_HOST_MEMORY, cudaErrorMemoryAllocation);
  fault_becomes(CL_INVALID_MEM_OBJECT, cudaErrorUnknown);
}
END_TEST

/* ---- words ---------------------------------------------------------------------------------------------- */

START_TEST(a_refused_free_says_what_it_was) {
  int on_stack = 0;
  char *p = device_memory(SIZE);
  expect(cudaErrorInvalidValue, cudaFree(&on_stack));
  says("cudaFree: ");
  says("host address");
  expect(cudaErrorInvalidValue, cudaFree(p + 10));
  says("cudaFree: ");
  says("10 bytes into its allocation");
  expect(cudaErrorInvalidValue, cudaFree(p + SIZE + 3));
  says("3 bytes past the end");
  succeed(cudaFree(p));
  expect(cudaErrorInvalidValue, cudaFree(p));
  says("cudaFree: ");
  says("was freed");
}
END_TEST

START_TEST(a_refused_copy_names_the_end_and_the_kind) {
  char host[SIZE] = "", other[SIZE] = "";
  char *p = device_memory(SIZE);
  expect(cudaErrorInvalidValue, cudaMemcpy(host, other, 8, cudaMemcpyDeviceToHost));
  says("cudaMemcpy source: ");
  says("cudaMemcpyDeviceToHost needs a device address; cudaMemcpyDefault takes any");
  expect(cudaErrorInvalidValue, cudaMemcpy(p, host, 8, cudaMemcpyDeviceToHost));
  says("are destination and source swapped?");
  expect(cudaErrorInvalidValue, cudaMemcpy(host, p, 8, cudaMemcpyHostToDevice));
  says("cudaMemcpy destination: ");
  says("are destination and source swapped?");
  expect(cudaErrorInvalidValue, cudaMemcpy(host, p, 8, cudaMemcpyDeviceToDevice));
  says("cudaMemcpy destination: ");
  expect(cudaErrorInvalidValue, cudaMemcpy(p, NULL, 8, cudaMemcpyDefault));
  says("cudaMemcpy source: NULL");
  expect(cudaErrorInvalidValue, cudaMemcpy(p + 990, host, 11, cudaMemcpyHostToDevice));
  says("cudaMemcpy destination: ");
  says("begins 10 bytes before the end");
  expect(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, host, 8, (enum cudaMemcpyKind)7));
  says("kind 7 is no direction");
  succeed(cudaFree(p));
  expect(cudaErrorInvalidValue, cudaMemcpy(host, p, 8, cudaMemcpyDeviceToHost));
  says("cudaMemcpy source: ");
  says("was freed");
}
END_TEST

START_TEST(a_refused_memset_says_what_it_was) {
  int on_stack = 0;
  char *p = device_memory(SIZE);
  expect(cudaErrorInvalidValue, cudaMemset(&on_stack, 0, 4));
  says("cudaMemset: ");
  says("is host memory");
  expect(cudaErrorInvalidValue, cudaMemset(NULL, 0, 4));
  says("devPtr is NULL");
  expect(cudaErrorInvalidValue, cudaMemset(p + SIZE, 0, 1));
  says("past the end");
  succeed(cudaFree(p));
}
END_TEST

START_TEST(missing_outputs_and_devices_are_named) {
  expect(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
  says("cudaMalloc: devPtr is NULL");
  expect(cudaErrorInvalidValue, cudaGetDeviceCount(NULL));
  says("cudaGetDeviceCount: count is NULL");
  expect(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, NULL));
  says("cudaPointerGetAttributes: attributes is NULL");
  expect(cudaErrorInvalidDevice, cudaSetDevice(12345));
  says("no device 12345");
}
END_TEST

/* What calls print on stderr between begin and end, which sees VPTR_VERBOSE=1. */
typedef struct stderr_capture {
  FILE *file;
  int stderr_before;
} stderr_capture;

static stderr_capture capture_begin(void) {
  stderr_capture capture = { tmpfile(), dup(STDERR_FILENO) };
  ck_assert_ptr_nonnull(capture.file);
  fflush(stderr);
  dup2(fileno(capture.file), STDERR_FILENO);
  setenv("VPTR_VERBOSE", "1", 1);
  vptr__option_reload();
  return capture;
}

static void capture_end(stderr_capture capture, char *text, size_t size) {
  dup2(capture.stderr_before, STDERR_FILENO);
  close(capture.stderr_before);
  unsetenv("VPTR_VERBOSE");
  vptr__option_reload();
  rewind(capture.file);
  text[fread(text, 1, size - 1, capture.file)] = '\0';
  fclose(capture.file);
}

static int lines_in(const char *text) {
  int lines = 0;
  for (; *text != '\0'; text++)
    lines += *text == '\n';
  return lines;
}

/* Each call that is a mistake, by number; false behind the last. */
static bool make_mistake(int number, char *live, char *freed) {
  char host[8] = "";
  struct cudaPointerAttributes attributes = { .device = 0 };
  switch (number) {
  case 0:
    return cudaFree(host) != cudaSuccess;
  case 1:
    return cudaFree(live + 1) != cudaSuccess;
  case 2:
    return cudaFree(freed) != cudaSuccess;
  case 3:
    return cudaMemcpy(host, host, 8, cudaMemcpyDeviceToHost) != cudaSuccess;
  case 4:
    return cudaMemcpy(host, freed, 8, cudaMemcpyDefault) != cudaSuccess;
  case 5:
    return cudaMemset(live + SIZE, 1, 8) != cudaSuccess;
  case 6:
    return cudaMalloc(NULL, 8) != cudaSuccess;
  case 7:
    return cudaSetDevice(-1) != cudaSuccess;
  case 8:
    return cudaPointerGetAttributes(NULL, &attributes) != cudaSuccess;
  case 9:
    return cudaMemcpy(live, host, 8, (enum cudaMemcpyKind)9) != cudaSuccess;
  case 10:
    return cudaMalloc((void **)&freed, SIZE_MAX) != cudaSuccess;
  default:
    return false;
  }
}

START_TEST(verbose_prints_one_line_for_each_mistake) {
  char *live = device_memory(SIZE), *freed = device_memory(SIZE), text[2000];
  succeed(cudaFree(freed));
  int number = 0;
  for (bool failed = true; failed; number++) {
    stderr_capture capture = capture_begin();
    failed = make_mistake(number, live, freed);
    capture_end(capture, text, sizeof text);
    ck_assert_msg(lines_in(text) == failed, "mistake %d printed: %s", number, text);
    ck_assert_msg(!failed || strstr(text, vptr_last_error()) != NULL, "mistake %d printed: %s", number, text);
  }
  ck_assert_int_eq(number, 12);
  succeed(cudaFree(live));
  cudaGetLastError();
}
END_TEST

START_TEST(asking_about_an_address_says_nothing) {
  char text[200];
  struct cudaPointerAttributes attributes;
  char *p = device_memory(SIZE);
  succeed(cudaFree(p));
  stderr_capture capture = capture_begin();
  succeed(cudaPointerGetAttributes(&attributes, p));
  succeed(cudaPointerGetAttributes(&attributes, text));
  succeed(cudaPointerGetAttributes(&attributes, NULL));
  capture_end(capture, text, sizeof text);
  ck_assert_str_eq(text, "");
}
END_TEST

static Suite *cuda_error_suite(void) {
  Suite *suite = suite_create("cuda_error");
  TCase *verdicts = tcase_create("verdicts");
  tcase_add_test(verdicts, every_status_has_its_cuda_error);
  tcase_add_test(verdicts, failed_opencl_calls_are_told_apart);
  suite_add_tcase(suite, verdicts);
  TCase *words = tcase_create("words");
  tcase_add_test(words, a_refused_free_says_what_it_was);
  tcase_add_test(words, a_refused_copy_names_the_end_and_the_kind);
  tcase_add_test(words, a_refused_memset_says_what_it_was);
  tcase_add_test(words, missing_outputs_and_devices_are_named);
  tcase_add_test(words, verbose_prints_one_line_for_each_mistake);
  tcase_add_test(words, asking_about_an_address_says_nothing);
  suite_add_tcase(suite, words);
  return suite;
}

int main(void) {
  return support_run(cuda_error_suite());
}
