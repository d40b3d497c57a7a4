/* SPDX-License-Identifier: MIT */
/*
 * tuning - which parameters CLBlast multiplies with; see tuning.h.
 *
 * CLBlast has parameters for devices on which somebody ran its tuner, and defaults for others. Its tuner tries all sets
 * that there are, for an hour. Here are a few that do well on processors, where a work-item is a loop and vectors are
 * long, and a few for GPUs. Each is tried on small integers, whose products are exact: a set whose result is another
 * than that of CLBlast's own is left out.
 *
 * What is kept says so if CLBlast's own were the quickest. It has no call that brings them back, so that a process
 * which finds that out goes on with the quickest of the others; later ones have CLBlast's own.
 *
 * The static `states` says for each device and type whether all is done; it is atomic, and who comes while another
 * thread tries multiplies with what is in force. No locks. Called by clblast.c. It waits for the stream where it tries.
 */
#include "cublas/tuning.h"

#include "base/binary.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/option.h"
#include "cublas/product.h"
#include "library/call.h"

#include <clblast_c.h>
#include <stdatomic.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

#include "cuda/error.h"

enum { PARAMETERS = 16, TYPES = 2, RUNS = 4, MOST = 1024 /* that a parameter may be */ };
enum { ORDER_ON_CPU = 1024, ORDER_ON_GPU = 2048 };
enum { UNKNOWN, LACKING /* a large product is to find out */, BUSY, DONE };

/* Multiplications of a product that is worth it. */
static const double LARGE = 1 << 24;

/* How much quicker a set has to be: a busy machine makes up small differences. */
static const double GAIN = 1.25;

typedef struct parameters {
  uint32_t value[PARAMETERS]; /* all 0: CLBlast's own */
} parameters;

static const char *const names[PARAMETERS] = { "GEMMK", "KREG", "KWG", "KWI", "MDIMA", "MDIMC", "MWG", "NDIMB",
                                               "NDIMC", "NWG",  "SA",  "SB",  "STRM",  "STRN",  "VWM", "VWN" };

static const parameters on_cpu[] = {
  { { 0, 1, 16, 2, 4, 4, 64, 4, 4, 64, 0, 0, 0, 0, 8, 8 } },
  { { 0, 1, 16, 2, 1, 1, 16, 1, 1, 16, 0, 0, 0, 0, 8, 8 } },
  { { 0, 1, 16, 2, 1, 1, 32, 1, 1, 4, 0, 0, 0, 0, 8, 4 } },
  { { 0, 1, 16, 2, 1, 1, 16, 1, 1, 8, 0, 0, 0, 0, 8, 8 } },
  { { 0, 1, 32, 4, 1, 1, 16, 1, 1, 8, 0, 0, 0, 0, 8, 4 } },
  { { 0, 1, 16, 2, 4, 4, 64, 4, 4, 32, 0, 0, 0, 0, 8, 8 } },
  { { 0, 1, 16, 2, 4, 4, 32, 4, 4, 32, 0, 0, 0, 0, 4, 4 } },
  { { 0, 1, 16, 2, 8, 8, 128, 8, 8, 64, 0, 0, 0, 0, 8, 4 } },
};

static const parameters on_gpu[] = {
  { { 0, 1, 32, 2, 8, 8, 64, 8, 8, 64, 1, 1, 0, 0, 4, 4 } },
  { { 0, 1, 16, 2, 16, 16, 128, 16, 16, 128, 1, 1, 0, 0, 4, 4 } },
  { { 0, 1, 32, 2, 16, 16, 64, 16, 16, 64, 1, 1, 0, 0, 2, 2 } },
  { { 0, 1, 32, 8, 16, 16, 128, 16, 8, 64, 1, 1, 0, 0, 4, 2 } },
  { { 0, 1, 16, 2, 16, 16, 64, 16, 16, 128, 1, 1, 1, 1, 2, 4 } },
  { { 0, 1, 32, 2, 16, 16, 128, 16, 16, 64, 1, 1, 1, 0, 2, 1 } },
};

static atomic_int states[VPTR__MOST_DEVICES][TYPES];

/* ---- what is kept ------------------------------------------------------------------------------------------- */

