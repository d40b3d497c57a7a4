/* SPDX-License-Identifier: MIT */
/* sm_70_rt - clang's intrinsics include this header of NVIDIA's; what it has is in vptr_clang_warp.h. */
