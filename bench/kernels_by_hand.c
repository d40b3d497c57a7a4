/* SPDX-License-Identifier: MIT */
/*
 * kernels_by_hand - see kernels.h. The kernels are those of kernels.cu as someone writes them who knows OpenCL alone.
 */
#include "kernels.h"

#include <vptr/vptr.h>

#include <stdio.h>

static const char source[] =
    "__kernel void saxpy(int n, float a, __global const float *restrict x, __global float *restrict y) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n)\n"
    "    y[i] = a * x[i] + y[i];\n"
    "}\n"
    "__kernel void stencil(__global const float *restrict in, __global float *restrict out, int n) {\n"
    "  __local float part[BLOCK + 2 * RADIUS];\n"
    "  int i = get_global_id(0), t = get_local_id(0);\n"
    "  part[t + RADIUS] = in[i];\n"
    "  if (t < RADIUS) {\n"
    "    part[t] = i < RADIUS ? 0 : in[i - RADIUS];\n"
    "    part[t + RADIUS + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k <= 2 * RADIUS; k++)\n"
    "    sum += part[t + k];\n"
    "  out[i] = sum;\n"
    "}\n"
    "__kernel void matmul(int n, __global const float *restrict a, __global const float *restrict b,\n"
    "                     __global float *restrict c) {\n"
    "  int column = get_global_id(0), row = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    sum += a[row * n + k] * b[k * n + column];\n"
    "  c[row * n + column] = sum;\n"
    "}\n"
    "__kernel void guarded(int n, __global const float *restrict a, __global const float *restrict b,\n"
    "                      __global float *restrict c) {\n"
    "  int column = get_global_id(0), row = get_global_id(1);\n"
    "  if (row >= n || column >= n)\n"
    "    return;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    sum += a[row * n + k] * b[k * n + column];\n"
    "  c[row * n + column] = sum;\n"
    "}\n"
    "__kernel void tiled(int n, __global const float *restrict a, __global const float *restrict b,\n"
    "                    __global float *restrict c) {\n"
    "  __local float as[TILE][TILE], bs[TILE][TILE];\n"
    "  int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int first = 0; first < n; first += TILE) {\n"
    "    as[y][x] = a[row * n + first + x];\n"
    "    bs[y][x] = b[(first + y) * n + column];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < TILE; k++)\n"
    "      sum += as[y][k] * bs[k][x];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  c[row * n + column] = sum;\n"
    "}\n";

static const char *const names[KERNELS] = { "saxpy", "stencil", "matmul", "guarded", "tiled" };

static sizes size;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernels[KERNELS];
static cl_mem a, b, c;

static bool good(cl_int code, const char *what) {
  if (code != CL_SUCCESS)
    fprintf(stderr, "vptr-bench: by hand: %s: OpenCL error %d\n", what, code);
  return code == CL_SUCCESS;
}

static bool build(cl_device_id device) {
  const char *text = source;
  char options[64];
  cl_int code;
  snprintf(options, sizeof options, "-cl-std=CL1.2 -DBLOCK=%d -DRADIUS=%d -DTILE=%d", BLOCK, RADIUS, TILE);
  program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  if (!good(code, "clCreateProgramWithSource") ||
      !good(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram"))
    return false;
  for (int i = 0; i < KERNELS; i++) {
    kernels[i] = clCreateKernel(program, names[i], &code);
    if (!good(code, "clCreateKernel"))
      return false;
  }
  return true;
}

static bool set_arguments(void) {
  const float factor = 0.5f;
  cl_int code = clSetKernelArg(kernels[SAXPY], 0, sizeof(int), &size.vector);
  code |= clSetKernelArg(kernels[SAXPY], 1, sizeof(float), &factor);
  code |= clSetKernelArg(kernels[SAXPY], 2, sizeof a, &a);
  code |= clSetKernelArg(kernels[SAXPY], 3, sizeof c, &c);
  code |= clSetKernelArg(kernels[STENCIL], 0, sizeof a, &a);
  code |= clSetKernelArg(kernels[STENCIL], 1, sizeof c, &c);
  code |= clSetKernelArg(kernels[STENCIL], 2, sizeof(int), &size.vector);
  for (int i = MATMUL; i <= TILED; i++) {
    code |= clSetKernelArg(kernels[i], 0, sizeof(int), &size.matrix);
    code |= clSetKernelArg(kernels[i], 1, sizeof a, &a);
    code |= clSetKernelArg(kernels[i], 2, sizeof b, &b);
    code |= clSetKernelArg(kernels[i], 3, sizeof c, &c);
  }
  return good(code, "clSetKernelArg");
}

static bool make_buffers(const float *host_a, const float *host_b) {
  size_t square = (size_t)size.matrix * (size_t)size.matrix, vector = (size_t)size.vector;
  size_t bytes = (square > vector ? square : vector) * sizeof(float);
  cl_int codes[3];
  cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  a = clCreateBuffer(context, flags, bytes, (void *)host_a, &codes[0]);
  b = clCreateBuffer(context, flags, bytes, (void *)host_b, &codes[1]);
  c = clCreateBuffer(context, flags, bytes, (void *)host_b, &codes[2]);
  return good(codes[0], "clCreateBuffer") && good(codes[1], "clCreateBuffer") && good(codes[2], "clCreateBuffer");
}

bool by_hand_open(sizes of, const float *host_a, const float *host_b) {
  vptr_mapper *mapper;
  cl_int code;
  size = of;
  if (vptr_mapper_create(NULL, &mapper) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-bench: by hand: %s\n", vptr_last_error());
    return false;
  }
  cl_device_id device = vptr_get_device(mapper);
  vptr_mapper_destroy(mapper);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  if (!good(code, "clCreateContext"))
    return false;
  queue = clCreateCommandQueue(context, device, 0, &code);
  return good(code, "clCreateCommandQueue") && build(device) && make_buffers(host_a, host_b) && set_arguments();
}

bool by_hand_launch(int which) {
  size_t vector = (size_t)size.vector, matrix = (size_t)size.matrix;
  const size_t block = BLOCK, tile[2] = { TILE, TILE }, square[2] = { matrix, matrix };
  if (which == SAXPY || which == STENCIL)
    return good(clEnqueueNDRangeKernel(queue, kernels[which], 1, NULL, &vector, &block, 0, NULL, NULL),
                "clEnqueueNDRangeKernel");
  return good(clEnqueueNDRangeKernel(queue, kernels[which], 2, NULL, square, tile, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
}

bool by_hand_wait(void) {
  return good(clFinish(queue), "clFinish");
}

bool by_hand_read(float *host, size_t count) {
  return good(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, count * sizeof *host, host, 0, NULL, NULL),
              "clEnqueueReadBuffer");
}

void by_hand_close(void) {
  const cl_mem buffers[] = { a, b, c };
  for (int i = 0; i < 3; i++)
    if (buffers[i] != NULL)
      clReleaseMemObject(buffers[i]);
  for (int i = 0; i < KERNELS; i++)
    if (kernels[i] != NULL)
      clReleaseKernel(kernels[i]);
  if (program != NULL)
    clReleaseProgram(program);
  if (queue != NULL)
    clReleaseCommandQueue(queue);
  if (context != NULL)
    clReleaseContext(context);
}
