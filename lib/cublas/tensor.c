/* SPDX-License-Identifier: MIT */
/*
 * tensor - products of doubles by NVIDIA's tensor cores; see tensor.h.
 *
 * A group has a tile of C, 64 by 64, and goes along k in steps of 16. Its four warps have a quarter each, 32 by 32, in
 * registers, as two by four of what one mma adds up:
 *
 *     tile of A, 64 by 16, and of B, 16 by 64, in local memory       the next ones are on their way to registers
 *     +----+----+
 *     | w0 | w2 |   an mma: 16 by 8 of C += 16 by 16 of A times 16 by 8 of B
 *     +----+----+   lane l has of A rows l / 4 and l / 4 + 8, of B column l / 4, in both every fourth of the 16 steps
 *     | w1 | w3 |   from l % 4 on; of C both rows, columns l % 4 * 2 and the next
 *     +----+----+
 *
 * Lines of a tile are 4 elements longer than they need be, so that the 16 lanes that read at once find 16 banks. Groups
 * go through C in bands of eight columns of tiles, whose part of B stays in the cache. A form for each of the four ways
 * to turn A and B, because what lies side by side in memory is to be read side by side; each is a program, built when
 * it is first wanted and kept on disk.
 *
 * The static `forms` has the kernels of each device. They keep the context in which they were built; for another one
 * they are built anew. `lock`, of rank MAPPING, guards them: a kernel's arguments are one thread's at a time, so it is
 * held while a product is sent, and while the driver's compiler runs. Called by product.c. Nothing else waits.
 */
#include "cublas/tensor.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/log.h"
#include "cublas/place.h"
#include "device/program_kept.h"

#include <string.h>

static const char source[] =
    "#define TILE 64\n"
    "#define STEP 16\n"
    "#define THREADS 128\n"
    "#define EACH (TILE * STEP / THREADS)\n"
    /* Of a tile: element (k, x), x along m or n, where the elements along k lie side by side, or those along x. */
    "#define IN_ROWS(k, x) ((x) * (STEP + 4) + (k))\n"
    "#define IN_COLUMNS(k, x) ((k) * (TILE + 4) + (x))\n"
    "#if A_TURNS\n"
    "#define A_AT IN_ROWS\n"
    "#define A_K(i) ((i) % STEP)\n"
    "#define A_X(i) ((i) / STEP)\n"
    "#define A_FROM(k, x) ((x) * lda + (k))\n"
    "#else\n"
    "#define A_AT IN_COLUMNS\n"
    "#define A_K(i) ((i) / TILE)\n"
    "#define A_X(i) ((i) % TILE)\n"
    "#define A_FROM(k, x) ((k) * lda + (x))\n"
    "#endif\n"
    "#if B_TURNS\n"
    "#define B_AT IN_COLUMNS\n"
    "#define B_K(i) ((i) / TILE)\n"
    "#define B_X(i) ((i) % TILE)\n"
    "#define B_FROM(k, x) ((k) * ldb + (x))\n"
    "#else\n"
    "#define B_AT IN_ROWS\n"
    "#define B_K(i) ((i) % STEP)\n"
    "#define B_X(i) ((i) / STEP)\n"
    "#define B_FROM(k, x) ((x) * ldb + (k))\n"
    "#endif\n"
    "#define LOAD(OF, from, edge, size, next, matrix) \\\n"
    "  for (int i = 0; i < EACH; i++) { \\\n"
    "    const int at = i * THREADS + id; \\\n"
    "    const long deep = (from) + OF##_K(at), x = (edge) + OF##_X(at); \\\n"
    "    next[i] = is_inside && (from) + STEP <= k || deep < k && x < (size) ? matrix[OF##_FROM(deep, x)] : 0; \\\n"
    "  }\n"
    "__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void product(\n"
    "    long m, long n, long k, double alpha, __global const double *restrict a, long a_offset, long lda,\n"
    "    __global const double *restrict b, long b_offset, long ldb, double beta, __global double *c, long "
    "c_offset,\n"
    "    long ldc) {\n"
    "  __local double a_tile[TILE * (STEP + 4)], b_tile[TILE * (STEP + 4)];\n"
    "  const int id = get_local_id(0), warp = id / 32, group = id % 32 / 4, part = id % 4;\n"
    "  const long rows = (m + TILE - 1) / TILE, columns = (n + TILE - 1) / TILE;\n"
    "  const long band = get_group_id(0) / (8 * rows), inner = get_group_id(0) % (8 * rows);\n"
    "  const long width = min(8L, columns - band * 8);\n"
    "  const long top = inner / width * TILE, left = (band * 8 + inner % width) * TILE;\n"
    "  const int row = warp % 2 * 32 + group, column = warp / 2 * 32 + group;\n"
    "  const bool is_inside = top + TILE <= m && left + TILE <= n;\n"
    "  double sum[2][4][4], a_next[EACH], b_next[EACH];\n"
    "  a += a_offset; b += b_offset; c += c_offset;\n"
    "  for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) for (int e = 0; e < 4; e++) sum[i][j][e] = 0;\n"
    "  LOAD(A, 0L, top, m, a_next, a)\n"
    "  LOAD(B, 0L, left, n, b_next, b)\n"
    "  for (long from = 0; from < k; from += STEP) {\n"
    "    for (int i = 0; i < EACH; i++) {\n"
    "      const int at = i * THREADS + id;\n"
    "      a_tile[A_AT(A_K(at), A_X(at))] = a_next[i];\n"
    "      b_tile[B_AT(B_K(at), B_X(at))] = b_next[i];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (from + STEP < k) {\n"
    "      LOAD(A, from + STEP, top, m, a_next, a)\n"
    "      LOAD(B, from + STEP, left, n, b_next, b)\n"
    "    }\n"
    "    double x[8], y[4][4];\n"
    "    for (int j = 0; j < 4; j++)\n"
    "      for (int e = 0; e < 4; e++) y[j][e] = b_tile[B_AT(e * 4 + part, column + j * 8)];\n"
    "    for (int i = 0; i < 2; i++) {\n"
    "      for (int e = 0; e < 8; e++) x[e] = a_tile[A_AT(e / 2 * 4 + part, row + i * 16 + e % 2 * 8)];\n"
    "      for (int j = 0; j < 4; j++)\n"
    "        asm(\"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, \"\n"
    "            \"{%12,%13,%14,%15}, {%0,%1,%2,%3};\"\n"
    "            : \"+d\"(sum[i][j][0]), \"+d\"(sum[i][j][1]), \"+d\"(sum[i][j][2]), \"+d\"(sum[i][j][3])\n"
    "            : \"d\"(x[0]), \"d\"(x[1]), \"d\"(x[2]), \"d\"(x[3]), \"d\"(x[4]), \"d\"(x[5]), \"d\"(x[6]),\n"
    "              \"d\"(x[7]), \"d\"(y[j][0]), \"d\"(y[j][1]), \"d\"(y[j][2]), \"d\"(y[j][3]));\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) for (int e = 0; e < 4; e++) {\n"
    "    const long at_row = top + row + i * 16 + e / 2 * 8;\n"
    "    const long at_column = left + column - group + j * 8 + part * 2 + e % 2;\n"
    "    if (at_row < m && at_column < n) {\n"
    "      __global double *at = c + at_row + at_column * ldc;\n"
    "      *at = beta == 0 ? alpha * sum[i][j][e] : alpha * sum[i][j][e] + beta * *at;\n"
    "    }\n"
    "  }\n"
    "}\n";

