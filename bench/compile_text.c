/* SPDX-License-Identifier: MIT */
/* compile_text - see compile_text.h. */
#include "compile_text.h"

#include <string.h>

#include "cuda_text.h"

enum { LARGE = 1000 };

static const char saxpy[] =
    "extern \"C\" __global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    y[i] = a * x[i] + y[i];\n"
    "}\n";

static const char stencil[] =
    "enum { BLOCK = 256, RADIUS = 4 };\n"
    "\n"
    "extern \"C\" __global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int n) {\n"
    "  __shared__ float part[BLOCK + 2 * RADIUS];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n"
    "  part[t + RADIUS] = in[i];\n"
    "  if (t < RADIUS) {\n"
    "    part[t] = i < RADIUS ? 0 : in[i - RADIUS];\n"
    "    part[t + RADIUS + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;\n"
    "  }\n"
    "  __syncthreads();\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k <= 2 * RADIUS; k++)\n"
    "    sum += part[t + k];\n"
    "  out[i] = sum;\n"
    "}\n";

static const char tiled[] =
    "enum { TILE = 16 };\n"
    "\n"
    "extern \"C\" __global__ void tiled(int n, const float *__restrict__ a, const float *__restrict__ b,\n"
    "                                 float *__restrict__ c) {\n"
    "  __shared__ float as[TILE][TILE], bs[TILE][TILE];\n"
    "  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;\n"
    "  float sum = 0;\n"
    "  for (int first = 0; first < n; first += TILE) {\n"
    "    as[y][x] = a[row * n + first + x];\n"
    "    bs[y][x] = b[(first + y) * n + column];\n"
    "    __syncthreads();\n"
    "    for (int k = 0; k < TILE; k++)\n"
    "      sum += as[y][k] * bs[k][x];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  c[row * n + column] = sum;\n"
    "}\n";

static const char reduction[] = "template <typename T, int THREADS> __device__ T sum_of(T mine) {\n"
                                "  __shared__ T part[THREADS];\n"
                                "  part[threadIdx.x] = mine;\n"
                                "  __syncthreads();\n"
                                "  for (int half = THREADS / 2; half > 0; half /= 2) {\n"
                                "    if (threadIdx.x < half)\n"
                                "      part[threadIdx.x] += part[threadIdx.x + half];\n"
                                "    __syncthreads();\n"
                                "  }\n"
                                "  return part[0];\n"
                                "}\n"
                                "\n"
                                "template <typename T> __global__ void reduction(const T *in, T *out) {\n"
                                "  T sum = sum_of<T, 256>(in[blockIdx.x * 256 + threadIdx.x]);\n"
                                "  if (threadIdx.x == 0)\n"
                                "    out[blockIdx.x] = sum;\n"
                                "}\n"
                                "template __global__ void reduction(const float *, float *);\n"
                                "template __global__ void reduction(const int *, int *);\n";

static const struct {
  const char *name, *text; /* text NULL: it is made */
  bool is_cxx;
} rows[COMPILE_TEXTS] = {
  { "saxpy", saxpy, false },    { "stencil", stencil, false },   { "tiled", tiled, false },
  { "particles", NULL, false }, { "template", reduction, true },
};

bool compile_text_make(size_t which, compile_text *text_out) {
  const char *text = rows[which].text;
  *text_out = (compile_text){ .name = rows[which].name, .is_cxx = rows[which].is_cxx };
  if (text == NULL)
    text_out->text = cuda_text_make(LARGE, &text_out->lines);
  else
    text_out->text = strdup(text);
  for (const char *at = text; at != NULL && *at != '\0'; at++)
    text_out->lines += *at == '\n';
  return text_out->text != NULL;
}
