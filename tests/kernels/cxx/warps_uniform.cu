/* SPDX-License-Identifier: MIT */
/* warps_uniform - exchanges of warps to which whole blocks come, or whole warps of them: sums and scans as programs have them. */
#include "check.h"

enum { MOST = 256, BLOCKS = 300 };

/* ---- all threads of the block ---- */

template <class T> __global__ void shuffled(const T *in, T *out, int by, int width) {
  int t = (int)threadIdx.x;
  T value = in[t], *row = out + t * 5;
  row[0] = __shfl_up_sync(~0u, value, (unsigned)by, width);
  row[1] = __shfl_down_sync(~0u, value, (unsigned)by, width);
  row[2] = __shfl_xor_sync(~0u, value, by, width);
  row[3] = __shfl_sync(~0u, value, by, width);
  row[4] = __shfl_sync(~0u, value, t * 7 + by, width); /* another for each thread */
}

/* Of warps without gaps, so that every lane that is read is there. */
template <class T> void check_shuffles(int threads, int by, int width) {
  items<T, MOST> in;
  items<T, MOST * 5> out;
  for (int i = 0; i < MOST; i++)
    in.host[i] = (T)((long long)i * 0x100000001ll + 5);
  in.send();
  shuffled<<<1, threads>>>(in.device, out.device, by, width);
  out.fetch();
  for (int t = 0; t < threads; t++) {
    const int first = t / width * width, place = t % width;
    const T own = in[t], *row = &out[t * 5];
    EXPECT(row[0] == (place >= by ? in[t - by] : own));
    EXPECT(row[1] == (place + by < width ? in[t + by] : own));
    EXPECT(row[2] == ((place ^ by) < width ? in[first + (place ^ by)] : own));
    EXPECT(row[3] == in[first + by % width] && row[4] == in[first + (t * 7 + by) % width]);
  }
}

__global__ void voted(const int *in, unsigned *out) {
  int t = (int)threadIdx.x, value = in[t];
  unsigned half = t % 32 < 16 ? 0xffffu : 0xffff0000u, *row = out + t * 9;
  row[0] = __ballot_sync(~0u, value > 3);
  row[1] = (unsigned)__any_sync(half, value == 5);
  row[2] = (unsigned)__all_sync(half, value < 6);
  row[3] = __match_any_sync(half, value);
  int is_same = 7;
  row[4] = __match_all_sync(half, value / 8, &is_same);
  row[5] = (unsigned)is_same;
  row[6] = __activemask();
  row[7] = __ballot_sync(half, t & 1) + (unsigned)__popc(__ballot_sync(~0u, value & 1));
  row[8] = (unsigned)__syncthreads_count(value > 3);
}

void check_votes(int threads) {
  items<int, MOST> in;
  items<unsigned, MOST * 9> out;
  for (int i = 0; i < MOST; i++)
    in.host[i] = i * 5 % 7;
  in.send();
  voted<<<1, threads>>>(in.device, out.device);
  out.fetch();
  unsigned above = 0;
  for (int t = 0; t < threads; t++)
    above += in[t] > 3;
  for (int t = 0; t < threads; t++) {
    const int first = t / 32 * 32;
    const unsigned half = t % 32 < 16 ? 0xffffu : 0xffff0000u, *row = &out[t * 9];
    unsigned here = 0, more = 0, five = 0, six = 0, same = 0, odd = 0, bits = 0;
    for (int k = first; k < first + 32 && k < threads; k++) {
      const unsigned bit = 1u << k % 32;
      here |= bit;
      more |= in[k] > 3 ? bit : 0;
      five |= in[k] == 5 ? bit : 0;
      six |= in[k] < 6 ? bit : 0;
      same |= in[k] == in[t] ? bit : 0;
      odd |= k & 1 ? bit : 0;
      bits += in[k] & 1;
    }
    EXPECT(row[0] == more && row[1] == ((five & half) != 0) && row[2] == ((six & half & here) == (half & here)));
    EXPECT(row[3] == (same & half) && row[4] == (half & here) && row[5] == 1);
    EXPECT(row[6] == here && row[7] == (odd & half) + bits && row[8] == above);
  }
}

/* ---- whole warps of it ---- */

__device__ int warp_sum(int value) {
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_down_sync(~0u, value, by);
  return value;
}

__global__ void block_sum(const int *in, int n, int *out) {
  __shared__ int part[32];
  int t = (int)threadIdx.x, i = (int)(blockIdx.x * blockDim.x) + t;
  int sum = warp_sum(i < n ? in[i] : 0);
  if (t % 32 == 0)
    part[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = warp_sum(t < (int)blockDim.x / 32 ? part[t] : 0);
    if (t == 0)
      out[blockIdx.x] = sum;
  }
}

