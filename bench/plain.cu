/* SPDX-License-Identifier: MIT */
/*
 * plain - kernels without barriers that do little for each thread, as loops over a block's threads and as work-items:
 * microseconds of the processors' time a launch, and the ratio.
 *
 *     vptrcc -O2 plain.cu -o plain && ./plain 8 15     on a device of type CPU, where VPTR_THREADS decides
 *     ./plain 8 15 "sum of 0"                          that kernel alone
 *
 * Two processes wait, one for each form, and are asked in turns for a sample: as many launches as take 10 ms. A form's
 * figure is the least of so many samples (8 if no number is given) of the time that its process got from all
 * processors, so that other programs disturb it little. Both forms must give the same numbers.
 *
 * Where a process's memory lies decides how its caches take it: a kernel that does nothing but write has 22 us in one
 * process and 37 in the next, in either form. So there are so many pairs of processes (15 if no number is given),
 * and what is printed is the median of their figures and of their ratios.
 */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "program.h"

enum { BLOCK = 256, TILE = 16, SIDE = 1024, COUNT = SIDE * SIDE, FORMS = 2 };

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + 0.5f * y[i];
}

/* A sum of so many neighbours in a row. */
__global__ void row_sum(int n, int width, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < width; k++)
    sum += in[i + k];
  out[i] = sum;
}

/* The mean of 3 x 3 neighbours in each of many images, each blockIdx.z, without their borders. */
__global__ void blur(int w, int h, const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  in += blockIdx.z * w * h;
  out += blockIdx.z * w * h;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      sum += in[(y + j) * w + x + i];
  out[y * w + x] = sum / 9;
}

static const struct row {
  const char *name;
  int kernel, number; /* of saxpy, row_sum, blur: the elements, the neighbours, the image's side */
} rows[] = {
  { "saxpy", 0, COUNT / 4 },   { "sum of 9", 1, 9 },         { "sum of 3", 1, 3 },         { "sum of 1", 1, 1 },
  { "sum of 0", 1, 0 },        { "image of 1024", 2, 1024 }, { "images of 64", 2, 64 },    { "images of 32", 2, 32 },
  { "images of 16", 2, 16 },
};
enum { ROWS = sizeof rows / sizeof *rows };

static float *in, *out;

static void launch(const row &which) {
  const int n = which.number;
  if (which.kernel == 0)
    saxpy<<<n / BLOCK, BLOCK>>>(n - 7, 0.25f, in, out);
  else if (which.kernel == 1)
    row_sum<<<COUNT / 4 / BLOCK, BLOCK>>>(COUNT / 4 - 7, n, in, out);
  else
    blur<<<dim3(n / TILE, n / TILE, COUNT / n / n), dim3(TILE, TILE)>>>(n, n, in, out);
}

/* ---- one form ----------------------------------------------------------------------------------------------- */

/* What one process tells of a row. */
struct figure {
  double microseconds, sum;
};

static double processor_time() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static double processor_sample(const row &which, int launches) {
  double begin = processor_time();
  for (int i = 0; i < launches; i++)
    launch(which);
  must(cudaGetLastError(), which.name);
  must(cudaDeviceSynchronize(), which.name);
  return (processor_time() - begin) / launches;
}

static double sum_of_results(const row &which) {
  std::vector<float> results(COUNT);
  must(cudaMemset(out, 0, COUNT * sizeof(float)), which.name);
  launch(which);
  must(cudaMemcpy(results.data(), out, COUNT * sizeof(float), cudaMemcpyDeviceToHost), which.name);
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += results[i] * (1 + i % 11);
  return sum;
}

