// A work-item for each thread: no barrier, and what kernels are passed without the program.
struct image {
  float *pixels;
  int width;
};
struct node {
  node *next;
  int value;
};
__constant__ float gamma_of[16];
extern __shared__ int room[];

__global__ void items(image seen, const node *nodes, double *out, char flag, short n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  float history[32];
  assert(i < n);
  history[i & 31] = seen.pixels[i];
  room[threadIdx.x] = nodes[i].next->value;
  if (flag && i < n) {
    while (i > 0)
      i -= room[threadIdx.x & n];
    out[i] = history[n & 31] * gamma_of[i & 15];
  }
}

__global__ void plain(int *out) {
  if (*out == 0)
    *out = 1;
}