enum { TILE = 64, THREADS = 128, LEAST_CAPABILITY = 900 };

/* Multiplications from which on a group's tile is not mostly empty. */
static const double WORTH_IT = 1 << 18;

typedef struct form {
  cl_context context; /* NULL: not tried yet */
  cl_program program;
  cl_kernel kernel; /* NULL: the driver did not build it there */
} form;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_MAPPING);
static form forms[VPTR__MOST_DEVICES][2][2]; /* whether A turns, B turns */

static void release_form(vptr__device *device, form *it) {
  if (it->kernel != NULL)
    device->ops->kernel.release(device, it->kernel);
  if (it->program != NULL)
    device->ops->kernel.program_release(device, it->program);
  memset(it, 0, sizeof *it);
}

/* A driver that does not build it is not asked again. */
static void build_form(vptr__device *device, form *it, bool a_turns, bool b_turns) {
  static const char *const options[2][2] = { { "-DA_TURNS=0 -DB_TURNS=0", "-DA_TURNS=0 -DB_TURNS=1" },
                                             { "-DA_TURNS=1 -DB_TURNS=0", "-DA_TURNS=1 -DB_TURNS=1" } };
  const vptr__program_source text = {
    .text = source, .length = sizeof source - 1, .options = options[a_turns][b_turns], .kernel = "product"
  };
  release_form(device, it);
  it->context = device->cl_context;
  vptr__error_try();
  vptr_status status = vptr__program_build_kept(device, &text, &it->program);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.create(device, it->program, "product", &it->kernel);
  if (status != VPTR_SUCCESS) {
    it->kernel = NULL;
    vptr__log(VPTR__LOG_DECISION, "%s has no kernel for products by tensor cores: CLBlast does them (%s)",
              device->name, vptr_last_error());
  }
  vptr__error_tried(VPTR_SUCCESS);
}

