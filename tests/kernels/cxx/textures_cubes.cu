/* SPDX-License-Identifier: MIT */
/* textures_cubes - cube maps, by directions into each face, one and several; the faces are written as a surface's, too. */
#include "texel.h"

enum { SIZE = 8, CUBES = 3, COUNT = 6 * 16 };

__host__ __device__ inline float3 direction(int i) {
  int face = i / 16;
  float a = (float)(i % 4) * 0.5f - 0.71875f, b = (float)(i / 4 % 4) * 0.4375f - 0.609375f, c = face % 2 ? -1.0f : 1.0f;
  return face < 2 ? make_float3(c, a, b) : face < 4 ? make_float3(a, c, b) : make_float3(a, b, c);
}
__global__ void look(cudaTextureObject_t t, float *out) {
  int i = (int)threadIdx.x;
  float3 d = direction(i);
  out[i] = texCubemap<float>(t, 2 * d.x, 2 * d.y, 2 * d.z);
}
__global__ void look_at_many(cudaTextureObject_t t, float *out, int cube) {
  int i = (int)threadIdx.x;
  float3 d = direction(i);
  out[i] = texCubemapLayered<float>(t, d.x, d.y, d.z, cube);
}
__global__ void write_faces(cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  for (int face = 0; face < 6; face++)
    surfCubemapwrite<float>((float)(face * 1000 + y * 10 + x), s, x * (int)sizeof(float), y, face);
}
__global__ void read_faces(cudaSurfaceObject_t s, float *out) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  out[y * SIZE + x] = surfCubemapread<float>(s, x * (int)sizeof(float), y, 4);
}

static float texels[CUBES * 6][SIZE][SIZE];

/* The table of the programming guide: the face, and the coordinates in it. */
static float wanted_of(int cube, float3 d, cudaTextureFilterMode filter) {
  static const int size[2] = { SIZE, SIZE };
  double x = d.x, y = d.y, z = d.z, m, s, t, at[2];
  int face;
  if (fabs(x) > fabs(y) && fabs(x) > fabs(z))
    face = x >= 0 ? 0 : 1, m = fabs(x), s = x >= 0 ? -z : z, t = -y;
  else if (fabs(y) > fabs(x) && fabs(y) > fabs(z))
    face = y >= 0 ? 2 : 3, m = fabs(y), s = x, t = y >= 0 ? z : -z;
  else
    face = z >= 0 ? 4 : 5, m = fabs(z), s = z >= 0 ? x : -x, t = -y;
  at[0] = (s / m + 1) / 2;
  at[1] = (t / m + 1) / 2;
  return (float)model([=](int a, int b, int) { return texels[cube * 6 + face][b][a]; }, size, 2, at,
                      how_of(cudaAddressModeClamp, filter, true));
}

int main() {
  items<float, COUNT> out;
  items<float, SIZE * SIZE> face;
  for (int i = 0; i < CUBES * 6 * SIZE * SIZE; i++)
    (&texels[0][0][0])[i] = (float)((i * 53) % 211);
  cudaArray_t one = array_of(&texels[0][0][0], SIZE, SIZE, 6, cudaArrayCubemap | cudaArraySurfaceLoadStore);
  cudaArray_t many = array_of(&texels[0][0][0], SIZE, SIZE, 6 * CUBES, cudaArrayCubemap | cudaArrayLayered);
  for (int filter = 0; filter < 2; filter++) {
    cudaTextureDesc how = how_of(cudaAddressModeClamp, (cudaTextureFilterMode)filter, true);
    cudaTextureObject_t t = texture_of(one, how), layered = texture_of(many, how);
    look<<<1, COUNT>>>(t, out.device);
    out.fetch();
    for (int i = 0; i < COUNT; i++)
      check_item(is_near(out[i], wanted_of(0, direction(i), how.filterMode), 200), i, "a cube", __FILE__, __LINE__);
    for (int cube = 0; cube < CUBES; cube++) {
      look_at_many<<<1, COUNT>>>(layered, out.device, cube);
      out.fetch();
      for (int i = 0; i < COUNT; i++)
        check_item(is_near(out[i], wanted_of(cube, direction(i), how.filterMode), 200), i, "of cubes", __FILE__,
                   __LINE__);
    }
    CALL(cudaDestroyTextureObject(t));
    CALL(cudaDestroyTextureObject(layered));
  }
  cudaSurfaceObject_t s = surface_of(one);
  write_faces<<<SIZE, SIZE>>>(s);
  read_faces<<<SIZE, SIZE>>>(s, face.device);
  face.fetch();
  EXPECT_EACH(SIZE *SIZE, face[i] == 4000 + i / SIZE * 10 + i % SIZE);
  bring_back(texels, one, sizeof(float), SIZE, SIZE, 6);
  EXPECT_EACH(6 * SIZE * SIZE,
              (&texels[0][0][0])[i] == i / (SIZE * SIZE) * 1000 + i / SIZE % SIZE * 10 + i % SIZE);
  CALL(cudaDestroySurfaceObject(s));
  CALL(cudaFreeArray(one));
  CALL(cudaFreeArray(many));
  return result();
}
