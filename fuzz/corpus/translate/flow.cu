typedef unsigned int word;
using namespace std;
static_assert(sizeof(float3) == 12, "three floats");
__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__global__ void k(int *p, float3 *q) {
  auto i = threadIdx.x;
  do {
    switch (p[i] & 3) {
    case 0: p[i] <<= 1; break;
    case 1: goto out;
    default: while (i-- > 0) continue;
    }
  } while (p[i] ? true : false);
out:
  q[0] = q[1] + q[2];
  for (int j = 0, *r = p + 1; j < 3; j++, r++) *r = ~j ^ -*r;
  printf("%d %s\n", *p, "end");
}
