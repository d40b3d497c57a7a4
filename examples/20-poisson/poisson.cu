/* SPDX-License-Identifier: MIT */
/*
 * poisson - Poisson's equation by Fourier transforms, as simulation codes solve it with cuFFT: forward, a division by what
 * the operator does to each wave, and back.
 *
 * On a torus the operator is the derivative itself, and the answer is known in closed form: cufftPlan2d(), real to
 * complex and back. On a square whose edge is held at zero it is the difference of five points, and the waves are sines:
 * the right side is continued as an odd function to twice the width, along one axis at a time, and cufftPlanMany()
 * transforms all lines of it at once, the second time with lines that lie across (a stride of one line). There the CPU
 * applies the operator to the answer, which must give back the right side.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cufft.h>

enum { WIDTH = 64, HEIGHT = 48, WAVES = WIDTH / 2 + 1 }; /* the torus; waves that a real line has */
enum { INSIDE = 59, ODD = 2 * (INSIDE + 1) };            /* the square; a line continued, with a zero at each turn */
enum { BLOCK = 64 };
#define PI 3.14159265358979323846

#define CHECK(call)                                                                                                   \
  do {                                                                                                                \
    int status_ = (int)(call);                                                                                        \
    if (status_ != 0) {                                                                                               \
      fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);                                  \
      exit(1);                                                                                                        \
    }                                                                                                                 \
  } while (0)
#define BLOCKS(count) (((count) + BLOCK - 1) / BLOCK)

/* ---- the torus ---------------------------------------------------------------------------------------------------- */

/* Waves of both signs lie behind each other, but along the axis that was real, which has one of each pair. */
__global__ void divide_by_squares(double2 *waves) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= HEIGHT * WAVES)
    return;
  int across = i % WAVES, along = i / WAVES;
  if (along > HEIGHT / 2)
    along -= HEIGHT;
  double square = (double)across * across + (double)along * along;
  /* The mean is what the equation does not say: it is 0. Transforms there and back multiply by the number of points. */
  double factor = i == 0 ? 0 : 1 / (square * WIDTH * HEIGHT);
  waves[i].x *= factor;
  waves[i].y *= factor;
}

/* exp(sin x + cos y), and what minus the second derivatives of it are. */
static double potential(double x, double y) {
  return exp(sin(x) + cos(y));
}

static double charge(double x, double y) {
  return -potential(x, y) * (cos(x) * cos(x) - sin(x) + sin(y) * sin(y) - cos(y));
}

static bool solve_on_torus() {
  std::vector<double> host(WIDTH * HEIGHT), wanted(WIDTH * HEIGHT);
  double mean = 0, worst = 0;
  for (int j = 0; j < HEIGHT; j++)
    for (int i = 0; i < WIDTH; i++) {
      double x = 2 * PI * i / WIDTH, y = 2 * PI * j / HEIGHT;
      host[j * WIDTH + i] = charge(x, y);
      wanted[j * WIDTH + i] = potential(x, y);
      mean += potential(x, y) / (WIDTH * HEIGHT);
    }
  double *values;
  cufftDoubleComplex *waves;
  cufftHandle forward, back;
  CHECK(cudaMalloc((void **)&values, host.size() * sizeof(double)));
  CHECK(cudaMalloc((void **)&waves, HEIGHT * WAVES * sizeof(cufftDoubleComplex)));
  CHECK(cudaMemcpy(values, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cufftPlan2d(&forward, HEIGHT, WIDTH, CUFFT_D2Z));
  CHECK(cufftPlan2d(&back, HEIGHT, WIDTH, CUFFT_Z2D));
  CHECK(cufftExecD2Z(forward, values, waves));
  divide_by_squares<<<BLOCKS(HEIGHT * WAVES), BLOCK>>>(waves);
  CHECK(cudaGetLastError());
  CHECK(cufftExecZ2D(back, waves, values));
  CHECK(cudaMemcpy(host.data(), values, host.size() * sizeof(double), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < host.size(); i++)
    worst = fmax(worst, fabs(host[i] - (wanted[i] - mean)));
  printf("torus of %d by %d: the answer differs from the known one by %.1e\n", WIDTH, HEIGHT, worst);
  CHECK(cufftDestroy(forward));
  CHECK(cufftDestroy(back));
  CHECK(cudaFree(values));
  CHECK(cudaFree(waves));
  return worst < 1e-10;
}

/* ---- the square --------------------------------------------------------------------------------------------------- */

/* An odd function's value at a place of the continued line, from those inside; `step` is from one to the next. */
__device__ double odd_value(const double *inside, int step, int place) {
  if (place == 0 || place == INSIDE + 1)
    return 0;
  return place <= INSIDE ? inside[(place - 1) * step] : -inside[(ODD - place - 1) * step];
}

/* Lines of ODD numbers along x, one for each line inside. */
__global__ void continue_along_x(const double *inside, double2 *lines) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= INSIDE * ODD)
    return;
  lines[i].x = odd_value(inside + i / ODD * INSIDE, 1, i % ODD);
  lines[i].y = 0;
}

