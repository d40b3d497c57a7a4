/* SPDX-License-Identifier: MIT */
/*
 * vkfft - the engine that VkFFT is; see engine.h.
 *
 * VkFFT is one header of functions, so this is the only file that includes it: it takes a compiler longer than the rest
 * of the library, and Makefile.am builds it without a sanitizer. The header's calls that a library may not make are
 * other functions here: it sets the process's locale (a thread's is enough), prints programs that fail (their words are
 * vptr_last_error()'s), builds them (device/program_kept.h has them kept), and drops the events of its kernels.
 *
 * Strides are VkFFT's: what comes behind a row, a plane, a transform. Its `buffer` is the complex side of real
 * transforms and the output of others, its `inputBuffer` the other side. Offsets are told at launch, and counted in 32
 * bits unless it is told to use 64.
 *
 * No locks. State is the thread's alone: for whom VkFFT builds, and its last event. Called by plan.c and run.c, through
 * engine.h.
 */
#include "cufft/engine.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/program_kept.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what VkFFT calls ------------------------------------------------------------------------------------- */

enum { MOST_LOCAL = 32 << 10, MOST_GROUP = 256 };

static _Thread_local struct {
  vptr__device *device; /* for which programs are built */
  vptr_status status;   /* of the last one */
  cl_event *event;      /* NULL: nobody wants to know */
} caller;

static cl_program build_for_caller(const char *text, size_t length, cl_int *code_out) {
  cl_program program = NULL;
  const vptr__program_source source = { .text = text, .length = length, .options = "-w" };
  caller.status = vptr__program_build_kept(caller.device, &source, &program);
  *code_out = caller.status == VPTR_SUCCESS ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
  return program;
}

static cl_int send_for_caller(cl_command_queue queue, cl_kernel kernel, const size_t *global, const size_t *local) {
  cl_event event;
  cl_int code =
      clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, caller.event != NULL ? &event : NULL);
  if (code != CL_SUCCESS || caller.event == NULL)
    return code;
  if (*caller.event != NULL)
    clReleaseEvent(*caller.event);
  *caller.event = event;
  return CL_SUCCESS;
}

/* VkFFT makes its kernels as large as the device says that they may be. A CPU's driver keeps what all work-items of a
 * group have in registers on a stack, and tells local memory of megabytes: a length of 200,000 gets a group of 3,125,
 * whose kernel crashes in PoCL 3.1, as it seems for want of stack. So no device is said to have more than GPUs have. */
static cl_int ask_device(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *size_out) {
  cl_int code = clGetDeviceInfo(device, what, size, value, size_out);
  if (code != CL_SUCCESS || value == NULL)
    return code;
  if (what == CL_DEVICE_LOCAL_MEM_SIZE && *(cl_ulong *)value > MOST_LOCAL)
    *(cl_ulong *)value = MOST_LOCAL;
  if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && *(size_t *)value > MOST_GROUP)
    *(size_t *)value = MOST_GROUP;
  return CL_SUCCESS;
}

/* VkFFT sets no locale back where it was told that there was none. */
static char *no_locale(void) {
  return NULL;
}

#define setlocale(category, locale) no_locale()
#define printf(...) ((void)0)
#define clCreateProgramWithSource(context, count, texts, lengths, code) build_for_caller(*(texts), *(lengths), code)
#define clGetDeviceInfo ask_device
#define clBuildProgram(...) CL_SUCCESS
#define clEnqueueNDRangeKernel(queue, kernel, rank, offset, global, local, ...)                                      \
  send_for_caller(queue, kernel, global, local)
#define VKFFT_BACKEND 3
#include <vkFFT.h>
#undef setlocale
#undef printf
#undef clCreateProgramWithSource
#undef clGetDeviceInfo
#undef clBuildProgram
#undef clEnqueueNDRangeKernel

/* ---- making ----------------------------------------------------------------------------------------------- */

