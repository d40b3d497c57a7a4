/* SPDX-License-Identifier: MIT */
/*
 * textures_handles - objects whose handles come from anywhere: arguments, structs, device memory, constant memory, a
 * choice in the kernel; many of them at once; made and destroyed while kernels of two streams run.
 */
#include "texel.h"

enum { WIDTH = 64, MANY = 50 };

struct scene {
  int offset;
  cudaTextureObject_t texture;
  float *out;
};
struct object {
  cudaTextureObject_t textures[2];
};
__constant__ cudaTextureObject_t chosen;
__device__ object stored;

__device__ float look(cudaTextureObject_t t) { return tex1D<float>(t, (float)threadIdx.x + 0.5f); }

__global__ void by_struct(scene s) { s.out[threadIdx.x] = look(s.texture) + (float)s.offset; }
__global__ void by_memory(const cudaTextureObject_t *handles, float *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = look(handles[blockIdx.x]);
}
__global__ void by_variables(float *out) {
  out[threadIdx.x] = look(chosen) + 1000 * look(stored.textures[threadIdx.x & 1]);
}
__global__ void by_choice(cudaTextureObject_t a, cudaTextureObject_t b, float *out) {
  cudaTextureObject_t t = threadIdx.x % 3 == 0 ? a : b;
  out[threadIdx.x] = look(t);
}
__global__ void by_shared(const cudaTextureObject_t *handles, float *out) {
  __shared__ cudaTextureObject_t kept[4];
  __shared__ float values[WIDTH];
  if (threadIdx.x < 4)
    kept[threadIdx.x] = handles[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = look(kept[threadIdx.x / 16]);
  __syncthreads();
  out[threadIdx.x] = values[WIDTH - 1 - threadIdx.x];
}
__global__ void slowly(cudaTextureObject_t t, float *out, int turns) {
  float sum = 0;
  for (int i = 0; i < turns; i++)
    sum += tex1D<float>(t, (float)((threadIdx.x + (unsigned)i) % WIDTH) + 0.5f);
  out[threadIdx.x] = sum;
}

static float texel(int texture, int x) { return (float)(texture * 3 + x % 7); }

static cudaArray_t make_array(int texture) {
  float row[WIDTH];
  for (int x = 0; x < WIDTH; x++)
    row[x] = texel(texture, x);
  return array_of(row, WIDTH);
}

/* Objects that end while kernels of two streams may still read them; the next one takes the place in every table. */
static void check_streams() {
  enum { TURNS = 20, STEPS = 500 };
  items<float, 2 * TURNS * WIDTH> out;
  cudaStream_t streams[2];
  cudaArray_t arrays[2 * TURNS];
  for (int i = 0; i < 2; i++)
    CALL(cudaStreamCreate(&streams[i]));
  for (int turn = 0; turn < TURNS; turn++)
    for (int i = 0; i < 2; i++) {
      cudaArray_t array = arrays[2 * turn + i] = make_array(2 * turn + i);
      cudaTextureObject_t t = texture_of(array, how_of());
      slowly<<<1, WIDTH, 0, streams[i]>>>(t, out.device + (2 * turn + i) * WIDTH, STEPS);
      if (turn % 4 == 3)
        CALL(cudaStreamSynchronize(streams[i]));
      CALL(cudaDestroyTextureObject(t));
    }
  out.fetch();
  for (int i = 0; i < 2 * TURNS * WIDTH; i++) {
    float sum = 0;
    for (int step = 0; step < STEPS; step++)
      sum += texel(i / WIDTH, (i % WIDTH + step) % WIDTH);
    check_item(out[i] == sum, i, "of two streams", __FILE__, __LINE__);
  }
  for (int i = 0; i < 2 * TURNS; i++)
    CALL(cudaFreeArray(arrays[i]));
  for (int i = 0; i < 2; i++)
    CALL(cudaStreamDestroy(streams[i]));
}

int main() {
  items<float, MANY * WIDTH> out;
  items<cudaTextureObject_t, MANY> handles;
  cudaArray_t arrays[MANY];
  for (int i = 0; i < MANY; i++) {
    arrays[i] = make_array(i);
    handles.host[i] = texture_of(arrays[i], how_of());
  }
  handles.send();
  by_memory<<<MANY, WIDTH>>>(handles.device, out.device);
  out.fetch();
  EXPECT_EACH(MANY * WIDTH, out[i] == texel(i / WIDTH, i % WIDTH));
  by_struct<<<1, WIDTH>>>(scene{ 7, handles[3], out.device });
  out.fetch();
  EXPECT_EACH(WIDTH, out[i] == texel(3, i) + 7);
  object two = { { handles[9], handles[11] } };
  CALL(cudaMemcpyToSymbol(chosen, &handles.host[5], sizeof chosen));
  CALL(cudaMemcpyToSymbol(stored, &two, sizeof two));
  by_variables<<<1, WIDTH>>>(out.device);
  out.fetch();
  EXPECT_EACH(WIDTH, out[i] == texel(5, i) + 1000 * texel(i & 1 ? 11 : 9, i));
  by_choice<<<1, WIDTH>>>(handles[20], handles[21], out.device);
  out.fetch();
  EXPECT_EACH(WIDTH, out[i] == texel(i % 3 == 0 ? 20 : 21, i));
  by_shared<<<1, WIDTH>>>(handles.device, out.device);
  out.fetch();
  EXPECT_EACH(WIDTH, out[i] == texel((WIDTH - 1 - i) / 16, WIDTH - 1 - i));
  /* what was copied to an array since its object was made is read */
  float row[WIDTH];
  for (int x = 0; x < WIDTH; x++)
    row[x] = (float)-x;
  CALL(cudaMemcpy2DToArray(arrays[20], 0, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice));
  by_choice<<<1, WIDTH>>>(handles[20], handles[21], out.device);
  out.fetch();
  EXPECT_EACH(WIDTH, out[i] == (i % 3 == 0 ? (float)-i : texel(21, i)));
  for (int i = 0; i < MANY; i++) {
    CALL(cudaDestroyTextureObject(handles[i]));
    CALL(cudaFreeArray(arrays[i]));
  }
  check_streams();
  return result();
}
