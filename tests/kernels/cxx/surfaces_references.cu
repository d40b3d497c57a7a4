/* SPDX-License-Identifier: MIT */
/*
 * surfaces_references - arrays that kernels write and read by surface references, and read by a texture reference too.
 * CUDA 12 and later have no references.
 */
#include "texel.h"

enum { WIDTH = 12, HEIGHT = 5 };

surface<void, cudaSurfaceType2D> sheet;
static surface<void, 3> block;
texture<float, 2> image;

__global__ void write(float by) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  surf2Dwrite((float)(y * WIDTH + x) * by, sheet, x * 4, y);
}
__global__ void turn() {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  float value, other = surf2Dread<float>(sheet, x * 4, y, cudaBoundaryModeZero);
  surf2Dread(&value, sheet, x * 4, y);
  surf2Dwrite(-(value + other) / 2, sheet, x * 4, y, cudaBoundaryModeClamp);
}
__global__ void read(float *out) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  out[y * WIDTH + x] = tex2D(image, (float)x, (float)y);
}
__global__ void write_block(int z) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  surf3Dwrite(make_ushort2((unsigned short)x, (unsigned short)(y + z)), block, x * 4, y, z);
}

static void check_sheet() {
  items<float, WIDTH * HEIGHT> out;
  const surfaceReference *found = nullptr;
  cudaArray_t arrays[2];
  for (int i = 0; i < 2; i++)
    arrays[i] = array_of((const float *)nullptr, WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  for (int i = 0; i < 2; i++) {
    CALL(cudaBindSurfaceToArray(sheet, arrays[i]));
    CALL(cudaBindTextureToArray(image, arrays[i]));
    write<<<HEIGHT, WIDTH>>>((float)(i + 1));
    turn<<<HEIGHT, WIDTH>>>();
    read<<<HEIGHT, WIDTH>>>(out.device);
    out.fetch();
    for (int at = 0; at < WIDTH * HEIGHT; at++)
      check_item(out[at] == -(float)(at * (i + 1)), at, "written and turned", __FILE__, __LINE__);
  }
  CALL(cudaBindTextureToArray(image, arrays[0])); /* it kept its own */
  read<<<HEIGHT, WIDTH>>>(out.device);
  out.fetch();
  EXPECT_EACH(WIDTH *HEIGHT, out[i] == -(float)i);
  CALL(cudaGetSurfaceReference(&found, &sheet));
  EXPECT(found == &sheet);
}

static void check_block() {
  static ushort2 seen[2][HEIGHT][WIDTH];
  cudaArray_t array = array_of((const ushort2 *)nullptr, WIDTH, HEIGHT, 2, cudaArraySurfaceLoadStore);
  CALL(cudaBindSurfaceToArray(block, array, cudaCreateChannelDesc<ushort2>()));
  for (int z = 0; z < 2; z++)
    write_block<<<HEIGHT, WIDTH>>>(z);
  bring_back(seen, array, (int)sizeof(ushort2), WIDTH, HEIGHT, 2);
  for (int i = 0; i < 2 * HEIGHT * WIDTH; i++)
    check_item((&seen[0][0][0])[i].x == i % WIDTH &&
                   (&seen[0][0][0])[i].y == i / WIDTH % HEIGHT + i / (WIDTH * HEIGHT),
               i, "written", __FILE__, __LINE__);
}

static void check_wrong() {
  cudaArray_t plain = array_of((const float *)nullptr, WIDTH, HEIGHT);
  EXPECT(cudaBindSurfaceToArray(sheet, plain) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

int main() {
  check_sheet();
  check_block();
  check_wrong();
  return result();
}
