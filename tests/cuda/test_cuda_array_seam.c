/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_array_seam - copies between arrays and an allocation of several buffers, across its seams, beside memory of
 * the test's own: rects and lines, with gaps and without, aligned to elements or not; and calls that fail among them.
 *
 * Buffers are of 1 MiB and lie apart.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "expect.h"
#include "layer/faults.h"

#define MIB ((size_t)1 << 20)

enum { WIDTH = 29, HEIGHT = 11, DEPTH = 3, ROUNDS = 200, ODD = 1234 };

static const size_t span_bytes = 3 * MIB + ODD;

static const struct cudaChannelFormatDesc descs[] = { { 8, 0, 0, 0, cudaChannelFormatKindUnsigned },
                                                      { 32, 0, 0, 0, cudaChannelFormatKindUnsigned },
                                                      { 16, 16, 16, 16, cudaChannelFormatKindSigned },
                                                      { 32, 32, 32, 32, cudaChannelFormatKindFloat } };
static const size_t elements[] = { 1, 4, 8, 16 };

static uint64_t seed;
static unsigned char *span, *model, *seen;
static unsigned char content[WIDTH * HEIGHT * DEPTH * 16], out[sizeof content];

static void setup(void) {
  seed = 17;
  model = malloc(span_bytes);
  seen = malloc(span_bytes);
  for (size_t i = 0; i < span_bytes; i++)
    model[i] = (unsigned char)(i * 7 + i / 251 + i / 65537);
  span = (unsigned char *)device_memory(span_bytes);
  succeed(cudaMemcpy(span, model, span_bytes, cudaMemcpyHostToDevice));
}