static vptr_status set_arguments(vptr__device *device, cl_kernel kernel, const vptr__blas_product *it,
                                 const vptr__blas_places *at) {
  const cl_long a[] = { (cl_long)at->a.offset, (cl_long)at->a.ld },
                b[] = { (cl_long)at->b.offset, (cl_long)at->b.ld };
  const cl_long c[] = { (cl_long)at->c.offset, (cl_long)at->c.ld }, m = it->m, n = it->n, k = it->k;
  const double alpha = it->alpha.value.d, beta = it->beta.value.d;
  const struct {
    size_t size;
    const void *value;
  } arguments[] = { { sizeof m, &m },       { sizeof n, &n },       { sizeof k, &k },       { sizeof alpha, &alpha },
                    { 0, at->a.buffer },    { sizeof a[0], &a[0] }, { sizeof a[1], &a[1] }, { 0, at->b.buffer },
                    { sizeof b[0], &b[0] }, { sizeof b[1], &b[1] }, { sizeof beta, &beta }, { 0, at->c.buffer },
                    { sizeof c[0], &c[0] }, { sizeof c[1], &c[1] } };
  vptr_status status = VPTR_SUCCESS;
  for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments && status == VPTR_SUCCESS; i++)
    status = arguments[i].size == 0
                 ? device->ops->kernel.arg_buffer(device, kernel, i, (cl_mem)(uintptr_t)arguments[i].value)
                 : device->ops->kernel.arg_value(device, kernel, i, arguments[i].value, arguments[i].size);
  return status;
}

/* In the stream's turn, and under the lock. */
static vptr_status send_kernel(const vptr__blas_call *call, cl_kernel kernel, const vptr__blas_product *it,
                               cl_command_queue queue) {
  vptr__device *device = call->mapper->device;
  const size_t groups = ((size_t)it->m + TILE - 1) / TILE * (((size_t)it->n + TILE - 1) / TILE);
  const size_t none[3] = { 0 }, global[3] = { groups * THREADS, 1, 1 }, local[3] = { THREADS, 1, 1 };
  cl_event event = NULL;
  vptr_status status = device->ops->kernel.enqueue(device, queue, kernel, none, global, local, &event);
  vptr__stream_note(call->stream, event);
  return status;
}

static void send_in_turn(vptr__blas_call *call, cl_kernel kernel, const vptr__blas_product *it,
                         const vptr__blas_places *at) {
  cl_command_queue queue;
  vptr_status status = vptr__stream_begin(call->stream, &queue);
  if (status == VPTR_SUCCESS) {
    vptr__lock_take(&lock);
    status = set_arguments(call->mapper->device, kernel, it, at);
    if (status == VPTR_SUCCESS)
      status = send_kernel(call, kernel, it, queue);
    vptr__lock_give(&lock);
    vptr__stream_end(call->stream);
  }
  if (status != VPTR_SUCCESS)
    vptr__blas_fail(call, vptr__blas_status_of(status));
}

static bool is_worth_it(const vptr__blas_call *call, const vptr__blas_product *it) {
  const vptr__device *device = call->mapper->device;
  return call->type == VPTR__BLAS_D && device->ptx >= LEAST_CAPABILITY && device->joint == NULL &&
         device->ordinal >= 0 && device->ordinal < VPTR__MOST_DEVICES && it->m >= TILE / 2 && it->n >= TILE / 2 &&
         (double)it->m * (double)it->n * (double)it->k >= WORTH_IT;
}

/* The kernel for this device, which stays as long as the device's context is that of the call's mapper. */
static cl_kernel find_kernel(const vptr__blas_call *call, const vptr__blas_product *it) {
  vptr__device *device = call->mapper->device;
  bool a_turns = it->a.operation != CUBLAS_OP_N, b_turns = it->b.operation != CUBLAS_OP_N;
  vptr__lock_take(&lock);
  form *form = &forms[device->ordinal][a_turns][b_turns];
  if (form->context != device->cl_context)
    build_form(device, form, a_turns, b_turns);
  cl_kernel kernel = form->kernel;
  vptr__lock_give(&lock);
  return kernel;
}

bool vptr__blas_tensor_multiply(vptr__blas_call *call, const vptr__blas_product *it) {
  vptr__blas_places places;
  if (!vptr__blas_places_can_be(call, it) || !is_worth_it(call, it))
    return false;
  cl_kernel kernel = find_kernel(call, it);
  if (kernel == NULL || !vptr__blas_places_take(call, it, &places))
    return false;
  send_in_turn(call, kernel, it, &places);
  vptr__blas_places_give(&places);
  return true;
}
