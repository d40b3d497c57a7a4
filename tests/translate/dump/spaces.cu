// Pointers whose spaces come from what is done with them; a function is made once for each combination.
struct list {
  list *next;
  float *values;
};
struct view {
  const float *begin;
};
__constant__ float table[8];
__device__ float *kept;

__device__ float sum(const float *p, int n) {
  float all = 0;
  for (const float *end = p + n; p < end; p++)
    all += *p;
  return all;
}
__device__ void add_to(float &place, float value) { place += value; }
__device__ float *larger(float *left, float *right) { return *left < *right ? right : left; }

__global__ void spaces(list *first, view seen, float **rows, float *out) {
  __shared__ float part[64];
  __shared__ float *turn;
  float own[4] = { 0 };
  float *p;
  float *q = part, *untold;
  p = threadIdx.x ? q : &part[1];
  turn = first->next->values;
  const float *coefficients = table;
  add_to(part[0], sum(part, 64) + sum(own, 4) + sum(seen.begin, 4) + sum(coefficients, 8));
  add_to(*out, *larger(rows[0], out) + *p);
  add_to(own[1], *larger(part, q));
  kept = out;
}
