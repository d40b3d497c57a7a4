/* SPDX-License-Identifier: MIT */
/* solver_undef - the end of a type; see solver_types.h. */
#undef T
#undef DT
#undef R
#undef NAME
#undef FN
#undef TRD
#undef GTR
#undef MTR
#undef GBR
#undef SOLUTION
#undef MIXED
#undef ORGQR
#undef ORMQR
#undef EIGEN
#undef PAIR
#undef DATA_TYPE
#undef REAL_TYPE
#undef CONJ
#undef SIZE_OF
#undef RANDOM
#undef TOLERANCE
#undef ADJOINT
