/* SPDX-License-Identifier: MIT */
/*
 * eigen - Eigen's tensors on the device: standardises the columns of a table and finds their correlations; each step is
 * compared with the same expression on the CPU. And a kernel that has Eigen's small matrices as values: it turns points.
 */
#define EIGEN_USE_GPU
#include <Eigen/Dense>
#include <unsupported/Eigen/CXX11/Tensor>

#include <cmath>
#include <cstdio>

typedef Eigen::Tensor<float, 2> table;
enum { ROWS = 500, COLUMNS = 24, POINTS = 1000 };

static int wrong;

static void tell(const char *step, double difference, double most) {
  printf("%-24s differs by %.1e from the CPU's\n", step, difference);
  wrong += !(difference <= most);
}

/* The same text for both devices. */
template <class Device, class In, class Out> void standardise(const Device &device, const In &in, Out &out) {
  Eigen::array<int, 1> by_rows = { 0 };
  Eigen::array<int, 2> as_row = { 1, COLUMNS }, all_rows = { ROWS, 1 };
  auto centred = in - in.mean(by_rows).eval().reshape(as_row).broadcast(all_rows);
  auto size = centred.square().mean(by_rows).sqrt().eval();
  out.device(device) = centred / size.reshape(as_row).broadcast(all_rows);
}

template <class Device, class In, class Out> void correlate(const Device &device, const In &in, Out &out) {
  Eigen::array<Eigen::IndexPair<int>, 1> rows_with_rows = { Eigen::IndexPair<int>(0, 0) };
  out.device(device) = in.contract(in, rows_with_rows) * (1.0f / ROWS);
}

static double difference_of(const table &here, const float *device) {
  table there(here.dimensions());
  double most = 0;
  cudaMemcpy(there.data(), device, (size_t)here.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < here.size(); i++)
    most = std::fmax(most, std::fabs((double)here.data()[i] - there.data()[i]));
  return most;
}

static void tensors() {
  table in(ROWS, COLUMNS), standard(ROWS, COLUMNS), correlations(COLUMNS, COLUMNS);
  Eigen::DefaultDevice cpu;
  in.setRandom();
  for (int i = 0; i < ROWS; i++)
    in(i, 1) = in(i, 0) + 0.1f * in(i, 1);
  standardise(cpu, in, standard);
  correlate(cpu, standard, correlations);

  float *a, *b, *c;
  Eigen::GpuStreamDevice stream;
  Eigen::GpuDevice gpu(&stream);
  cudaMalloc(&a, sizeof(float) * ROWS * COLUMNS);
  cudaMalloc(&b, sizeof(float) * ROWS * COLUMNS);
  cudaMalloc(&c, sizeof(float) * COLUMNS * COLUMNS);
  cudaMemcpy(a, in.data(), sizeof(float) * ROWS * COLUMNS, cudaMemcpyHostToDevice);
  Eigen::TensorMap<table> there(a, ROWS, COLUMNS), out(b, ROWS, COLUMNS), products(c, COLUMNS, COLUMNS);
  standardise(gpu, there, out);
  correlate(gpu, out, products);
  gpu.synchronize();
  tell("standardised columns", difference_of(standard, b), 1e-4);
  tell("correlations", difference_of(correlations, c), 1e-4);
  cudaFree(a), cudaFree(b), cudaFree(c);
}

__global__ void turn(Eigen::Vector3d *points, Eigen::Matrix3d by, int count) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    points[i] = by * points[i] + Eigen::Vector3d(0, 0, 1);
}

static void matrices() {
  static Eigen::Vector3d here[POINTS], there[POINTS];
  Eigen::Matrix3d by = Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  Eigen::Vector3d *device;
  double most = 0;
  for (Eigen::Vector3d &each : here)
    each.setRandom();
  cudaMalloc(&device, sizeof here);
  cudaMemcpy(device, here, sizeof here, cudaMemcpyHostToDevice);
  turn<<<(POINTS + 63) / 64, 64>>>(device, by, POINTS);
  cudaMemcpy(there, device, sizeof there, cudaMemcpyDeviceToHost);
  for (int i = 0; i < POINTS; i++)
    most = std::fmax(most, (by * here[i] + Eigen::Vector3d(0, 0, 1) - there[i]).norm());
  tell("turned points", most, 1e-12);
  cudaFree(device);
}

int main() {
  tensors();
  matrices();
  if (cudaGetLastError() != cudaSuccess)
    wrong++;
  return wrong != 0;
}
