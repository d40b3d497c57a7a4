# SPDX-License-Identifier: MIT
#
# SYNOPSIS
#
#   VPTR_PROG_VPTRCC([ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# DESCRIPTION
#
#   Looks for vptrcc in $VPTR_HOME/bin and the path, and tries whether it compiles a kernel. Sets VPTRCC, which whoever runs
#   configure may set too, and VPTRCCFLAGS ("-g -O2" if it is not set), for rules such as
#
#     SUFFIXES = .cu
#     .cu.o:
#             $(VPTRCC) $(VPTRCCFLAGS) $(AM_CPPFLAGS) $(CPPFLAGS) -c -o $@ $<
#
#   Without ACTION-IF-NOT-FOUND configure ends with an error.

AC_DEFUN([VPTR_PROG_VPTRCC], [
AC_ARG_VAR([VPTRCC], [compiler of CUDA programs for OpenCL devices])
AC_ARG_VAR([VPTRCCFLAGS], [flags for VPTRCC])
AC_PATH_PROG([VPTRCC], [vptrcc], [], [${VPTR_HOME:+$VPTR_HOME/bin$PATH_SEPARATOR}$PATH])
: "${VPTRCCFLAGS=-g -O2}"
AC_CACHE_CHECK([whether vptrcc compiles a kernel], [vptr_cv_vptrcc_works],
  [vptr_cv_vptrcc_works=no
   AS_IF([test -n "$VPTRCC"],
     [echo '__global__ void k(float *x) { x[[threadIdx.x]] = 0; } void f(float *x) { k<<<1, 2>>>(x); }' >conftest.cu
      AS_IF([$VPTRCC $VPTRCCFLAGS $CPPFLAGS -c -o conftest.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
        [vptr_cv_vptrcc_works=yes])
      rm -f conftest.cu conftest.o])])
AS_IF([test "$vptr_cv_vptrcc_works" = yes], [m4_default([$1], [:])],
  [m4_default([$2], [AC_MSG_ERROR([no vptrcc that works. Set VPTR_HOME to where vptr is installed, or VPTRCC; see config.log])])])
])