__global__ void block_scan(const int *in, int *out) {
  __shared__ int part[32];
  int t = (int)threadIdx.x, lane = t % 32, warp = t / 32, warps = (int)blockDim.x / 32, i = (int)(blockIdx.x * blockDim.x) + t;
  int value = in[i];
  for (int by = 1; by < 32; by *= 2) {
    int other = __shfl_up_sync(~0u, value, by);
    if (lane >= by)
      value += other;
  }
  if (lane == 31)
    part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < warps ? part[lane] : 0;
    for (int by = 1; by < 32; by *= 2) {
      int other = __shfl_up_sync(~0u, sum, by);
      if (lane >= by)
        sum += other;
    }
    part[lane] = sum;
  }
  __syncthreads();
  out[i] = value + (warp > 0 ? part[warp - 1] : 0);
}

/* Both arms exchange, one of them by parts, and each leaves something that is read behind them. */
__global__ void by_warp(const int *in, int *out, int chosen) {
  int x = (int)threadIdx.x, t = x + (int)(blockDim.x * threadIdx.y), warp = x >> 5, value = in[t], seen = -1;
  if (warp == chosen) {
    value = __shfl_xor_sync(~0u, value, 1);
    seen = 1;
  } else {
    value = __shfl_sync(~0u, value, 3);
    if (x >= 64) {
      value += __shfl_up_sync(~0u, value, 2) * 100;
      seen = 2;
    } else {
      seen = 3;
    }
  }
  if (x > 95)
    seen = (int)__ballot_sync(~0u, value % 2);
  out[t * 2] = value;
  out[t * 2 + 1] = seen;
}

void check_by_warp(dim3 block, int chosen) {
  items<int, MOST> in;
  items<int, MOST * 2> out;
  const int width = (int)block.x, threads = width * (int)block.y;
  for (int i = 0; i < MOST; i++)
    in.host[i] = i * 3 + 1;
  in.send();
  by_warp<<<1, block>>>(in.device, out.device, chosen);
  out.fetch();
  int values[MOST], seen[MOST];
  for (int t = 0; t < threads; t++) {
    const int first = t / 32 * 32, x = t % width;
    if (x / 32 == chosen) {
      values[t] = in[t ^ 1];
      seen[t] = 1;
    } else {
      values[t] = in[first + 3] + (x >= 64 ? in[first + 3] * 100 : 0);
      seen[t] = x >= 64 ? 2 : 3;
    }
  }
  for (int t = 0; t < threads; t++) {
    int ballot = 0;
    for (int k = t / 32 * 32; k < t / 32 * 32 + 32; k++)
      ballot |= (values[k] % 2) << k % 32;
    EXPECT(out[t * 2] == values[t]);
    EXPECT(out[t * 2 + 1] == (t % width > 95 ? ballot : seen[t]));
  }
}

int main() {
  static const int widths[] = { 32, 16, 8, 4 };
  for (int width : widths)
    for (int by = 0; by < width; by += width / 4 + 1) {
      check_shuffles<int>(256, by, width);
      check_shuffles<long long>(96, by, width);
      check_shuffles<double>(32, by, width);
    }
  check_votes(256);
  check_votes(96);
  check_votes(17);

  static items<int, MOST * BLOCKS> in, out;
  for (int i = 0; i < MOST * BLOCKS; i++)
    in.host[i] = i * 37 % 101 - 50;
  in.send();
  items<int, BLOCKS> sums;
  for (int threads = 32; threads <= MOST; threads *= 2) {
    block_sum<<<BLOCKS, threads>>>(in.device, BLOCKS * threads - 5, sums.device);
    sums.fetch();
    block_scan<<<BLOCKS, threads>>>(in.device, out.device);
    out.fetch();
    for (int block = 0; block < BLOCKS; block++) {
      int sum = 0;
      for (int t = 0; t < threads; t++) {
        sum += in[block * threads + t];
        EXPECT(out[block * threads + t] == sum);
      }
      for (int i = block == BLOCKS - 1 ? 5 : 0; i > 0; i--)
        sum -= in[BLOCKS * threads - i];
      EXPECT(sums[block] == sum);
    }
  }
  for (int chosen = -1; chosen < 4; chosen++) {
    check_by_warp(128, chosen);
    check_by_warp(dim3(128, 2), chosen);
    check_by_warp(dim3(64, 2), chosen);
  }
  return result();
}