static void teardown(void) {
  succeed(cudaMemcpy(seen, span, span_bytes, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(memcmp(seen, model, span_bytes), 0);
  succeed(cudaFree(span));
  free(model);
  free(seen);
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

/* Elements of one size, and what they must be; depth 0: of two dimensions. */
typedef struct block {
  cudaArray_t array;
  size_t element, extent[3];
} block;

static struct cudaMemcpy3DParms all_of(const block *b, void *memory, bool to_array) {
  const size_t row = b->extent[0] * b->element;
  const struct cudaPitchedPtr packed = make_cudaPitchedPtr(memory, row, row, b->extent[1]);
  struct cudaMemcpy3DParms p = { .extent = make_cudaExtent(b->extent[0], b->extent[1], b->extent[2]),
                                 .kind = cudaMemcpyDefault };
  p.dstArray = to_array ? b->array : NULL;
  p.srcArray = to_array ? NULL : b->array;
  *(to_array ? &p.srcPtr : &p.dstPtr) = packed;
  return p;
}

static void make(block *b, int kind, size_t depth) {
  *b = (block){ .element = elements[kind], .extent = { WIDTH, HEIGHT, depth > 0 ? depth : 1 } };
  succeed(cudaMalloc3DArray(&b->array, &descs[kind], make_cudaExtent(WIDTH, HEIGHT, depth), 0));
  for (size_t i = 0; i < sizeof content; i++)
    content[i] = (unsigned char)support_random(&seed);
  const struct cudaMemcpy3DParms p = all_of(b, content, true);
  succeed(cudaMemcpy3D(&p));
}

static size_t bytes_of(const block *b) {
  return b->extent[0] * b->extent[1] * b->extent[2] * b->element;
}

static void expect_content(const block *b) {
  const struct cudaMemcpy3DParms p = all_of(b, out, false);
  succeed(cudaMemcpy3D(&p));
  ck_assert_int_eq(memcmp(out, content, bytes_of(b)), 0);
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

/* A rect of an array, and where it is in the span. */
typedef struct rect {
  size_t at[3], region[3], first, pitch, rows;
} rect;

static size_t reach_of(const block *b, const rect *r) {
  return ((r->region[2] - 1) * r->rows + r->region[1] - 1) * r->pitch + r->region[0] * b->element;
}

/* Around a seam, with narrow gaps, wide ones or none; aligned to elements every other time. */
static void choose(const block *b, rect *r) {
  for (int i = 0; i < 3; i++) {
    r->region[i] = 1 + support_below(&seed, b->extent[i]);
    r->at[i] = support_below(&seed, b->extent[i] - r->region[i] + 1);
  }
  const size_t most = 3 * MIB / ((r->region[1] + 2) * r->region[2]), row = r->region[0] * b->element;
  const size_t gaps[] = { 0, support_below(&seed, 40), support_below(&seed, most - row) };
  r->pitch = row + gaps[support_below(&seed, 3)];
  r->rows = r->region[1] + support_below(&seed, 3);
  const size_t reach = reach_of(b, r), seam = (1 + support_below(&seed, 3)) * MIB;
  r->first = seam - support_below(&seed, reach < seam ? reach : seam);
  if (r->first + reach > span_bytes)
    r->first = span_bytes - reach;
  if (support_below(&seed, 2) == 0)
    r->first -= r->first % b->element;
}

static void move_model(const block *b, const rect *r, bool to_array) {
  for (size_t z = 0; z < r->region[2]; z++)
    for (size_t y = 0; y < r->region[1]; y++) {
      const size_t row = (r->at[2] + z) * b->extent[1] + r->at[1] + y;
      unsigned char *inside = content + (row * b->extent[0] + r->at[0]) * b->element;
      unsigned char *outside = model + r->first + (z * r->rows + y) * r->pitch;
      memcpy(to_array ? inside : outside, to_array ? outside : inside, r->region[0] * b->element);
    }
}

static struct cudaMemcpy3DParms copy_of(const block *b, const rect *r, bool to_array) {
  struct cudaMemcpy3DParms p = { .extent = make_cudaExtent(r->region[0], r->region[1], r->region[2]),
                                 .kind = cudaMemcpyDeviceToDevice };
  p.dstArray = to_array ? b->array : NULL;
  p.srcArray = to_array ? NULL : b->array;
  *(to_array ? &p.dstPos : &p.srcPos) = make_cudaPos(r->at[0], r->at[1], r->at[2]);
  *(to_array ? &p.srcPtr : &p.dstPtr) = make_cudaPitchedPtr(span + r->first, r->pitch, r->pitch, r->rows);
  return p;
}

static void move_rects(size_t depth, cudaStream_t stream) {
  block b;
  for (int kind = 0; kind < 4; kind++) {
    make(&b, kind, depth);
    for (long round = support_rounds(ROUNDS); round > 0; round--) {
      rect r;
      choose(&b, &r);
      const bool to_array = support_below(&seed, 2) == 0;
      const struct cudaMemcpy3DParms p = copy_of(&b, &r, to_array);
      succeed(stream != NULL ? cudaMemcpy3DAsync(&p, stream) : cudaMemcpy3D(&p));
      move_model(&b, &r, to_array);
    }
    if (stream != NULL)
      succeed(cudaStreamSynchronize(stream));
    expect_content(&b);
    succeed(cudaFreeArray(b.array));
  }
}

START_TEST(rects_cross_seams) {
  move_rects(_i == 0 ? 0 : DEPTH, NULL);
}
END_TEST

START_TEST(rects_cross_seams_on_a_stream) {
  cudaStream_t stream;
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  move_rects(DEPTH, stream);
  succeed(cudaStreamDestroy(stream));
}
END_TEST

/* ---- lines ---------------------------------------------------------------------------------------------- */

START_TEST(lines_cross_seams) {
  block b;
  make(&b, 1, 0);
  for (long round = support_rounds(ROUNDS); round > 0; round--) {
    const size_t from = support_below(&seed, WIDTH * HEIGHT), count = support_below(&seed, WIDTH * HEIGHT - from) + 1;
    const size_t first = MIB - support_below(&seed, 4 * count), x = from % WIDTH * 4, y = from / WIDTH;
    if (support_below(&seed, 2) == 0) {
      succeed(cudaMemcpyToArray(b.array, x, y, span + first, 4 * count, cudaMemcpyDeviceToDevice));
      memcpy(content + 4 * from, model + first, 4 * count);
    } else {
      succeed(cudaMemcpyFromArray(span + first, b.array, x, y, 4 * count, cudaMemcpyDeviceToDevice));
      memcpy(model + first, content + 4 * from, 4 * count);
    }
  }
  expect_content(&b);
  succeed(cudaFreeArray(b.array));
}
END_TEST

/* ---- graphs, what is refused, failures ------------------------------------------------------------------ */

START_TEST(a_graph_does_as_the_stream_did) {
  block b;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  make(&b, 3, DEPTH);
  const rect r = { .region = { WIDTH, HEIGHT, DEPTH }, .first = 2 * MIB - 1001, .pitch = WIDTH * 16, .rows = HEIGHT };
  const struct cudaMemcpy3DParms p = copy_of(&b, &r, true);
  succeed(cudaStreamCreate(&stream));
  succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  succeed(cudaMemcpy3DAsync(&p, stream));
  succeed(cudaStreamEndCapture(stream, &graph));
  expect_content(&b);
  succeed(cudaGraphInstantiate(&exec, graph, 0));
  succeed(cudaGraphLaunch(exec, stream));
  succeed(cudaStreamSynchronize(stream));
  move_model(&b, &r, true);
  expect_content(&b);
  succeed(cudaGraphExecDestroy(exec));
  succeed(cudaGraphDestroy(graph));
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFreeArray(b.array));
}
END_TEST

START_TEST(what_leaves_the_allocation_moves_nothing) {
  block b;
  make(&b, 1, 0);
  unsigned char *near = span + span_bytes - WIDTH * 4 * HEIGHT + 1;
  expect(cudaErrorInvalidValue,
         cudaMemcpy2DToArray(b.array, 0, 0, near, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToDevice));
  expect(cudaErrorInvalidValue,
         cudaMemcpy2DFromArray(near, WIDTH * 4, b.array, 0, 0, WIDTH * 4, HEIGHT, cudaMemcpyDeviceToDevice));
  const size_t wide = MIB / 2; /* the last row leaves it, and seams lie before */
  expect(cudaErrorInvalidValue,
         cudaMemcpy2DFromArray(span, wide, b.array, 0, 0, WIDTH * 4, 8, cudaMemcpyDeviceToDevice));
  expect(cudaErrorInvalidValue,
         cudaMemcpyFromArray(near, b.array, 0, 0, WIDTH * 4 * HEIGHT, cudaMemcpyDeviceToDevice));
  expect_content(&b);
  succeed(cudaFreeArray(b.array));
}
END_TEST

/* Where a call failed some rows have moved, or none; the next call moves all. */
START_TEST(every_call_may_fail_once) {
  block b;
  bool has_fired = faults_can();
  const bool to_array = _i == 0;
  make(&b, 3, DEPTH);
  const rect r = { .region = { WIDTH, HEIGHT, DEPTH }, .first = MIB - 5001, .pitch = WIDTH * 16, .rows = HEIGHT };
  const struct cudaMemcpy3DParms p = copy_of(&b, &r, to_array);
  succeed(cudaMemcpy3D(&p));
  succeed(cudaDeviceSynchronize());
  const size_t objects = faults_objects();
  for (long n = 1; has_fired; n++) {
    faults_plant(n, CL_OUT_OF_RESOURCES);
    cudaError_t error = cudaMemcpy3D(&p);
    has_fired = faults_pull();
    if (!has_fired)
      succeed(error);
    cudaGetLastError();
    cudaDeviceSynchronize();
    cudaGetLastError();
    ck_assert_uint_eq(faults_objects(), objects);
    ck_assert_int_lt(n, 500);
  }
  move_model(&b, &r, to_array);
  expect_content(&b);
  succeed(cudaFreeArray(b.array));
}
END_TEST

static Suite *array_seam_suite(void) {
  Suite *suite = suite_create("cuda_array_seam");
  TCase *seams = tcase_create("seams");
  tcase_add_checked_fixture(seams, setup, teardown);
  tcase_add_loop_test(seams, rects_cross_seams, 0, 2);
  tcase_add_test(seams, rects_cross_seams_on_a_stream);
  tcase_add_test(seams, lines_cross_seams);
  tcase_add_test(seams, a_graph_does_as_the_stream_did);
  tcase_add_test(seams, what_leaves_the_allocation_moves_nothing);
  tcase_add_loop_test(seams, every_call_may_fail_once, 0, 2);
  suite_add_tcase(suite, seams);
  return suite;
}

int main(void) {
  setenv("VPTR_RESERVE", "256M", 1); /* windows of 1 MiB, and parts are whole windows */
  setenv("VPTR_BUFFER_BYTES", "1M", 1);
  setenv("VPTR_BUFFER_ROWS", "0", 1);
  faults_begin();
  return support_run(array_seam_suite());
}
