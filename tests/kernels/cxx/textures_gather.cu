/* SPDX-License-Identifier: MIT */
/* textures_gather - one channel of the four elements that a filter would use, from the lower left one on, counterclockwise. */
#include "texel.h"

enum { WIDTH = 8, HEIGHT = 6, COUNT = 100 };

__host__ __device__ inline float2 place(int i) {
  return make_float2((float)(i % 10) * 1.125f - 1.0625f, (float)(i / 10) * 0.875f - 0.8125f);
}
__global__ void gather_bytes(cudaTextureObject_t t, uchar4 *out, int channel) {
  float2 p = place((int)threadIdx.x);
  uchar4 v = make_uchar4(0, 0, 0, 0);
  switch (channel) { /* a constant, as the hardware's instruction has it */
  case 0: v = tex2Dgather<uchar4>(t, p.x, p.y); break;
  case 1: v = tex2Dgather<uchar4>(t, p.x, p.y, 1); break;
  case 2: v = tex2Dgather<uchar4>(t, p.x, p.y, 2); break;
  case 3: v = tex2Dgather<uchar4>(t, p.x, p.y, 3); break;
  }
  out[threadIdx.x] = v;
}
__global__ void gather_floats(cudaTextureObject_t t, float4 *out) {
  float2 p = place((int)threadIdx.x);
  out[threadIdx.x] = tex2Dgather<float4>(t, p.x, p.y, 1);
}

static uchar4 bytes[HEIGHT][WIDTH];
static float2 floats[HEIGHT][WIDTH];

static int clamped(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

int main() {
  items<uchar4, COUNT> out;
  items<float4, COUNT> wide;
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    (&bytes[0][0])[i] = make_uchar4((unsigned char)i, (unsigned char)(i + 50), (unsigned char)(i + 100),
                                    (unsigned char)(i + 150));
    (&floats[0][0])[i] = make_float2((float)i, (float)i * 0.5f);
  }
  cudaArray_t of_bytes = array_of(&bytes[0][0], WIDTH, HEIGHT, 0, cudaArrayTextureGather);
  cudaArray_t of_floats = array_of(&floats[0][0], WIDTH, HEIGHT, 0, cudaArrayTextureGather);
  cudaTextureObject_t t = texture_of(of_bytes, how_of());
  cudaTextureObject_t u = texture_of(of_floats, how_of(cudaAddressModeClamp, cudaFilterModeLinear));
  gather_floats<<<1, COUNT>>>(u, wide.device);
  wide.fetch();
  for (int channel = 0; channel < 4; channel++) {
    gather_bytes<<<1, COUNT>>>(t, out.device, channel);
    out.fetch();
    for (int i = 0; i < COUNT; i++) {
      float2 p = place(i);
      int x = (int)floorf(p.x - 0.5f), y = (int)floorf(p.y - 0.5f);
      int left = clamped(x, WIDTH), right = clamped(x + 1, WIDTH), top = clamped(y, HEIGHT), below = clamped(y + 1, HEIGHT);
      const int corners[4] = { below * WIDTH + left, below * WIDTH + right, top * WIDTH + right, top * WIDTH + left };
      for (int corner = 0; corner < 4; corner++) {
        EXPECT((&out[i].x)[corner] == (&(&bytes[0][0])[corners[corner]].x)[channel]);
        EXPECT((&wide[i].x)[corner] == (&floats[0][0])[corners[corner]].y);
      }
    }
  }
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaDestroyTextureObject(u));
  return result();
}
