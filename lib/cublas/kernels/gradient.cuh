/* SPDX-License-Identifier: MIT */
/*
 * gradient - sums of a matrix over its rows or its columns, which are gradients of a bias: out[i] is the sum of `depth`
 * elements that begin at in[i * step] and are depth_step apart. A thread adds up one of them, in order.
 */
__global__ void NAME(gradient)(long count, long depth, const IN *in, long step, long depth_step, long in_stride,
                               OUT *out, long out_stride, long batch) {
  for (long it = blockIdx.z; it < batch; it += gridDim.z)
    for (long i = first_index(); i < count; i += all_threads()) {
      const IN *at = in + it * in_stride + i * step;
      ACC sum = ACC_ZERO;
      for (long k = 0; k < depth; k++)
        sum = plus(sum, READ(at[k * depth_step]));
      out[it * out_stride + i] = WRITE(sum);
    }
}