struct vptr__fft_engine {
  VkFFTApplication application;
  vptr__device *device;   /* while the engine is made */
  cl_device_id cl_device; /* VkFFT keeps the addresses of these two, too */
  cl_context cl_context;
  vptr__fft_kind kind;
  int rank;
  bool is_inverse;
  size_t work;
  uint64_t work_told; /* what VkFFT is told before it is known */
  /* VkFFT keeps their addresses, and reads them each time */
  cl_mem side, other, temporary;
};

static uint64_t size_of_complex(const vptr__fft_request *request) {
  return request->is_double ? 16 : 8;
}

static void configure(vptr__fft_engine *engine, const vptr__fft_request *request, VkFFTConfiguration *configuration) {
  bool to_real = request->kind == VPTR__FFT_TO_REAL;
  const uint64_t *side = to_real ? request->in_step : request->out_step;
  const uint64_t *other = to_real ? request->out_step : request->in_step;
  *configuration = (VkFFTConfiguration){ .FFTdim = (uint64_t)request->rank,
                                         .device = &engine->cl_device,
                                         .context = &engine->cl_context,
                                         .userTempBuffer = 1,
                                         .tempBufferSize = &engine->work_told,
                                         .specifyOffsetsAtLaunch = 1,
                                         .numberBatches = request->batch,
                                         .doublePrecision = request->is_double,
                                         .performR2C = request->kind != VPTR__FFT_COMPLEX,
                                         .makeForwardPlanOnly = !request->is_inverse,
                                         .makeInversePlanOnly = request->is_inverse,
                                         .isInputFormatted = 1,
                                         .useUint64 = vptr__fft_request_is_wide(request),
                                         .inverseReturnToInputBuffer = to_real };
  for (int i = 0; i < request->rank; i++) {
    configuration->size[i] = request->n[i];
    configuration->bufferStride[i] = side[i];
    configuration->inputBufferStride[i] = other[i];
  }
}

/* From the first element of a side to behind its last, of steps that nest. */
static uint64_t extent_of(const vptr__fft_request *request, const uint64_t *step) {
  uint64_t last = step[request->rank - 1];
  return last * request->batch;
}

/* VkFFT's own number is that of packed sides; what lies between kernels has the output's steps. */
static size_t work_of(const vptr__fft_engine *engine, const vptr__fft_request *request) {
  const VkFFTPlan *plan =
      request->is_inverse ? engine->application.localFFTPlan_inverse : engine->application.localFFTPlan;
  const uint64_t *side = request->kind == VPTR__FFT_TO_REAL ? request->in_step : request->out_step;
  uint64_t most = extent_of(request, side);
  bool needs_any = false;
  for (int i = 0; i < request->rank; i++) {
    const uint64_t *n = plan->actualFFTSizePerAxis[i];
    uint64_t elements = (n[0] + 1) * (request->rank > 1 ? n[1] : 1) * (request->rank > 2 ? n[2] : 1) * request->batch;
    needs_any = needs_any || plan->numAxisUploads[i] > 1;
    most = elements > most ? elements : most;
  }
  return needs_any ? (most + 1) * size_of_complex(request) : 0;
}

static vptr_status status_of(VkFFTResult result, const char *doing) {
  if (result == VKFFT_SUCCESS)
    return VPTR_SUCCESS;
  if (caller.status != VPTR_SUCCESS)
    return caller.status;
  switch (result) {
  case VKFFT_ERROR_MALLOC_FAILED:
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "VkFFT had no host memory to %s a transform", doing);
  case VKFFT_ERROR_FAILED_TO_ALLOCATE:
    return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, "VkFFT had no device memory to %s a transform", doing);
  case VKFFT_ERROR_UNSUPPORTED_RADIX:
  case VKFFT_ERROR_UNSUPPORTED_FFT_LENGTH:
  case VKFFT_ERROR_UNSUPPORTED_FFT_LENGTH_R2C:
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "VkFFT cannot %s a transform of this length: it ended with %d", doing,
                       (int)result);
  default:
    return vptr__error(VPTR_ERROR_OPENCL, "VkFFT could not %s a transform: it ended with %d", doing, (int)result);
  }
}

