/* SPDX-License-Identifier: MIT */
/* conform_pitched - memory with a pitch, copies and settings of rects in two and three dimensions, and their bounds. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

enum { WIDTH = 30, HEIGHT = 7, DEPTH = 3, HOST_PITCH = 40, HOST = HOST_PITCH * HEIGHT * DEPTH };

static unsigned char host[HOST], seen[HOST];
static struct cudaPitchedPtr rect; /* WIDTH x HEIGHT x DEPTH on the device */

static unsigned char content(int i) {
  return (unsigned char)(i * 7 + i / 256 + 3);
}

static struct cudaPitchedPtr pitched(void *p) {
  return make_cudaPitchedPtr(p, HOST_PITCH, WIDTH, HEIGHT);
}

static struct cudaMemcpy3DParms rect_copy(struct cudaPitchedPtr to, struct cudaPitchedPtr from,
                                          enum cudaMemcpyKind kind) {
  struct cudaMemcpy3DParms p;
  memset(&p, 0, sizeof p);
  p.dstPtr = to;
  p.srcPtr = from;
  p.extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
  p.kind = kind;
  return p;
}

/* The whole rect holds content() afterwards. */
static void fill_rect(void) {
  for (int i = 0; i < HOST; i++)
    host[i] = content(i);
  struct cudaMemcpy3DParms p = rect_copy(rect, pitched(host), cudaMemcpyHostToDevice);
  conform_succeed(cudaMemcpy3D(&p));
}

/* The rect comes to seen; what is between rows stays 0xee there. */
static void fetch_rect(void) {
  memset(seen, 0xee, sizeof seen);
  struct cudaMemcpy3DParms p = rect_copy(pitched(seen), rect, cudaMemcpyDeviceToHost);
  conform_succeed(cudaMemcpy3D(&p));
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

static void pitches_hold_a_row(void) {
  for (size_t width = 1; width < 3000; width += 499) {
    void *p = NULL;
    size_t pitch = 0;
    conform_succeed(cudaMallocPitch(&p, &pitch, width, 5));
    conform_true(p != NULL && pitch >= width && pitch % 32 == 0);
    conform_succeed(cudaMemset2D(p, pitch, 1, pitch, 5));
    conform_succeed(cudaFree(p));
  }
  void *p = NULL;
  size_t pitch = 0;
  conform_expect(cudaErrorInvalidValue, cudaMallocPitch(NULL, &pitch, 10, 10));
  conform_expect(cudaErrorInvalidValue, cudaMallocPitch(&p, NULL, 10, 10));
  conform_expect(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, (size_t)1 << 40, (size_t)1 << 20));
  p = &p;
  pitch = 77;
  conform_expect(cudaErrorInvalidValue, cudaMallocPitch(&p, &pitch, SIZE_MAX, 10));
  conform_true(p == NULL && pitch == 0);
#ifdef VPTR_CUDA_RUNTIME_API_H
  conform_expect(cudaErrorInvalidValue, cudaMallocPitch(&p, &pitch, (size_t)1 << 40, (size_t)1 << 40));
#endif
}

static void an_extent_becomes_memory(void) {
  struct cudaPitchedPtr p = { NULL, 0, 0, 0 };
  conform_succeed(cudaMalloc3D(&p, make_cudaExtent(100, 20, 3)));
  conform_true(p.ptr != NULL && p.pitch >= 100 && p.xsize == 100 && p.ysize == 20);
  conform_succeed(cudaMemset(p.ptr, 1, p.pitch * 20 * 3));
  conform_succeed(cudaFree(p.ptr));
  conform_expect(cudaErrorInvalidValue, cudaMalloc3D(NULL, make_cudaExtent(1, 1, 1)));
  conform_expect(cudaErrorMemoryAllocation,
                 cudaMalloc3D(&p, make_cudaExtent((size_t)1 << 30, (size_t)1 << 20, (size_t)1 << 10)));
  p = make_cudaPitchedPtr(&p, 77, 7, 8);
  conform_expect(cudaErrorInvalidValue, cudaMalloc3D(&p, make_cudaExtent(SIZE_MAX, 10, 10)));
  conform_true(p.ptr == NULL && p.pitch == 0 && p.xsize == 7 && p.ysize == 8);
#ifdef VPTR_CUDA_RUNTIME_API_H
  conform_expect(cudaErrorInvalidValue,
                 cudaMalloc3D(&p, make_cudaExtent((size_t)1 << 40, (size_t)1 << 30, (size_t)1 << 20)));
#endif
}

