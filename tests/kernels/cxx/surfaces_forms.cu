/* SPDX-License-Identifier: MIT */
/*
 * surfaces_forms - surfaces of every shape, written and read by kernels: one, two and three dimensions and layers, with
 * elements of 1 to 16 bytes; x counts bytes.
 */
#include "texel.h"

enum { WIDTH = 12, HEIGHT = 5, DEPTH = 3, COUNT = WIDTH * HEIGHT * DEPTH };

template <class T> __host__ __device__ inline T number(int x, int y, int z) { return (T)(x + 20 * y + 7 * z); }

__global__ void write_1d(cudaSurfaceObject_t s) {
  surf1Dwrite<float>(number<float>((int)threadIdx.x, 0, 0), s, (int)threadIdx.x * 4);
}
__global__ void write_2d(cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  surf2Dwrite<float>(number<float>(x, y, 0), s, x * 4, y);
}
__global__ void write_3d(cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x, z = (int)blockIdx.y;
  surf3Dwrite<float>(number<float>(x, y, z), s, x * 4, y, z);
}
__global__ void write_rows(cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x, z = (int)blockIdx.y;
  surf1DLayeredwrite<float>(number<float>(x, 0, z), s, x * 4, z);
}
__global__ void write_planes(cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x, z = (int)blockIdx.y;
  surf2DLayeredwrite<float>(number<float>(x, y, z), s, x * 4, y, z);
}
__global__ void read_all(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaSurfaceObject_t space,
                         cudaSurfaceObject_t rows, cudaSurfaceObject_t planes, float *out) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x, z = (int)blockIdx.y, i = (z * HEIGHT + y) * WIDTH + x;
  float of_plane;
  surf2Dread(&of_plane, plane, x * 4, y);
  out[5 * i] = surf1Dread<float>(line, x * 4);
  out[5 * i + 1] = of_plane;
  out[5 * i + 2] = surf3Dread<float>(space, x * 4, y, z);
  out[5 * i + 3] = surf1DLayeredread<float>(rows, x * 4, z);
  out[5 * i + 4] = surf2DLayeredread<float>(planes, x * 4, y, z);
}
template <class T> __global__ void copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  T value = surf2Dread<T>(from, (WIDTH - 1 - x) * (int)sizeof(T), y);
  surf2Dwrite(value, to, x * (int)sizeof(T), y);
}

static void check_shapes() {
  items<float, 5 * COUNT> out;
  const unsigned int stores = cudaArraySurfaceLoadStore;
  const float *none = nullptr;
  cudaArray_t arrays[5] = { array_of(none, WIDTH, 0, 0, stores), array_of(none, WIDTH, HEIGHT, 0, stores),
                            array_of(none, WIDTH, HEIGHT, DEPTH, stores),
                            array_of(none, WIDTH, 0, DEPTH, stores | cudaArrayLayered),
                            array_of(none, WIDTH, HEIGHT, DEPTH, stores | cudaArrayLayered) };
  cudaSurfaceObject_t s[5];
  for (int i = 0; i < 5; i++)
    s[i] = surface_of(arrays[i]);
  write_1d<<<1, WIDTH>>>(s[0]);
  write_2d<<<HEIGHT, WIDTH>>>(s[1]);
  write_3d<<<dim3(HEIGHT, DEPTH), WIDTH>>>(s[2]);
  write_rows<<<dim3(1, DEPTH), WIDTH>>>(s[3]);
  write_planes<<<dim3(HEIGHT, DEPTH), WIDTH>>>(s[4]);
  read_all<<<dim3(HEIGHT, DEPTH), WIDTH>>>(s[0], s[1], s[2], s[3], s[4], out.device);
  out.fetch();
  for (int i = 0; i < COUNT; i++) {
    int x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / WIDTH / HEIGHT;
    EXPECT(out[5 * i] == number<float>(x, 0, 0) && out[5 * i + 1] == number<float>(x, y, 0));
    EXPECT(out[5 * i + 2] == number<float>(x, y, z) && out[5 * i + 3] == number<float>(x, 0, z));
    EXPECT(out[5 * i + 4] == number<float>(x, y, z));
  }
  static float there[COUNT];
  bring_back(there, arrays[2], 4, WIDTH, HEIGHT, DEPTH);
  EXPECT_EACH(COUNT, there[i] == number<float>(i % WIDTH, i / WIDTH % HEIGHT, i / WIDTH / HEIGHT));
  for (int i = 0; i < 5; i++) {
    CALL(cudaDestroySurfaceObject(s[i]));
    CALL(cudaFreeArray(arrays[i]));
  }
}

template <class T> void check_type() {
  static T texels[WIDTH * HEIGHT], back[WIDTH * HEIGHT];
  for (size_t i = 0; i < sizeof texels; i++)
    ((unsigned char *)texels)[i] = (unsigned char)(i * 41 + 5);
  cudaArray_t from = array_of(texels, WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  cudaArray_t to = array_of((const T *)nullptr, WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t s = surface_of(from), t = surface_of(to);
  copy<T><<<HEIGHT, WIDTH>>>(s, t);
  LAUNCHED();
  bring_back(back, to, (int)sizeof(T), WIDTH, HEIGHT, 1);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    check_item(memcmp(&back[i], &texels[i / WIDTH * WIDTH + WIDTH - 1 - i % WIDTH], sizeof(T)) == 0, i, "its bytes",
               __FILE__, __LINE__);
  CALL(cudaDestroySurfaceObject(s));
  CALL(cudaDestroySurfaceObject(t));
  CALL(cudaFreeArray(from));
  CALL(cudaFreeArray(to));
}

int main() {
  check_shapes();
  check_type<unsigned char>(), check_type<short>(), check_type<uchar2>(), check_type<int>(), check_type<uchar4>();
  check_type<ushort2>(), check_type<float2>(), check_type<short4>(), check_type<float4>(), check_type<uint4>();
  return result();
}