static vptr__binary_key key_of(const vptr__device *device, vptr__blas_type type) {
  static const char *const kinds[TYPES] = { "cublas: parameters of CLBlast's Xgemm, float, 1",
                                            "cublas: parameters of CLBlast's Xgemm, double, 1" };
  return (vptr__binary_key){ { { kinds[type], strlen(kinds[type]) },
                               { "", 0 },
                               { device->platform, strlen(device->platform) },
                               { device->name, strlen(device->name) },
                               { device->version, strlen(device->version) },
                               { device->driver, strlen(device->driver) } } };
}

static bool is_own(const parameters *set) {
  static const parameters own;
  return memcmp(set, &own, sizeof own) == 0;
}

static bool override(const vptr__blas_call *call, const parameters *set) {
  const CLBlastPrecision precision = call->type == VPTR__BLAS_S ? CLBlastPrecisionSingle : CLBlastPrecisionDouble;
  const char *all_names[PARAMETERS];
  size_t values[PARAMETERS];
  for (int i = 0; i < PARAMETERS; i++) {
    all_names[i] = names[i];
    values[i] = set->value[i];
  }
  return CLBlastOverrideParameters(call->mapper->device->cl_device, "Xgemm", precision, PARAMETERS, all_names,
                                   values) == CLBlastSuccess;
}

/* False: nothing is kept for the device. */
static bool use_kept(const vptr__blas_call *call, const vptr__binary_key *key) {
  unsigned char *bytes;
  size_t size;
  parameters set;
  if (!vptr__binary_load(key, &bytes, &size))
    return false;
  bool is_right = size == sizeof set;
  if (is_right)
    memcpy(&set, bytes, sizeof set);
  vptr__memory_free(bytes);
  for (int i = 0; i < PARAMETERS && is_right; i++)
    is_right = set.value[i] <= MOST;
  return is_right && (is_own(&set) || override(call, &set));
}

/* ---- trials ------------------------------------------------------------------------------------------------- */

typedef struct trial {
  vptr__blas_call call;
  int order;
  size_t bytes;          /* of a matrix */
  void *host, *expected; /* what was multiplied, and what came out */
  void *a, *b, *c;       /* on the device */
} trial;

static void free_trial(trial *it) {
  void *device[] = { it->a, it->b, it->c };
  for (int i = 0; i < 3; i++)
    if (device[i] != NULL && cudaFree(device[i]) != cudaSuccess)
      vptr__cuda_unrecord();
  vptr__memory_free(it->host);
  vptr__memory_free(it->expected);
}

static void fill(trial *it) {
  for (int i = 0; i < it->order * it->order; i++) {
    int value = (int)((unsigned)i * 2654435761u >> 29) - 3; /* sums of products are exact in float, too */
    if (it->call.type == VPTR__BLAS_S)
      ((float *)it->host)[i] = (float)value;
    else
      ((double *)it->host)[i] = value;
  }
}

static bool make_trial(trial *it, const vptr__blas_call *call) {
  bool is_cpu = (call->mapper->device->type & CL_DEVICE_TYPE_CPU) != 0;
  void **device[] = { &it->a, &it->b, &it->c };
  *it = (trial){ .call = *call, .order = is_cpu ? ORDER_ON_CPU : ORDER_ON_GPU };
  it->bytes = (size_t)it->order * (size_t)it->order * vptr__blas_size(call->type);
  it->host = vptr__memory_calloc(1, it->bytes);
  it->expected = vptr__memory_calloc(1, it->bytes);
  if (it->host == NULL || it->expected == NULL)
    return false;
  fill(it);
  for (int i = 0; i < 3; i++)
    if (vptr_malloc(call->mapper, it->bytes, device[i]) != VPTR_SUCCESS ||
        cudaMemcpyAsync(*device[i], it->host, it->bytes, cudaMemcpyHostToDevice, (cudaStream_t)call->stream) !=
            cudaSuccess)
      return false;
  return vptr__stream_synchronize(call->stream) == VPTR_SUCCESS;
}

