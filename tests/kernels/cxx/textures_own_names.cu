/* SPDX-License-Identifier: MIT */
/* textures_own_names - a program that has something else by the names of CUDA 11's references, and reads by objects. */
/* options: -DVPTR_CUDA_NO_REFERENCES */
#include "texel.h"

enum { WIDTH = 4, HEIGHT = 3 };

struct surface {
  float light;
};
static cudaTextureObject_t texture;

__global__ void read(cudaTextureObject_t t, float *out, surface by) {
  out[blockIdx.x * WIDTH + threadIdx.x] = tex2D<float>(t, (float)threadIdx.x, (float)blockIdx.x) * by.light;
}

int main() {
  static float texels[HEIGHT][WIDTH];
  items<float, WIDTH * HEIGHT> out;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&texels[0][0])[i] = (float)i;
  texture = texture_of(array_of(&texels[0][0], WIDTH, HEIGHT), how_of());
  read<<<HEIGHT, WIDTH>>>(texture, out.device, surface{ 2 });
  out.fetch();
  EXPECT_EACH(WIDTH *HEIGHT, out[i] == (float)(2 * i));
  CALL(cudaDestroyTextureObject(texture));
  return result();
}
