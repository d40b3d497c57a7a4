/* SPDX-License-Identifier: MIT */
/* cuda_text - see cuda_text.h. */
#include "cuda_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] =
    "struct particle_%zu {\n"
    "  float3 place, speed;\n"
    "  float mass;\n"
    "  int cell;\n"
    "};\n"
    "\n"
    "__constant__ float limits_%zu[4] = { 0.5f, 1.5f, -2, 1e-3f };\n"
    "__device__ unsigned long long moved_%zu;\n"
    "\n"
    "/* The energy of one, with what holds it. */\n"
    "__host__ __device__ inline float energy_%zu(const struct particle_%zu &p, float g = 9.81f) {\n"
    "  float square = p.speed.x * p.speed.x + p.speed.y * p.speed.y + p.speed.z * p.speed.z;\n"
    "  return 0.5f * p.mass * square + p.mass * g * p.place.z;\n"
    "}\n"
    "\n"
    "__device__ static int cell_of_%zu(float3 place, int side) {\n"
    "  int x = (int)floorf(place.x / limits_%zu[1]), y = (int)floorf(place.y / limits_%zu[1]);\n"
    "  if (x < 0 || y < 0 || x >= side || y >= side)\n"
    "    return -1;\n"
    "  return y * side + x;\n"
    "}\n"
    "\n"
    "__global__ void __launch_bounds__(128) step_%zu(struct particle_%zu *all, int count, float dt, int side, float "
    "*total) {\n"
    "  __shared__ float part[128];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  float sum = 0;\n"
    "  for (int k = i; k < count; k += gridDim.x * blockDim.x) {\n"
    "    struct particle_%zu p = all[k];\n"
    "    p.place.x += p.speed.x * dt;\n"
    "    p.place.y += p.speed.y * dt;\n"
    "    p.place.z = fmaxf(p.place.z + p.speed.z * dt, limits_%zu[0]);\n"
    "    switch (p.cell & 3) {\n"
    "    case 0: p.speed.x *= -1; break;\n"
    "    case 1: p.speed.y += sinf(p.place.x) * dt; break;\n"
    "    default: p.speed.z -= 9.81f * dt;\n"
    "    }\n"
    "    p.cell = cell_of_%zu(p.place, side);\n"
    "    if (p.cell < 0)\n"
    "      atomicAdd(&moved_%zu, 1ull);\n"
    "    sum += energy_%zu(p);\n"
    "    all[k] = p;\n"
    "  }\n"
    "  part[threadIdx.x] = sum;\n"
    "  __syncthreads();\n"
    "  for (int half = blockDim.x / 2; half > 0; half >>= 1) {\n"
    "    if (threadIdx.x < half)\n"
    "      part[threadIdx.x] += part[threadIdx.x + half];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  if (threadIdx.x == 0)\n"
    "    total[blockIdx.x] = part[0];\n"
    "}\n";

char *cuda_text_make(size_t lines, size_t *lines_out) {
  size_t lines_of_group = 0, groups, room, used = 0;
  for (const char *at = group; (at = strchr(at, '\n')) != NULL; at++)
    lines_of_group++;
  groups = (lines + lines_of_group - 1) / lines_of_group;
  room = groups * (sizeof group + 400) + 1;
  char *text = malloc(room);
  if (text == NULL)
    return NULL;
  text[0] = '\0';
  for (size_t i = 0; i < groups; i++) {
    for (const char *at = group; *at != '\0';) {
      size_t plain = strcspn(at, "%");
      memcpy(text + used, at, plain);
      used += plain;
      at += plain;
      if (strncmp(at, "%zu", 3) == 0) {
        used += (size_t)sprintf(text + used, "%zu", i);
        at += 3;
      } else if (*at == '%') {
        text[used++] = *at++;
      }
    }
  }
  text[used] = '\0';
  *lines_out = groups * lines_of_group;
  return text;
}
