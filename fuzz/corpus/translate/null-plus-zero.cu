#include <cuda_runtime.h>
__device__ char a[0+NULL], b[sizeof(NULL + 0)];
__global__ void k(int *p) { int *q = NULL + 0; const char *n = (char *)NULL + 0; p[0] = &((int *)NULL)[0] == NULL + p; }