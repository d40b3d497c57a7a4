/* SPDX-License-Identifier: MIT */
/*
 * layer - an OpenCL layer that fails calls on demand, counts objects, and can show devices with shorter addresses.
 *
 * A loadable module that the ICD loader puts between the program and the drivers (OPENCL_LAYERS=path, set before
 * the first OpenCL call). It passes every call on, until it is told to fail one; so the errors that a real driver
 * gives once in a year can be had in order, one after the other:
 *
 *     for (long n = 1;; n++) {
 *       layer->inject(LAYER_ANY, n, CL_OUT_OF_RESOURCES);
 *       ... a piece of work ...
 *       if (!layer->fired())
 *         break;                    n is beyond the last call: every one of them has failed once
 *     }
 *
 * A call that fails here never reaches the driver. LAYER_ANY leaves out what cannot be helped: releasing objects
 * (a driver that cannot even do that leaks, whatever its caller does), clRetainMemObject and clRetainEvent (which fail
 * for dead handles only). These too fail if they are named. Calls that libvptr does not make pass uncounted.
 * Thread-safe: the counters are atomic.
 */
#ifndef VPTR_TESTS_LAYER_H
#define VPTR_TESTS_LAYER_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <stdbool.h>

typedef enum layer_call {
  LAYER_ANY,
  LAYER_GET_PLATFORM_IDS,
  LAYER_GET_PLATFORM_INFO,
  LAYER_GET_DEVICE_IDS,
  LAYER_GET_DEVICE_INFO,
  LAYER_CREATE_CONTEXT,
  LAYER_RETAIN_CONTEXT,
  LAYER_RELEASE_CONTEXT,
  LAYER_GET_CONTEXT_INFO,
  LAYER_CREATE_COMMAND_QUEUE,
  LAYER_CREATE_COMMAND_QUEUE_WITH_PROPERTIES,
  LAYER_RETAIN_COMMAND_QUEUE,
  LAYER_RELEASE_COMMAND_QUEUE,
  LAYER_GET_COMMAND_QUEUE_INFO,
  LAYER_CREATE_BUFFER,
  LAYER_CREATE_SUB_BUFFER,
  LAYER_RETAIN_MEM_OBJECT,
  LAYER_RELEASE_MEM_OBJECT,
  LAYER_GET_MEM_OBJECT_INFO,
  LAYER_SET_MEM_OBJECT_DESTRUCTOR_CALLBACK,
  LAYER_CREATE_PROGRAM_WITH_SOURCE,
  LAYER_CREATE_PROGRAM_WITH_BINARY,
  LAYER_GET_PROGRAM_INFO,
  LAYER_RELEASE_PROGRAM,
  LAYER_BUILD_PROGRAM,
  LAYER_CREATE_KERNEL,
  LAYER_RELEASE_KERNEL,
  LAYER_SET_KERNEL_ARG,
  LAYER_SET_KERNEL_ARG_SVM_POINTER,
  LAYER_WAIT_FOR_EVENTS,
  LAYER_GET_EVENT_INFO,
  LAYER_GET_EVENT_PROFILING_INFO,
  LAYER_SET_EVENT_CALLBACK,
  LAYER_CREATE_USER_EVENT,
  LAYER_SET_USER_EVENT_STATUS,
  LAYER_RETAIN_EVENT,
  LAYER_RELEASE_EVENT,
  LAYER_FLUSH,
  LAYER_FINISH,
  LAYER_ENQUEUE_READ_BUFFER,
  LAYER_ENQUEUE_WRITE_BUFFER,
  LAYER_ENQUEUE_COPY_BUFFER,
  LAYER_ENQUEUE_FILL_BUFFER,
  LAYER_ENQUEUE_READ_BUFFER_RECT,
  LAYER_ENQUEUE_WRITE_BUFFER_RECT,
  LAYER_ENQUEUE_COPY_BUFFER_RECT,
  LAYER_ENQUEUE_MARKER_WITH_WAIT_LIST,
  LAYER_ENQUEUE_MAP_BUFFER,
  LAYER_ENQUEUE_UNMAP_MEM_OBJECT,
  LAYER_ENQUEUE_ND_RANGE_KERNEL,
  LAYER_CALL_COUNT
} layer_call;

/* References held to objects of each kind: made and retained, less released. */
typedef struct layer_objects {
  long contexts, queues, buffers, programs, kernels, events;
} layer_objects;

/* What a test can tell the layer. */
typedef struct layer_control {
  /* The nth call (1: the next) of this entry point, or of any, fails with code, once. 0 switches this off. */
  void (*inject)(layer_call call, long nth, cl_int code);
  /* Whether the fault that was asked for last has happened, and in which entry point. */
  bool (*fired)(void);
  layer_call (*fired_in)(void);
  /* Each call of this entry point, or of any, is held up first. 0 switches this off. */
  void (*delay)(layer_call call, unsigned microseconds);
  layer_objects (*objects)(void);
  /* How often the entry point was called. */
  long (*calls)(layer_call call);
  /* "clCreateBuffer" and so on. */
  const char *(*name)(layer_call call);
  /* Devices have addresses of so many bits (fewer than 64), as far as CL_DEVICE_ADDRESS_BITS tells, and refuse ranges
   * of work-items beyond them as clEnqueueNDRangeKernel() has it. 0: the drivers' own. */
  void (*address_bits)(cl_uint bits);
  /* The drivers' platforms are all there a second time, behind the last. */
  void (*platforms_twice)(bool twice);
} layer_control;

/* What the module exports, beside the two functions that the loader asks for. */
const layer_control *layer_get_control(void);

/* For the test program (control.c): puts the layer that VPTR_TEST_LAYER names into OPENCL_LAYERS and returns its
 * controls; NULL, with a line on stderr, if the variable is not set or the loader does not take layers. Call it
 * before the first OpenCL call. */
const layer_control *layer_install(void);

#endif
