/* SPDX-License-Identifier: MIT */
/*
 * control - the test program's side of the layer.
 *
 * The loader opens the module by dlopen(), so that opening it once more gives the same copy, with the same
 * counters.
 */
#include "layer/layer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef const layer_control *(*control_function)(void);

const layer_control *layer_install(void) {
  const char *path = getenv("VPTR_TEST_LAYER");
  if (path == NULL || *path == '\0') {
    fprintf(stderr, "left out: VPTR_TEST_LAYER does not name the OpenCL layer of the tests\n");
    return NULL;
  }
  setenv("OPENCL_LAYERS", path, 1);
  cl_uint count;
  clGetPlatformIDs(0, NULL, &count); /* the loader reads OPENCL_LAYERS now */
  void *module = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (module == NULL) {
    fprintf(stderr, "left out: the OpenCL loader did not load the layer %s\n", path);
    return NULL;
  }
  control_function function;
  *(void **)&function = dlsym(module, "layer_get_control"); /* as POSIX has it, for want of a cast in C */
  return function != NULL ? function() : NULL;
}
