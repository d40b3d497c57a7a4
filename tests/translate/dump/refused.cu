// What was made before the error is told, and of the rest that there is none.
__global__ void refused(int *p) {
  __shared__ int part[8];
  int *q = p;
  q = part;
  *q = 1;
}