/* Lines along y, which lie across: one for each column inside, and a number of each beside those of the others. */
__global__ void continue_along_y(const double *inside, double2 *lines) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= ODD * INSIDE)
    return;
  lines[i].x = odd_value(inside + i % INSIDE, INSIDE, i / INSIDE);
  lines[i].y = 0;
}

/* Of an odd real line all waves are imaginary, -2 times the sine transform: what is left of it lies inside again. */
__global__ void take_sines_along_x(const double2 *lines, double *inside) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < INSIDE * INSIDE)
    inside[i] = -lines[i / INSIDE * ODD + i % INSIDE + 1].y / 2;
}

__global__ void take_sines_along_y(const double2 *lines, double *inside) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < INSIDE * INSIDE)
    inside[i] = -lines[i + INSIDE].y / 2;
}

/* What five points make of a pair of sines; and a sine transform, done twice, multiplies by (INSIDE + 1) / 2. */
__global__ void divide_by_differences(double *sines) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= INSIDE * INSIDE)
    return;
  double along_x = sin(0.5 * PI * (i % INSIDE + 1) / (INSIDE + 1));
  double along_y = sin(0.5 * PI * (i / INSIDE + 1) / (INSIDE + 1)), twice = 0.5 * (INSIDE + 1);
  sines[i] /= 4 * (along_x * along_x + along_y * along_y) * twice * twice;
}

struct sines {
  cufftHandle along_x, along_y;
  double *inside;
  cufftDoubleComplex *lines;
};

static void transform(const sines &it) {
  continue_along_x<<<BLOCKS(INSIDE * ODD), BLOCK>>>(it.inside, it.lines);
  CHECK(cufftExecZ2Z(it.along_x, it.lines, it.lines, CUFFT_FORWARD));
  take_sines_along_x<<<BLOCKS(INSIDE * INSIDE), BLOCK>>>(it.lines, it.inside);
  continue_along_y<<<BLOCKS(INSIDE * ODD), BLOCK>>>(it.inside, it.lines);
  CHECK(cufftExecZ2Z(it.along_y, it.lines, it.lines, CUFFT_FORWARD));
  take_sines_along_y<<<BLOCKS(INSIDE * INSIDE), BLOCK>>>(it.lines, it.inside);
  CHECK(cudaGetLastError());
}

/* The largest difference of the right side from four times a point less its neighbours, and zeros around the square. */
static double residual(const std::vector<double> &u, const std::vector<double> &right) {
  double worst = 0;
  for (int j = 0; j < INSIDE; j++)
    for (int i = 0; i < INSIDE; i++) {
      int here = j * INSIDE + i;
      double sum = 4 * u[here];
      sum -= (i > 0 ? u[here - 1] : 0) + (i < INSIDE - 1 ? u[here + 1] : 0);
      sum -= (j > 0 ? u[here - INSIDE] : 0) + (j < INSIDE - 1 ? u[here + INSIDE] : 0);
      worst = fmax(worst, fabs(sum - right[here]));
    }
  return worst;
}

static bool solve_on_square() {
  std::vector<double> right(INSIDE * INSIDE, 0.0), answer(INSIDE * INSIDE);
  for (int j = 0; j < INSIDE; j++)
    for (int i = 0; i < INSIDE; i++)
      right[j * INSIDE + i] = 0.01 * ((7 * i + 3 * j) % 11 - 5);
  right[20 * INSIDE + 13] = 30; /* two charges */
  right[41 * INSIDE + 44] = -20;
  sines it;
  int length[1] = { ODD };
  CHECK(cudaMalloc((void **)&it.inside, right.size() * sizeof(double)));
  CHECK(cudaMalloc((void **)&it.lines, INSIDE * ODD * sizeof(cufftDoubleComplex)));
  CHECK(cudaMemcpy(it.inside, right.data(), right.size() * sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cufftPlanMany(&it.along_x, 1, length, NULL, 1, ODD, NULL, 1, ODD, CUFFT_Z2Z, INSIDE));
  CHECK(cufftPlanMany(&it.along_y, 1, length, length, INSIDE, 1, length, INSIDE, 1, CUFFT_Z2Z, INSIDE));
  transform(it);
  divide_by_differences<<<BLOCKS(INSIDE * INSIDE), BLOCK>>>(it.inside);
  transform(it);
  CHECK(cudaMemcpy(answer.data(), it.inside, answer.size() * sizeof(double), cudaMemcpyDeviceToHost));
  double worst = residual(answer, right);
  printf("square of %d by %d: between the charges it is %.6f and %.6f; the CPU finds what it solves off by %.1e\n",
         INSIDE, INSIDE, answer[20 * INSIDE + 13], answer[41 * INSIDE + 44], worst);
  CHECK(cufftDestroy(it.along_x));
  CHECK(cufftDestroy(it.along_y));
  CHECK(cudaFree(it.inside));
  CHECK(cudaFree(it.lines));
  return worst < 1e-10;
}

int main() {
  bool torus = solve_on_torus(), square = solve_on_square();
  return !(torus && square);
}