/* Nanoseconds of a product with what is in force; 0: it fails. The first of them compiles. */
static uint64_t time_product(trial *it) {
  const vptr__blas_product product = { .m = it->order,
                                       .n = it->order,
                                       .k = it->order,
                                       .alpha = vptr__blas_constant(it->call.type, 1),
                                       .beta = vptr__blas_constant(it->call.type, 0),
                                       .a = { it->a, it->order, CUBLAS_OP_N },
                                       .b = { it->b, it->order, CUBLAS_OP_N },
                                       .c = it->c,
                                       .ldc = it->order };
  uint64_t best = 0;
  for (int run = 0; run <= RUNS; run++) {
    uint64_t begin = vptr__clock_ns();
    it->call.status = CUBLAS_STATUS_SUCCESS;
    if (!vptr__blas_clblast_multiply(&it->call, &product) || it->call.status != CUBLAS_STATUS_SUCCESS ||
        vptr__stream_synchronize(it->call.stream) != VPTR_SUCCESS)
      return 0;
    uint64_t passed = vptr__clock_ns() - begin;
    if (run > 0 && (best == 0 || passed < best))
      best = passed;
  }
  return best;
}

static bool is_result_right(trial *it) {
  return vptr__library_read(it->call.stream, it->host, it->c, it->bytes) == VPTR_SUCCESS &&
         memcmp(it->host, it->expected, it->bytes) == 0;
}

/* The quickest, which is in force then unless it is CLBlast's own. False: there is nothing to keep. */
static bool find_quickest(trial *it, parameters *best_out) {
  bool is_cpu = (it->call.mapper->device->type & CL_DEVICE_TYPE_CPU) != 0;
  const parameters *sets = is_cpu ? on_cpu : on_gpu, *best = NULL;
  const int count = is_cpu ? sizeof on_cpu / sizeof *on_cpu : sizeof on_gpu / sizeof *on_gpu;
  uint64_t own = time_product(it), least = 0;
  if (own == 0 || vptr__library_read(it->call.stream, it->expected, it->c, it->bytes) != VPTR_SUCCESS)
    return false;
  for (int i = 0; i < count; i++) {
    uint64_t passed = override(&it->call, &sets[i]) ? time_product(it) : 0;
    if (passed == 0 || !is_result_right(it) || (best != NULL && passed >= least))
      continue;
    best = &sets[i];
    least = passed;
  }
  if (best != NULL && !override(&it->call, best))
    return false;
  *best_out = best != NULL && (double)least * GAIN < (double)own ? *best : (parameters){ { 0 } };
  vptr__log(VPTR__LOG_DECISION, "products in %s of order %d: %.2f ms with CLBlast's parameters, %.2f ms with others",
            it->call.type == VPTR__BLAS_S ? "float" : "double", it->order, (double)own / 1e6, (double)least / 1e6);
  return true;
}

static void try_all(const vptr__blas_call *call, const vptr__binary_key *key) {
  trial it;
  parameters best;
  vptr__error_try();
  if (make_trial(&it, call) && find_quickest(&it, &best))
    vptr__binary_keep(key, (const unsigned char *)&best, sizeof best);
  free_trial(&it);
  vptr__error_tried(VPTR_SUCCESS);
}

static bool moves(atomic_int *state, int from, int to) {
  return atomic_load_explicit(state, memory_order_relaxed) == from &&
         atomic_compare_exchange_strong(state, &from, to);
}

void vptr__blas_tuning_begin(const vptr__blas_call *call, double multiplications) {
  const vptr__device *device = call->mapper->device;
  if (call->type > VPTR__BLAS_D || device->ordinal < 0 || device->ordinal >= VPTR__MOST_DEVICES)
    return;
  atomic_int *state = &states[device->ordinal][call->type];
  if (atomic_load_explicit(state, memory_order_relaxed) == DONE)
    return;
  const vptr__binary_key key = key_of(device, call->type);
  if (moves(state, UNKNOWN, BUSY))
    atomic_store(state, use_kept(call, &key) || !vptr__option_flag(VPTR__OPTION_TUNE) ? DONE : LACKING);
  if (multiplications >= LARGE && moves(state, LACKING, BUSY)) {
    try_all(call, &key);
    atomic_store(state, DONE);
  }
}
