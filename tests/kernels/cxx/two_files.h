/* SPDX-License-Identifier: MIT */
/* two_files - what both files of kernels_two_files see. */
#ifndef TWO_FILES_H
#define TWO_FILES_H

template <class T> __global__ void shared_template(T *x, T by) {
  x[threadIdx.x] += by;
}
void change_there(int *x);

#endif
