/* SPDX-License-Identifier: MIT */
/*
 * translate - see translate.h.
 *
 * The text is one that programs have: structs, device functions with loops and conditions, kernels with shared memory
 * and atomics, in groups of the same lines under other names. What the built-in headers cost is in it each time, so a
 * row of 0 lines shows that.
 */
#include "translate.h"

#include <nvrtc.h>

#include "clock.h"
#include "report.h"

#include <math.h>
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

static const size_t line_counts[] = { 0, 100, 1000, 10000 };
enum { COUNTS = sizeof line_counts / sizeof *line_counts };

static const report_column columns[] = {
  { "lines", "lines", 8, 0, REPORT_IN_ALL },
  { "ms", "ms", 10, 2, REPORT_IN_ALL },
  { "+-%", "spread_percent", 5, 0, REPORT_IN_TABLE },
  { "", "ms_low", 0, 3, REPORT_IN_DATA },
  { "", "ms_high", 0, 3, REPORT_IN_DATA },
  { "us a line", "us_per_line", 10, 2, REPORT_IN_ALL },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* `lines` lines or some more: groups are whole. */
static char *make_text(size_t lines, size_t *lines_out) {
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

static bool translate_once(const char *text) {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, text, "bench.cu", 0, NULL, NULL) != NVRTC_SUCCESS)
    return false;
  nvrtcResult result = nvrtcCompileProgram(program, 0, NULL);
  size_t length;
  if (result != NVRTC_SUCCESS && nvrtcGetProgramLogSize(program, &length) == NVRTC_SUCCESS) {
    char *log = calloc(1, length + 1);
    if (log != NULL && nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS)
      fprintf(stderr, "vptr-bench: translating failed: %s\n", log);
    free(log);
  }
  nvrtcDestroyProgram(&program);
  return result == NVRTC_SUCCESS;
}

static bool measure(const options *wanted, report *report, size_t wanted_lines) {
  size_t lines;
  char *text = make_text(wanted_lines, &lines);
  double *samples = malloc(wanted->repetitions * sizeof *samples);
  bool good = text != NULL && samples != NULL && translate_once(text);
  for (size_t i = 0; good && i < wanted->repetitions; i++) {
    uint64_t begin = clock_ns();
    good = translate_once(text);
    samples[i] = (double)clock_since(begin) / 1e6;
  }
  if (good) {
    summary of = summary_of(samples, wanted->repetitions);
    report_cell cells[COLUMNS] = { report_number((double)lines),
                                   report_number(of.median),
                                   report_number(summary_spread_percent(&of)),
                                   report_number(of.low),
                                   report_number(of.high),
                                   report_number(lines > 0 ? of.median * 1e3 / (double)lines : (double)NAN) };
    report_row(report, cells);
  }
  free(samples);
  free(text);
  return good;
}

bool translate_run(const options *wanted) {
  report report;
  bool good = true;
  report_begin(&report, wanted->format, columns, COLUMNS);
  report_note(&report, "text", "structs, device functions, kernels with shared memory and atomics");
  for (size_t i = 0; good && i < COUNTS; i++)
    good = measure(wanted, &report, line_counts[i]);
  report_end(&report);
  return good;
}
