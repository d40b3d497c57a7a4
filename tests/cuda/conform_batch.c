/* SPDX-License-Identifier: MIT */
/* conform_batch - several copies, prefetches and discards by one call: what arrives, orders of reading, refusals. */
#include "conform.h"

#include <string.h>

enum { PIECES = 4, BYTES = 1000 };

static cudaStream_t stream;

static struct cudaMemcpyAttributes read_in(enum cudaMemcpySrcAccessOrder order) {
  struct cudaMemcpyAttributes attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.srcAccessOrder = order;
  return attributes;
}

static int holds(const unsigned char *bytes, int value, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i] != (unsigned char)value)
      return 0;
  return 1;
}

/* To the device and back, in pieces of different sizes. */
static void lines_arrive(void) {
  static unsigned char sent[PIECES][BYTES], got[PIECES][BYTES];
  unsigned char *device = NULL;
  void *to[PIECES], *back[PIECES];
  const void *from[PIECES], *there[PIECES];
  size_t sizes[PIECES], first = 0;
  struct cudaMemcpyAttributes attributes = read_in(cudaMemcpySrcAccessOrderStream);
  conform_succeed(cudaMalloc((void **)&device, PIECES * BYTES));
  for (int i = 0; i < PIECES; i++) {
    memset(sent[i], i + 1, BYTES);
    from[i] = sent[i];
    to[i] = device + i * BYTES;
    there[i] = device + i * BYTES;
    back[i] = got[i];
    sizes[i] = BYTES - (size_t)i * 100;
  }
  conform_succeed(cudaMemcpyBatchAsync(to, from, sizes, PIECES, &attributes, &first, 1, stream));
  conform_succeed(cudaMemcpyBatchAsync(back, there, sizes, PIECES, &attributes, &first, 1, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  for (int i = 0; i < PIECES; i++)
    conform_true(holds(got[i], i + 1, sizes[i]) && holds(got[i] + sizes[i], 0, BYTES - sizes[i]));
  conform_succeed(cudaFree(device));
}

/* What is read during the call may be changed as soon as it returns. */
static void sources_are_read_in_time(void) {
  unsigned char *device = NULL, *pinned = NULL, got[2][BYTES];
  conform_succeed(cudaMalloc((void **)&device, 2 * BYTES));
  conform_succeed(cudaMallocHost((void **)&pinned, 2 * BYTES));
  memset(pinned, 7, 2 * BYTES);
  void *to[] = { device, device + BYTES };
  const void *from[] = { pinned, pinned + BYTES };
  const size_t sizes[] = { BYTES, BYTES };
  size_t first[] = { 0, 1 };
  struct cudaMemcpyAttributes attributes[] = { read_in(cudaMemcpySrcAccessOrderDuringApiCall),
                                               read_in(cudaMemcpySrcAccessOrderAny) };
  conform_succeed(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, first, 2, stream));
  memset(pinned, 9, BYTES); /* the first alone */
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  conform_true(holds(got[0], 7, BYTES) && holds(got[1], 7, BYTES));
  conform_succeed(cudaFreeHost(pinned));
  conform_succeed(cudaFree(device));
}

static void wrong_lines_are_refused(void) {
  unsigned char *device = NULL, host[16] = { 0 };
  conform_succeed(cudaMalloc((void **)&device, 16));
  void *to[] = { device, device };
  const void *from[] = { host, host };
  const size_t sizes[] = { 16, 16 }, none[] = { 0, 16 };
  size_t first[] = { 0, 1 }, late[] = { 1, 1 }, same[] = { 0, 0 }, beyond[] = { 0, 2 };
  struct cudaMemcpyAttributes two[] = { read_in(cudaMemcpySrcAccessOrderStream),
                                        read_in(cudaMemcpySrcAccessOrderStream) };
  struct cudaMemcpyAttributes bad = read_in((enum cudaMemcpySrcAccessOrder)9);
  const cudaError_t invalid = cudaErrorInvalidValue;
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 2, two, first, 2, NULL));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 2, two, late, 1, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 2, two, same, 2, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 2, two, beyond, 2, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 1, two, first, 2, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 2, &bad, first, 1, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(NULL, from, sizes, 2, two, first, 2, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, none, 1, two, first, 1, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 0, two, first, 1, stream));
  conform_expect(invalid, cudaMemcpyBatchAsync(to, from, sizes, 1, NULL, NULL, 0, stream));
  conform_succeed(cudaFree(device));
}

static struct cudaMemcpy3DOperand pointer_operand(void *ptr, size_t row, size_t rows) {
  struct cudaMemcpy3DOperand operand;
  memset(&operand, 0, sizeof operand);
  operand.type = cudaMemcpyOperandTypePointer;
  operand.op.ptr.ptr = ptr;
  operand.op.ptr.rowLength = row;
  operand.op.ptr.layerHeight = rows;
  return operand;
}

static struct cudaMemcpy3DBatchOp copy_of(struct cudaMemcpy3DOperand to, struct cudaMemcpy3DOperand from,
                                          size_t width, size_t height, size_t depth) {
  struct cudaMemcpy3DBatchOp op;
  memset(&op, 0, sizeof op);
  op.dst = to;
  op.src = from;
  op.extent.width = width;
  op.extent.height = height;
  op.extent.depth = depth;
  op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  return op;
}

