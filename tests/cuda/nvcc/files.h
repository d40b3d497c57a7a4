/* SPDX-License-Identifier: MIT */
/* files - what the two files of a program share. */
#ifndef VPTR_TESTS_NVCC_FILES_H
#define VPTR_TESTS_NVCC_FILES_H

void other_work(int *out);

/* Both files have this instance. */
template <class T> __global__ void shared_template(T *out, T value) {
  *out = value;
}

#endif
