/* SPDX-License-Identifier: MIT */
/*
 * entry_copy - rows of the runtime: copies and sets of linear memory, in one to three dimensions, and between devices.
 */
#include "entry.h"

enum { PITCH = 64, WIDTH = 32, HEIGHT = 4, KINDLESS = 99 };

static unsigned char *device, *other, host[BYTES];

/* Fills host with value first. */
static unsigned char *host_of(int value) {
  return memset(host, value, sizeof host);
}

static int host_arrived(int value, size_t size) {
  return cudaDeviceSynchronize() == cudaSuccess && entry_host_holds(host, value, size);
}

static int rows_hold(const unsigned char *at, int value) {
  for (int row = 0; row < HEIGHT; row++)
    if (!entry_device_holds(at + row * PITCH, value, WIDTH))
      return 0;
  return 1;
}

static void lines(void) {
  const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  ENTRY(cudaMemcpy, (device, host_of(1), BYTES, in), cudaSuccess, entry_device_holds(device, 1, BYTES),
        (device, host, BYTES, (enum cudaMemcpyKind)KINDLESS), cudaErrorInvalidMemcpyDirection);
  ENTRY(cudaMemcpyAsync, (device, host_of(2), BYTES, in, NULL), cudaSuccess, entry_device_holds(device, 2, BYTES),
        (device, host, BYTES, (enum cudaMemcpyKind)KINDLESS, NULL), cudaErrorInvalidMemcpyDirection);
  ENTRY(cudaMemset, (device, 3, BYTES), cudaSuccess, entry_device_holds(device, 3, BYTES), (device, 3, BYTES * 100),
        cudaErrorInvalidValue);
  ENTRY(cudaMemsetAsync, (device, 4, BYTES, NULL), cudaSuccess, entry_device_holds(device, 4, BYTES),
        (device, 4, BYTES * 100, NULL), cudaErrorInvalidValue);
  ENTRY(cudaMemcpyPeer, (other, 0, device, 0, BYTES), cudaSuccess, entry_device_holds(other, 4, BYTES),
        (other, NOT_A_DEVICE, device, 0, BYTES), cudaErrorInvalidDevice);
  NEED(cudaMemset(device, 5, BYTES) == cudaSuccess);
  ENTRY(cudaMemcpyPeerAsync, (other, 0, device, 0, BYTES, NULL), cudaSuccess, entry_device_holds(other, 5, BYTES),
        (other, 0, device, NOT_A_DEVICE, BYTES, NULL), cudaErrorInvalidDevice);
  host_of(0);
  ENTRY(cudaMemcpy2D, (host, WIDTH, other, PITCH, WIDTH, HEIGHT, out), cudaSuccess, host_arrived(5, WIDTH * HEIGHT),
        (host, WIDTH - 1, other, PITCH, WIDTH, HEIGHT, out), cudaErrorInvalidPitchValue);
  host_of(0);
  ENTRY(cudaMemcpy2DAsync, (host, WIDTH, other, PITCH, WIDTH, HEIGHT, out, NULL), cudaSuccess,
        host_arrived(5, WIDTH * HEIGHT), (host, WIDTH - 1, other, PITCH, WIDTH, HEIGHT, out, NULL),
        cudaErrorInvalidPitchValue);
}

static void sets(void) {
  struct cudaPitchedPtr box = { device, PITCH, WIDTH, HEIGHT }, narrow = { device, WIDTH - 1, WIDTH, HEIGHT };
  struct cudaExtent extent = { WIDTH, HEIGHT, 1 };
  ENTRY(cudaMemset2D, (device, PITCH, 6, WIDTH, HEIGHT), cudaSuccess,
        rows_hold(device, 6) && entry_device_holds(device + WIDTH, 5, PITCH - WIDTH),
        (device, WIDTH - 1, 6, WIDTH, HEIGHT), cudaErrorInvalidValue);
  ENTRY(cudaMemset2DAsync, (device, PITCH, 7, WIDTH, HEIGHT, NULL), cudaSuccess, rows_hold(device, 7),
        (device, WIDTH - 1, 7, WIDTH, HEIGHT, NULL), cudaErrorInvalidValue);
  ENTRY(cudaMemset3D, (box, 8, extent), cudaSuccess, rows_hold(device, 8), (narrow, 8, extent),
        cudaErrorInvalidValue);
  ENTRY(cudaMemset3DAsync, (box, 9, extent, NULL), cudaSuccess, rows_hold(device, 9), (narrow, 9, extent, NULL),
        cudaErrorInvalidValue);
}

static void boxes(void) {
  struct cudaMemcpy3DParms copy = { .kind = cudaMemcpyDeviceToDevice }, kindless;
  struct cudaMemcpy3DPeerParms between = { .srcDevice = 0 }, nowhere;
  copy.srcPtr = between.srcPtr = make_cudaPitchedPtr(device, PITCH, WIDTH, HEIGHT);
  copy.dstPtr = between.dstPtr = make_cudaPitchedPtr(other, PITCH, WIDTH, HEIGHT);
  copy.extent = between.extent = make_cudaExtent(WIDTH, HEIGHT, 1);
  kindless = copy;
  nowhere = between;
  kindless.kind = (enum cudaMemcpyKind)KINDLESS;
  nowhere.dstDevice = NOT_A_DEVICE;
  ENTRY(cudaMemcpy3D, (&copy), cudaSuccess, rows_hold(other, 9), (&kindless), cudaErrorInvalidMemcpyDirection);
  NEED(cudaMemset(device, 10, BYTES) == cudaSuccess);
  ENTRY(cudaMemcpy3DAsync, (&copy, NULL), cudaSuccess, rows_hold(other, 10), (&kindless, NULL),
        cudaErrorInvalidMemcpyDirection);
  NEED(cudaMemset(device, 11, BYTES) == cudaSuccess);
  ENTRY(cudaMemcpy3DPeer, (&between), cudaSuccess, rows_hold(other, 11), (&nowhere), cudaErrorInvalidDevice);
  NEED(cudaMemset(device, 12, BYTES) == cudaSuccess);
  ENTRY(cudaMemcpy3DPeerAsync, (&between, NULL), cudaSuccess, rows_hold(other, 12), (&nowhere, NULL),
        cudaErrorInvalidDevice);
}

void entry_runtime_copy(void) {
  NEED(cudaMalloc((void **)&device, BYTES) == cudaSuccess);
  NEED(cudaMalloc((void **)&other, BYTES) == cudaSuccess);
  lines();
  sets();
  boxes();
  NEED(cudaFree(device) == cudaSuccess);
  NEED(cudaFree(other) == cudaSuccess);
}