/* Two layers of 3 rows of 4 bytes, out of rows of 8 in layers of 5. */
static void rects_arrive(void) {
  enum { ROW = 8, ROWS = 5, LAYERS = 2 };
  unsigned char sent[LAYERS][ROWS][ROW], got[LAYERS][3][4], *device = NULL;
  for (int i = 0; i < LAYERS * ROWS * ROW; i++)
    (&sent[0][0][0])[i] = (unsigned char)i;
  conform_succeed(cudaMalloc((void **)&device, sizeof sent));
  struct cudaMemcpy3DBatchOp in =
      copy_of(pointer_operand(device, ROW, ROWS), pointer_operand(sent, ROW, ROWS), ROW, ROWS, LAYERS);
  struct cudaMemcpy3DBatchOp out =
      copy_of(pointer_operand(got, 0, 0), pointer_operand(device + ROW + 2, ROW, ROWS), 4, 3, LAYERS);
  conform_succeed(cudaMemcpy3DBatchAsync(1, &in, 0, stream));
  conform_succeed(cudaMemcpy3DBatchAsync(1, &out, 0, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  int same = 1;
  for (int z = 0; z < LAYERS; z++)
    for (int y = 0; y < 3; y++)
      same = same && memcmp(got[z][y], &sent[z][y + 1][2], 4) == 0;
  conform_true(same);
  conform_succeed(cudaFree(device));
}

static void arrays_are_operands(void) {
  const struct cudaChannelFormatDesc words = { 32, 0, 0, 0, cudaChannelFormatKindUnsigned };
  unsigned sent[3][4], got[2][2];
  cudaArray_t array = NULL;
  struct cudaMemcpy3DOperand all, part;
  for (unsigned i = 0; i < 12; i++)
    (&sent[0][0])[i] = i;
  conform_succeed(cudaMallocArray(&array, &words, 4, 3, cudaArrayDefault));
  memset(&all, 0, sizeof all);
  all.type = cudaMemcpyOperandTypeArray;
  all.op.array.array = array;
  part = all;
  part.op.array.offset.x = 1;
  part.op.array.offset.y = 1;
  struct cudaMemcpy3DBatchOp in = copy_of(all, pointer_operand(sent, 0, 0), 4, 3, 1);
  struct cudaMemcpy3DBatchOp out = copy_of(pointer_operand(got, 0, 0), part, 2, 2, 1);
  conform_succeed(cudaMemcpy3DBatchAsync(1, &in, 0, stream));
  conform_succeed(cudaMemcpy3DBatchAsync(1, &out, 0, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(got[0][0] == 5 && got[0][1] == 6 && got[1][0] == 9 && got[1][1] == 10);
  conform_succeed(cudaFreeArray(array));
}

static void wrong_rects_are_refused(void) {
  unsigned char *device = NULL, host[64] = { 0 };
  conform_succeed(cudaMalloc((void **)&device, 64));
  struct cudaMemcpy3DBatchOp op = copy_of(pointer_operand(device, 0, 0), pointer_operand(host, 0, 0), 8, 2, 1);
  struct cudaMemcpy3DBatchOp empty = op, narrow = op, unordered = op;
  empty.extent.depth = 0;
  narrow.dst.op.ptr.rowLength = 4;
  unordered.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 1, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, NULL, 0, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &empty, 0, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &narrow, 0, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &unordered, 0, stream));
  conform_succeed(cudaFree(device));
}

static int last_prefetch(void *ptr, size_t size) {
  int where = 99;
  conform_succeed(
      cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, ptr, size));
  return where;
}

static void ranges_are_prefetched_and_discarded(void) {
  int concurrent = 0;
  unsigned char *one = NULL, *other = NULL;
  conform_succeed(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  if (!concurrent)
    return; /* CUDA has none of these calls there */
  conform_succeed(cudaMallocManaged((void **)&one, 65536, cudaMemAttachGlobal));
  conform_succeed(cudaMallocManaged((void **)&other, 65536, cudaMemAttachGlobal));
  void *ptrs[] = { one, other };
  size_t sizes[] = { 65536, 65536 }, first[] = { 0, 1 };
  struct cudaMemLocation to[] = { { cudaMemLocationTypeDevice, 0 }, { cudaMemLocationTypeHost, 0 } };
  memset(one, 3, 65536);
  memset(other, 4, 65536);
  conform_succeed(cudaMemPrefetchBatchAsync(ptrs, sizes, 2, to, first, 2, 0, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(last_prefetch(one, 65536) == 0 && last_prefetch(other, 65536) == cudaCpuDeviceId);
  conform_true(holds(one, 3, 65536) && holds(other, 4, 65536));
  conform_succeed(cudaMemDiscardBatchAsync(ptrs, sizes, 2, 0, stream));
  conform_succeed(cudaMemDiscardAndPrefetchBatchAsync(ptrs, sizes, 2, to, first, 1, 0, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(last_prefetch(other, 65536) == 0);
  memset(other, 5, 65536);
  conform_true(holds(other, 5, 65536));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ptrs, sizes, 2, to, first, 2, 0, NULL));
  conform_expect(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ptrs, sizes, 2, to, first, 2, 1, stream));
  conform_expect(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(ptrs, NULL, 2, 0, stream));
  conform_succeed(cudaFree(one));
  conform_succeed(cudaFree(other));
}

int main(void) {
  conform_succeed(cudaStreamCreate(&stream));
  lines_arrive();
  sources_are_read_in_time();
  wrong_lines_are_refused();
  rects_arrive();
  arrays_are_operands();
  wrong_rects_are_refused();
  ranges_are_prefetched_and_discarded();
  conform_succeed(cudaStreamDestroy(stream));
  return conform_done("conform_batch");
}
