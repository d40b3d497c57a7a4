template <typename T> __global__ void k(T *p) { *p = [](T a) { return a; }(3); }
namespace n { __device__ float4 v = make_float4(1.f, 0x1p-3f, 1e+5, .5); enum class e : char { a, b = 'x' }; }
int main() { k<<<1, 2, 3>>>(0); return sizeof(int[3]); }