static void be_form(const char *form, int from, int to) {
  int which, launches[ROWS] = { 0 };
  setenv("VPTR_THREADS", form, 1);
  std::vector<float> values(COUNT + BLOCK);
  for (size_t i = 0; i < values.size(); i++)
    values[i] = (float)(i % 17) / 16 - 0.5f;
  must(cudaMalloc((void **)&in, values.size() * sizeof(float)), "cudaMalloc");
  must(cudaMalloc((void **)&out, COUNT * sizeof(float)), "cudaMalloc");
  must(cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  while (read(from, &which, sizeof which) == sizeof which) {
    figure told = { 0, 0 };
    if (launches[which] == 0) {
      told.sum = sum_of_results(rows[which]);
      processor_sample(rows[which], 2);
      launches[which] = std::max(1, (int)(10000 / processor_sample(rows[which], 4)));
    }
    told.microseconds = processor_sample(rows[which], launches[which]);
    if (write(to, &told, sizeof told) != sizeof told)
      exit(1);
  }
  exit(0);
}

/* ---- both --------------------------------------------------------------------------------------------------- */

static const char *const forms[FORMS] = { "items", "loops" };
static int ask[FORMS], hear[FORMS];

static void begin_form(int form) {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) {
    perror("plain: pipe");
    exit(1);
  }
  if (fork() == 0) {
    close(down[1]), close(up[0]);
    for (int i = 0; i < form; i++)
      close(ask[i]), close(hear[i]);
    be_form(forms[form], down[0], up[1]);
  }
  close(down[0]), close(up[1]);
  ask[form] = down[1], hear[form] = up[0];
}

static figure figure_of(int form, int which) {
  figure told;
  if (write(ask[form], &which, sizeof which) != sizeof which || read(hear[form], &told, sizeof told) != sizeof told) {
    fprintf(stderr, "plain: %s: the process of %s has ended\n", rows[which].name, forms[form]);
    exit(1);
  }
  return told;
}

/* Of one pair of processes: what a launch takes in each form. */
static void measure(int which, int samples, double microseconds[FORMS]) {
  figure least[FORMS];
  for (int form = 0; form < FORMS; form++)
    least[form] = figure_of(form, which);
  if (std::abs(least[0].sum - least[1].sum) > 1e-4 * std::abs(least[0].sum)) {
    fprintf(stderr, "plain: %s: %g as items, %g as loops\n", rows[which].name, least[0].sum, least[1].sum);
    exit(1);
  }
  for (int i = 1; i < samples; i++)
    for (int turn = 0; turn < FORMS; turn++) {
      int form = (i + turn) % FORMS;
      least[form].microseconds = std::min(least[form].microseconds, figure_of(form, which).microseconds);
    }
  for (int form = 0; form < FORMS; form++)
    microseconds[form] = least[form].microseconds;
}

static void measure_pair(int samples, const char *kernel, std::vector<double> found[ROWS][FORMS + 1]) {
  for (int form = 0; form < FORMS; form++)
    begin_form(form);
  for (int which = 0; which < ROWS; which++) {
    double microseconds[FORMS];
    if (kernel != NULL && strcmp(kernel, rows[which].name) != 0)
      continue;
    measure(which, samples, microseconds);
    for (int form = 0; form < FORMS; form++)
      found[which][form].push_back(microseconds[form]);
    found[which][FORMS].push_back(microseconds[1] / microseconds[0]);
  }
  for (int form = 0; form < FORMS; form++)
    close(ask[form]), close(hear[form]);
  while (wait(NULL) > 0)
    continue;
}

static double median_of(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main(int argc, char **argv) {
  static std::vector<double> found[ROWS][FORMS + 1];
  const int samples = argc > 1 ? atoi(argv[1]) : 8, pairs = argc > 2 ? atoi(argv[2]) : 15;
  if (samples < 1 || pairs < 1) {
    fprintf(stderr, "usage: plain [SAMPLES [PAIRS [KERNEL]]]\n");
    return 2;
  }
  for (int pair = 0; pair < pairs; pair++)
    measure_pair(samples, argc > 3 ? argv[3] : NULL, found);
  printf("%-14s %12s %12s %7s %15s\n", "kernel", "items us", "loops us", "ratio", "least, greatest");
  for (int which = 0; which < ROWS; which++) {
    std::vector<double> *of = found[which];
    if (of[0].empty())
      continue;
    const double items = median_of(of[0]), loops = median_of(of[1]), ratio = median_of(of[FORMS]);
    printf("%-14s %12.2f %12.2f %7.2f %8.2f, %5.2f\n", rows[which].name, items, loops, ratio, of[FORMS].front(),
           of[FORMS].back());
  }
  return 0;
}
