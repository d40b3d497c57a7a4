/* SPDX-License-Identifier: MIT */
/*
 * exec - cufftExecC2C() and its kin, and cufftXtExec(): whose plan it is, and which direction.
 *
 * No state, no locks. Called by programs. It waits for the driver's compiler where a plan is used in a new way (run.h).
 */
#include "cufft/run.h"

/* A plan of the type, whose direction is one. Types that are -1 are any. */
static cufftResult transform(const char *call, cufftHandle handle, int type, void *idata, void *odata,
                             int direction) {
  vptr__fft_plan *plan;
  cufftResult result = vptr__fft_plan_hold(call, handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  bool is_complex = plan->is_made && vptr__fft_shape_kind(&plan->shape) == VPTR__FFT_COMPLEX;
  bool is_inverse = is_complex ? direction == CUFFT_INVERSE : vptr__fft_shape_kind(&plan->shape) == VPTR__FFT_TO_REAL;
  if (!plan->is_made)
    result =
        vptr__fft_refuse(CUFFT_INVALID_PLAN, call, "%d has no plan yet; call cufftMakePlan1d() or its kin", handle);
  else if (type >= 0 && (int)plan->shape.type != type)
    result = vptr__fft_refuse(CUFFT_INVALID_TYPE, call, "plan %d is of type %#x, and this call of %#x", handle,
                              (unsigned)plan->shape.type, (unsigned)type);
  else if (is_complex && direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    result = vptr__fft_refuse(CUFFT_INVALID_VALUE, call,
                              "direction is %d, and must be CUFFT_FORWARD or CUFFT_INVERSE", direction);
  else
    result = vptr__fft_run(call, plan, idata, odata, is_inverse);
  vptr__fft_plan_release(plan);
  return result;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata, int direction) {
  return transform("cufftExecC2C", plan, CUFFT_C2C, idata, odata, direction);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata, int direction) {
  return transform("cufftExecZ2Z", plan, CUFFT_Z2Z, idata, odata, direction);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata) {
  return transform("cufftExecR2C", plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata) {
  return transform("cufftExecD2Z", plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata) {
  return transform("cufftExecC2R", plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata) {
  return transform("cufftExecZ2D", plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}

cufftResult cufftXtExec(cufftHandle plan, void *input, void *output, int direction) {
  return transform("cufftXtExec", plan, -1, input, output, direction);
}
