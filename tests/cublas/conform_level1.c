/* SPDX-License-Identifier: MIT */
/*
 * conform_level1 - vectors against BLAS on the host: all types, lengths from none to many blocks, increments of either
 * sign, both pointer modes, sums of squares that do not fit, equals, NaN.
 */
#include "blas_check.h"

#include <cublas_v2.h>

static bool on_the_device;

#define gpu_asum_s cublasSasum
#define gpu_asum_d cublasDasum
#define gpu_asum_c cublasScasum
#define gpu_asum_z cublasDzasum
#define cpu_asum_s cblas_sasum
#define cpu_asum_d cblas_dasum
#define cpu_asum_c cblas_scasum
#define cpu_asum_z cblas_dzasum
#define gpu_nrm2_s cublasSnrm2
#define gpu_nrm2_d cublasDnrm2
#define gpu_nrm2_c cublasScnrm2
#define gpu_nrm2_z cublasDznrm2
#define cpu_nrm2_s cblas_snrm2
#define cpu_nrm2_d cblas_dnrm2
#define cpu_nrm2_c cblas_scnrm2
#define cpu_nrm2_z cblas_dznrm2
#define gpu_amax_s cublasIsamax
#define gpu_amax_d cublasIdamax
#define gpu_amax_c cublasIcamax
#define gpu_amax_z cublasIzamax
#define gpu_amin_s cublasIsamin
#define gpu_amin_d cublasIdamin
#define gpu_amin_c cublasIcamin
#define gpu_amin_z cublasIzamin
#define gpu_amax_64_s cublasIsamax_64
#define gpu_amax_64_d cublasIdamax_64
#define gpu_amax_64_c cublasIcamax_64
#define gpu_amax_64_z cublasIzamax_64
#define cpu_amax_s cblas_isamax
#define cpu_amax_d cblas_idamax
#define cpu_amax_c cblas_icamax
#define cpu_amax_z cblas_izamax
#define gpu_real_rot_c cublasCsrot
#define gpu_real_rot_z cublasZdrot
#define cpu_real_rot_c cblas_csrot
#define cpu_real_rot_z cblas_zdrot
#define size_s fabsf
#define size_d fabs
static float size_c(cuComplex x) {
  return fabsf(x.x) + fabsf(x.y);
}
static double size_z(cuDoubleComplex x) {
  return fabs(x.x) + fabs(x.y);
}

#define BLAS_TESTS "level1_type.h"
#include "blas_types.h"

int main(void) {
  cublasHandle_t handle;
  EXPECT("cublasCreate", cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  level1_s(handle);
  level1_d(handle);
  level1_c(handle);
  level1_z(handle);
  EXPECT("cublasDestroy", cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return verdict("conform_level1");
}
