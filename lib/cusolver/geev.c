/* SPDX-License-Identifier: MIT */
/*
 * geev - eigenvalues of a matrix that need not be hermitian, and its vectors from both sides.
 *
 * LAPACK's geev, on the host; A stays as it is. Of a real matrix W has all real parts and then all imaginary ones, or
 * pairs of both, if its type is complex; vectors are real, two columns for a conjugate pair.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/lapack.h"
#include "cusolver/typed.h"

static vptr__lapack_geev *const geev[] = { sgeev_, dgeev_ };
static vptr__lapack_geev_complex *const geev_complex[] = { cgeev_, zgeev_ };

typedef struct problem {
  cusolverEigMode_t jobvl, jobvr;
  int64_t n, lda, ldvl, ldvr;
  const void *a;
  void *w, *vl, *vr;
  bool has_pairs; /* W is complex, and A is not */
} problem;

static bool has(cusolverEigMode_t job) {
  return job == CUSOLVER_EIG_MODE_VECTOR;
}

static void require_problem(vptr__solver_call *call, const problem *it) {
  vptr__solver_require_vectors(call, it->jobvl);
  vptr__solver_require_vectors(call, it->jobvr);
  vptr__solver_require_size(call, "n", it->n);
  vptr__solver_require_leading(call, "lda", it->lda, it->n);
  vptr__solver_require_leading(call, "ldvl", it->ldvl, has(it->jobvl) ? it->n : 0);
  vptr__solver_require_leading(call, "ldvr", it->ldvr, has(it->jobvr) ? it->n : 0);
}

/* The types of all: W's is A's, or its pairs'. Returns whether it is pairs of a real matrix. */
static bool require_types(vptr__solver_call *call, cudaDataType a, cudaDataType w, cudaDataType vl, cudaDataType vr) {
  const bool has_pairs = (a == CUDA_R_32F && w == CUDA_C_32F) || (a == CUDA_R_64F && w == CUDA_C_64F);
  vptr__solver_require(call, w == a || has_pairs, "the type %d of W is neither A's, %d, nor complex of it", (int)w,
                       (int)a);
  vptr__solver_require(call, vl == a && vr == a, "the types %d of A, %d of VL and %d of VR differ", (int)a, (int)vl,
                       (int)vr);
  return has_pairs;
}

/* On the host. values: of a complex matrix; else the real parts, and the imaginary ones. */
typedef struct arrays {
  vptr__solver_array *a, *vl, *vr;
  void *values, *imaginary, *rwork;
} arrays;

static void run_lapack(vptr__solver_call *call, const problem *it, const arrays *in, void *work, int room) {
  const char *left = has(it->jobvl) ? "V" : "N", *right = has(it->jobvr) ? "V" : "N";
  const int n = (int)it->n;
  if (vptr__solver_is_complex(call->type))
    geev_complex[call->type - VPTR__SOLVER_C](left, right, &n, in->a->host, &in->a->ld, in->values, in->vl->host,
                                              &in->vl->ld, in->vr->host, &in->vr->ld, work, &room, in->rwork,
                                              &call->info, 1, 1);
  else
    geev[call->type](left, right, &n, in->a->host, &in->a->ld, in->values, in->imaginary, in->vl->host, &in->vl->ld,
                     in->vr->host, &in->vr->ld, work, &room, &call->info, 1, 1);
}

static void compute(vptr__solver_call *call, const problem *it, const arrays *in) {
  double answer[2] = { 0, 0 };
  run_lapack(call, it, in, answer, -1);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work != NULL)
    run_lapack(call, it, in, work, room);
}

static void pair_values(const vptr__solver_call *call, int64_t n, const arrays *from, void *to) {
  for (int64_t i = 0; i < n; i++)
    if (call->type == VPTR__SOLVER_S) {
      ((float *)to)[2 * i] = ((const float *)from->values)[i];
      ((float *)to)[2 * i + 1] = ((const float *)from->imaginary)[i];
    } else {
      ((double *)to)[2 * i] = ((const double *)from->values)[i];
      ((double *)to)[2 * i + 1] = ((const double *)from->imaginary)[i];
    }
}

static cusolverStatus_t solve(vptr__solver_call *call, const problem *it, int *info) {
  const size_t size = vptr__solver_size(call->type), n = (size_t)it->n;
  const bool is_complex = vptr__solver_is_complex(call->type);
  arrays in = { 0 };
  require_problem(call, it);
  vptr__solver_info(call, info);
  in.a = vptr__solver_matrix(call, "A", VPTR__SOLVER_READS, it->n, it->n, it->a, it->lda);
  vptr__solver_array *w =
      vptr__solver_numbers(call, "W", VPTR__SOLVER_WRITES, is_complex ? it->n : 2 * it->n, size, it->w);
  in.vl = vptr__solver_matrix(call, "VL", VPTR__SOLVER_WRITES, has(it->jobvl) ? it->n : 0, it->n, it->vl, it->ldvl);
  in.vr = vptr__solver_matrix(call, "VR", VPTR__SOLVER_WRITES, has(it->jobvr) ? it->n : 0, it->n, it->vr, it->ldvr);
  in.rwork = vptr__solver_work(call, 2 * n, vptr__solver_real_size(call->type));
  in.values = vptr__solver_work(call, 2 * n, size);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  if (!it->has_pairs)
    in.values = w->host;
  in.imaginary = (char *)in.values + n * size;
  compute(call, it, &in);
  if (it->has_pairs)
    pair_values(call, it->n, &in, w->host);
  return vptr__solver_finish(call);
}

cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                            cudaDataType dataTypeA, const void *A, int64_t lda,
                                            cudaDataType dataTypeW, const void *W, cudaDataType dataTypeVL,
                                            const void *VL, int64_t ldvl, cudaDataType dataTypeVR, const void *VR,
                                            int64_t ldvr, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                            size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXgeev_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)W, (void)VL, (void)VR;
  require_types(&call, dataTypeA, dataTypeW, dataTypeVL, dataTypeVR);
  require_problem(&call, &(problem){ jobvl, jobvr, n, lda, ldvl, ldvr, NULL, NULL, NULL, NULL, false });
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl,
                                 cusolverEigMode_t jobvr, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                 cudaDataType dataTypeW, void *W, cudaDataType dataTypeVL, void *VL, int64_t ldvl,
                                 cudaDataType dataTypeVR, void *VR, int64_t ldvr, cudaDataType computeType,
                                 void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                 size_t workspaceInBytesOnHost, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgeev", handle, dataTypeA, computeType);
  problem it = { jobvl, jobvr, n, lda, ldvl, ldvr, A, W, VL, VR, false };
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  it.has_pairs = require_types(&call, dataTypeA, dataTypeW, dataTypeVL, dataTypeVR);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  return solve(&call, &it, info);
}
