/* SPDX-License-Identifier: MIT */
/*
 * svm_memory - memory that host and kernels use by turns, in five ways with one interface.
 *
 * take() makes the bytes the host's: they are at host until give() makes them the device's again. In between no
 * kernel uses them, and outside the host does not.
 */
#ifndef BENCH_SVM_MEMORY_H
#define BENCH_SVM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

typedef struct svm_memory {
  void *ptr;      /* what kernels are given */
  void *host;     /* where the host has the bytes */
  size_t size;
  bool is_changed; /* by the host since it was taken */
} svm_memory;

typedef enum svm_use { SVM_OVERWRITE, SVM_CHANGE, SVM_READ } svm_use;

/* Each returns false on failure. */
typedef struct svm_way {
  const char *name;
  const char *(*missing)(void); /* why the device has it not; NULL: it has */
  bool (*allocate)(svm_memory *memory);
  bool (*free)(svm_memory *memory);
  bool (*take)(svm_memory *memory, svm_use use);
  bool (*give)(svm_memory *memory);
  bool (*argument)(cl_kernel kernel, const svm_memory *memory);
} svm_way;

enum { SVM_IN_PLACE, SVM_COPIES, SVM_COARSE, SVM_FINE, SVM_SYSTEM, SVM_WAYS };

extern const svm_way svm_ways[SVM_WAYS];

/* The device's words about its shared virtual memory, for a note. */
const char *svm_capabilities(void);

#endif
