// A declaration and a statement of each kind.
namespace pixels {
struct __align__(8) pair {
  unsigned char first;
  float second[2];
};
}
union word {
  unsigned bits;
  float value;
};
enum mode { PLAIN, TWICE = 1 << 3 };
enum class side : short { LEFT = -1, RIGHT };
typedef float row[4];
const int SIZE = 2 * sizeof(row);
__constant__ float weights[3] = { 1, 2.5f };
__managed__ int total;

__host__ __device__ inline int clamp(int x, int most = SIZE) { return x > most ? most : x; }
static __device__ int clamp(float x) { return (int)x; }
void host_only() { total = 3; }

__global__ void __launch_bounds__(64, 2) every(pixels::pair *pairs, const word *__restrict__ words, int n) {
  row local = { 0, [2] = 1.5f };
  unsigned char small = n;
  static_assert(sizeof(row) == 16, "four of them");
#pragma unroll 4
  for (int i = 0; i < n; i++)
    local[i & 3] += words[i].value;
  while (n-- > 3 && small)
    continue;
  do {
    small++;
    if (small == TWICE)
      break;
    else
      goto next;
  } while (true);
next:
  switch (n) {
  case PLAIN + 1:
    pairs->first = static_cast<unsigned char>(side::RIGHT);
    break;
  default:
    pairs[n] = pixels::pair{ 1, { local[0], 2 } };
  }
  printf("%d\n", clamp(n) + clamp(weights[1]));
  total = n ? clamp(n, 3) : ~small;
}