static void observe_empty_memory(void) {
  void *p = (void *)8;
  size_t pitch = 77;
  cudaError_t error = cudaMallocPitch(&p, &pitch, 0, 10);
  printf("observed: cudaMallocPitch of width 0: %s, %p, pitch %zu\n", cudaGetErrorName(error), p, pitch);
  error = cudaMallocPitch(&p, &pitch, 10, 0);
  printf("observed: cudaMallocPitch of height 0: %s, %p, pitch %zu\n", cudaGetErrorName(error), p, pitch);
  struct cudaPitchedPtr q = { NULL, 77, 0, 0 };
  error = cudaMalloc3D(&q, make_cudaExtent(10, 10, 0));
  printf("observed: cudaMalloc3D of depth 0: %s, %p, pitch %zu\n", cudaGetErrorName(error), q.ptr, q.pitch);
  error = cudaMallocPitch(&p, &pitch, 700, 1);
  printf("observed: cudaMallocPitch of width 700: pitch %zu\n", pitch);
  cudaFree(p);
  cudaGetLastError();
}

/* ---- two dimensions ------------------------------------------------------------------------------------- */

static void rows_go_there_and_back(void) {
  fill_rect();
  memset(seen, 0xee, sizeof seen);
  conform_succeed(
      cudaMemcpy2D(seen + 5, HOST_PITCH, (char *)rect.ptr + 2, rect.pitch, 11, 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < HOST; i++) {
    int x = i % HOST_PITCH - 5, y = i / HOST_PITCH;
    conform_true(seen[i] == (x >= 0 && x < 11 && y < 4 ? content(y * HOST_PITCH + x + 2) : 0xee));
  }
}

static void rows_between_devices_places(void) {
  unsigned char *p = NULL;
  fill_rect();
  conform_succeed(cudaMalloc((void **)&p, HOST));
  conform_succeed(cudaMemset(p, 0xee, HOST));
  conform_succeed(cudaMemcpy2D(p, HOST_PITCH, rect.ptr, rect.pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemcpy(seen, p, HOST, cudaMemcpyDeviceToHost));
  for (int i = 0; i < HOST; i++)
    conform_true(seen[i] == (i % HOST_PITCH < WIDTH && i < HOST_PITCH * HEIGHT ? content(i) : 0xee));
  /* the left half of each row into its right half */
  conform_succeed(cudaMemcpy2D(p + 15, HOST_PITCH, p, HOST_PITCH, 15, HEIGHT, cudaMemcpyDefault));
  conform_succeed(cudaMemcpy(seen, p, HOST, cudaMemcpyDeviceToHost));
  for (int i = 0; i < HOST_PITCH * HEIGHT; i++)
    if (i % HOST_PITCH < WIDTH)
      conform_true(seen[i] == content(i % HOST_PITCH < 15 ? i : i - 15));
  /* one pitch into another, in one allocation */
  conform_succeed(cudaMemcpy2D(p + 400, 20, p, HOST_PITCH, 15, HEIGHT, cudaMemcpyDefault));
  conform_succeed(cudaMemcpy(seen, p, HOST, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 15 * HEIGHT; i++)
    conform_true(seen[400 + i / 15 * 20 + i % 15] == content(i / 15 * HOST_PITCH + i % 15));
  conform_succeed(cudaFree(p));
}

static void two_dimensions_have_bounds(void) {
  unsigned char *p = NULL;
  conform_succeed(cudaMalloc((void **)&p, HOST_PITCH * HEIGHT));
  conform_expect(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 29, host, HOST_PITCH, WIDTH, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, HOST_PITCH, host, 29, WIDTH, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy2D(p, 29, host, HOST_PITCH, WIDTH, 1, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy2D(p, HOST_PITCH, host, 29, WIDTH, 1, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2D(p, 0, host, 0, WIDTH, 1, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2D(p, 0, host, HOST_PITCH, WIDTH, 1, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 0, host, 0, WIDTH, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemcpy2D(NULL, HOST_PITCH, host, HOST_PITCH, WIDTH, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemcpy2D(p, HOST_PITCH, NULL, HOST_PITCH, WIDTH, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidMemcpyDirection,
                 cudaMemcpy2D(p, HOST_PITCH, host, HOST_PITCH, WIDTH, 2, (enum cudaMemcpyKind)9));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemcpy2D(host, HOST_PITCH, host, HOST_PITCH, WIDTH, 2, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2D(p, HOST_PITCH, host, HOST_PITCH, WIDTH, 0, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2D(p, HOST_PITCH, host, HOST_PITCH, 0, 5, cudaMemcpyHostToDevice));
  /* the last row ends with the allocation */
  conform_succeed(cudaMemcpy2D(p + 10, HOST_PITCH, host, HOST_PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
  printf("observed: a row longer than the pitch, of no rows: %s\n",
         cudaGetErrorName(cudaMemcpy2D(p, 29, host, HOST_PITCH, WIDTH, 0, cudaMemcpyHostToDevice)));
  printf("observed: a row longer than the pitch, of one row: %s\n",
         cudaGetErrorName(cudaMemcpy2D(p, 29, host, HOST_PITCH, WIDTH, 1, cudaMemcpyHostToDevice)));
  printf("observed: a rect that leaves its allocation: %s\n",
         cudaGetErrorName(cudaMemcpy2D(p + 11, HOST_PITCH, host, HOST_PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice)));
  cudaGetLastError();
  conform_succeed(cudaFree(p));
}

/* ---- three dimensions ----------------------------------------------------------------------------------- */

static void rects_keep_what_is_around_them(void) {
  fill_rect();
  struct cudaMemcpy3DParms p = rect_copy(rect, pitched(seen), cudaMemcpyHostToDevice);
  memset(seen, 0x55, sizeof seen);
  p.dstPos = make_cudaPos(3, 2, 1);
  p.srcPos = make_cudaPos(1, 1, 0);
  p.extent = make_cudaExtent(10, 4, 2);
  conform_succeed(cudaMemcpy3D(&p));
  fetch_rect();
  for (int i = 0; i < HOST; i++) {
    int x = i % HOST_PITCH, y = i / HOST_PITCH % HEIGHT, z = i / HOST_PITCH / HEIGHT;
    int inside = x >= 3 && x < 13 && y >= 2 && y < 6 && z >= 1;
    conform_true(seen[i] == (x >= WIDTH ? 0xee : inside ? 0x55 : content(i)));
  }
}

static void rects_between_devices_places(void) {
  struct cudaPitchedPtr other = { NULL, 0, 0, 0 };
  conform_succeed(cudaMalloc3D(&other, make_cudaExtent(700, HEIGHT, DEPTH)));
  fill_rect();
  struct cudaMemcpy3DParms p = rect_copy(other, rect, cudaMemcpyDeviceToDevice);
  conform_succeed(cudaMemcpy3D(&p));
  memset(seen, 0xee, sizeof seen);
  p = rect_copy(pitched(seen), other, cudaMemcpyDefault);
  conform_succeed(cudaMemcpy3D(&p));
  for (int i = 0; i < HOST; i++)
    conform_true(seen[i] == (i % HOST_PITCH < WIDTH ? content(i) : 0xee));
  conform_succeed(cudaFree(other.ptr));
}

static void three_dimensions_have_bounds(void) {
  struct cudaMemcpy3DParms good = rect_copy(rect, pitched(host), cudaMemcpyHostToDevice), p = good;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(NULL));
  p.extent = make_cudaExtent(0, HEIGHT, DEPTH);
  conform_succeed(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(WIDTH, HEIGHT, 0);
  conform_succeed(cudaMemcpy3D(&p));
  p = good;
  p.srcPtr.pitch = WIDTH - 1;
  conform_expect(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p = good;
  p.dstPtr.pitch = WIDTH - 1;
  conform_expect(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p = good;
  p.srcPtr.ptr = NULL;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = good;
  p.dstPtr.ptr = NULL;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = good;
  p.kind = (enum cudaMemcpyKind)9;
  conform_expect(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&p));
  p = good;
  p.srcPos.x = HOST_PITCH - WIDTH + 1;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p = good;
  p.srcPtr.ysize = HEIGHT - 1;
  conform_expect(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  p.extent.depth = 1;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p.srcPtr.ysize = 0;
  conform_succeed(cudaMemcpy3D(&p));
}

static void peers_are_named(void) {
  unsigned char *p = NULL, *q = NULL;
  conform_succeed(cudaMalloc((void **)&p, 1000));
  conform_succeed(cudaMalloc((void **)&q, 1000));
  conform_succeed(cudaMemset(p, 5, 1000));
  conform_succeed(cudaMemcpyPeer(q, 0, p, 0, 1000));
  conform_succeed(cudaMemcpy(seen, q, 800, cudaMemcpyDeviceToHost));
  conform_true(seen[0] == 5 && seen[799] == 5);
  conform_succeed(cudaMemcpyPeer(q, 0, p, 0, 0));
  conform_succeed(cudaMemcpyPeer(q, 9999, p, 0, 0));
  conform_expect(cudaErrorInvalidDevice, cudaMemcpyPeer(q, 9999, p, 0, 10));
  conform_expect(cudaErrorInvalidDevice, cudaMemcpyPeer(q, 0, p, -1, 10));
  conform_expect(cudaErrorInvalidValue, cudaMemcpyPeer(NULL, 0, p, 0, 10));
  conform_expect(cudaErrorInvalidValue, cudaMemcpyPeer(q, 0, NULL, 0, 10));
  struct cudaMemcpy3DPeerParms peers;
  memset(&peers, 0, sizeof peers);
  peers.dstPtr = make_cudaPitchedPtr(q, 50, 50, 20);
  peers.srcPtr = make_cudaPitchedPtr(p, 25, 25, 40);
  peers.extent = make_cudaExtent(20, 10, 1);
  conform_succeed(cudaMemset(q, 0, 1000));
  conform_succeed(cudaMemcpy3DPeer(&peers));
  conform_succeed(cudaMemcpy(seen, q, 800, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 800; i++)
    conform_true(seen[i] == (i < 500 && i % 50 < 20 ? 5 : 0));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DPeer(NULL));
  peers.dstDevice = 9999;
  conform_expect(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&peers));
  conform_succeed(cudaFree(p));
  conform_succeed(cudaFree(q));
}

/* ---- pitches beyond the device's ------------------------------------------------------------------------ */

/* Of memory whose bounds are known, and of several rows. Where nobody knows them, CUDA reads and writes wherever the
 * pitch leads: test_cuda_memory.c has those. */
static void pitches_have_a_limit(void) {
  int limit = 0;
  unsigned char *p = NULL, *pinned = NULL;
  conform_succeed(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxPitch, 0));
  conform_succeed(cudaMalloc((void **)&p, HOST));
  conform_succeed(cudaMallocHost((void **)&pinned, HOST));
  const size_t pitch = (size_t)limit + 1;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy2D(p, pitch, host, 16, 16, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy2D(p, 16, p, pitch, 16, 2, cudaMemcpyDeviceToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy2D(p, 16, pinned, pitch, 16, 2, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2D(p, 16, host, pitch, 0, 2, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2D(p, 16, host, pitch, 16, 1, cudaMemcpyHostToDevice));
  printf("observed: a setting with a pitch beyond the limit: %s\n",
         cudaGetErrorName(cudaMemset2D(p, pitch, 1, 16, 1)));
  cudaGetLastError();
  conform_succeed(cudaFreeHost(pinned));
  conform_succeed(cudaFree(p));
}

/* ---- settings ------------------------------------------------------------------------------------------- */

static void rects_are_set(void) {
  fill_rect();
  conform_succeed(cudaMemset2D((char *)rect.ptr + 4, rect.pitch, 0x107, 9, HEIGHT));
  struct cudaPitchedPtr upper = rect;
  upper.ptr = (char *)rect.ptr + rect.pitch * HEIGHT;
  conform_succeed(cudaMemset3D(upper, 8, make_cudaExtent(20, 3, 2)));
  fetch_rect();
  for (int i = 0; i < HOST; i++) {
    int x = i % HOST_PITCH, y = i / HOST_PITCH % HEIGHT, z = i / HOST_PITCH / HEIGHT;
    int flat = z == 0 && x >= 4 && x<13, deep = z> 0 && x < 20 && y < 3;
    conform_true(seen[i] == (x >= WIDTH ? 0xee : flat ? 7 : deep ? 8 : content(i)));
  }
}

static void many_rows_are_set(void) {
  enum { ROWS = 5000, ROW = 24 };
  static unsigned char all[ROWS * ROW];
  unsigned char *p = NULL;
  conform_succeed(cudaMalloc((void **)&p, sizeof all));
  conform_succeed(cudaMemset(p, 1, sizeof all));
  conform_succeed(cudaMemset2D(p + 3, ROW, 2, 17, ROWS));
  conform_succeed(cudaMemcpy(all, p, sizeof all, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < ROWS * ROW; i++)
    wrong += all[i] != (i % ROW >= 3 && i % ROW < 20 ? 2 : 1);
  conform_true(wrong == 0);
  conform_succeed(cudaFree(p));
}

static void settings_have_bounds(void) {
  conform_succeed(cudaMemset2D(rect.ptr, rect.pitch, 1, 0, 5));
  conform_succeed(cudaMemset2D(rect.ptr, rect.pitch, 1, 5, 0));
  conform_succeed(cudaMemset3D(rect, 1, make_cudaExtent(0, 0, 0)));
  conform_expect(cudaErrorInvalidValue, cudaMemset2D(NULL, 10, 1, 5, 5));
  conform_expect(cudaErrorInvalidValue, cudaMemset2D(host, 10, 1, 5, 5));
  conform_expect(cudaErrorInvalidValue, cudaMemset3D(pitched(host), 1, make_cudaExtent(5, 5, 2)));
  conform_expect(cudaErrorInvalidValue, cudaMemset2D(rect.ptr, 10, 1, 11, 5));
  conform_succeed(cudaMemset2D(rect.ptr, 10, 1, 11, 1));
  const struct cudaPitchedPtr small = make_cudaPitchedPtr(rect.ptr, 10, 10, 5);
  conform_expect(cudaErrorInvalidValue, cudaMemset3D(small, 1, make_cudaExtent(11, 5, 2)));
  conform_expect(cudaErrorInvalidValue, cudaMemset3D(small, 1, make_cudaExtent(10, 6, 2)));
  conform_expect(cudaErrorInvalidValue, cudaMemset3D(small, 1, make_cudaExtent(10, 6, 1)));
  conform_succeed(cudaMemset3D(small, 1, make_cudaExtent(10, 5, 0)));
}

int main(void) {
  conform_succeed(cudaMalloc3D(&rect, make_cudaExtent(WIDTH, HEIGHT, DEPTH)));
  pitches_hold_a_row();
  an_extent_becomes_memory();
  observe_empty_memory();
  rows_go_there_and_back();
  rows_between_devices_places();
  two_dimensions_have_bounds();
  rects_keep_what_is_around_them();
  rects_between_devices_places();
  three_dimensions_have_bounds();
  peers_are_named();
  pitches_have_a_limit();
  rects_are_set();
  many_rows_are_set();
  settings_have_bounds();
  conform_succeed(cudaFree(rect.ptr));
  return conform_done("conform_pitched");
}