/* Of reals that take several kernels a row VkFFT 1.2.26 makes wrong numbers, as FFTW tells (131,072 of them, in both
 * directions), so it is not asked for them. Rows that surely need several are told before they are compiled. */
static bool is_known_wrong(const vptr__fft_engine *engine, const vptr__fft_request *request) {
  const VkFFTPlan *plan =
      request->is_inverse ? engine->application.localFFTPlan_inverse : engine->application.localFFTPlan;
  if (request->kind == VPTR__FFT_COMPLEX)
    return false;
  return plan == NULL ? request->n[0] > MOST_LOCAL / size_of_complex(request) : plan->multiUploadR2C != 0;
}

static vptr_status refuse_reals(const vptr__fft_request *request) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "VkFFT is not asked for rows of %llu reals, which take it several kernels",
                     (unsigned long long)request->n[0]);
}

/* VkFFT writes numbers into its programs, with a point. Where it fails it has deleted what it had begun. */
static vptr_status initialize(vptr__fft_engine *engine, const vptr__fft_request *request) {
  VkFFTConfiguration configuration;
  engine->work_told = extent_of(request, request->out_step) * size_of_complex(request);
  configure(engine, request, &configuration);
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "no host memory for a locale");
  locale_t before = uselocale(plain);
  caller.device = engine->device;
  caller.status = VPTR_SUCCESS;
  caller.event = NULL;
  VkFFTResult result = initializeVkFFT(&engine->application, configuration);
  uselocale(before);
  freelocale(plain);
  return status_of(result, "plan");
}

vptr_status vptr__fft_engine_create(vptr__device *device, const vptr__fft_request *request,
                                    vptr__fft_engine **engine_out) {
  vptr__fft_engine *engine = vptr__memory_calloc(1, sizeof *engine);
  if (engine == NULL)
    return vptr__error_host_memory(sizeof *engine);
  engine->device = device;
  engine->cl_device = device->cl_device;
  engine->cl_context = device->cl_context;
  engine->kind = request->kind;
  engine->rank = request->rank;
  engine->is_inverse = request->is_inverse;
  vptr_status status = is_known_wrong(engine, request) ? refuse_reals(request) : initialize(engine, request);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(engine);
    return status;
  }
  if (is_known_wrong(engine, request)) {
    vptr__fft_engine_destroy(engine);
    return refuse_reals(request);
  }
  engine->work = work_of(engine, request);
  *engine_out = engine;
  return VPTR_SUCCESS;
}

void vptr__fft_engine_destroy(vptr__fft_engine *engine) {
  if (engine == NULL)
    return;
  deleteVkFFT(&engine->application);
  vptr__memory_free(engine);
}

size_t vptr__fft_engine_work(const vptr__fft_engine *engine) {
  return engine->work;
}

bool vptr__fft_engine_spoils_input(const vptr__fft_engine *engine) {
  return engine->kind == VPTR__FFT_TO_REAL && (engine->rank > 1 || engine->work > 0);
}

/* ---- sending ---------------------------------------------------------------------------------------------- */

vptr_status vptr__fft_engine_send(vptr__fft_engine *engine, cl_command_queue queue, const vptr__fft_place *in,
                                  const vptr__fft_place *out, const vptr__fft_place *work, cl_event *event_out) {
  bool to_real = engine->kind == VPTR__FFT_TO_REAL;
  const vptr__fft_place *side = to_real ? in : out, *other = to_real ? out : in;
  VkFFTLaunchParams launch = { .commandQueue = &queue,
                               .buffer = &engine->side,
                               .inputBuffer = &engine->other,
                               .tempBuffer = &engine->temporary,
                               .bufferOffset = side->offset,
                               .inputBufferOffset = other->offset,
                               .tempBufferOffset = work->offset };
  engine->side = side->buffer;
  engine->other = other->buffer;
  engine->temporary = work->buffer;
  *event_out = NULL;
  caller.event = event_out;
  caller.status = VPTR_SUCCESS;
  VkFFTResult result = VkFFTAppend(&engine->application, engine->is_inverse ? 1 : -1, &launch);
  caller.event = NULL;
  return status_of(result, "send");
}
