/* SPDX-License-Identifier: MIT */
/* devrt - libcudadevrt.a, which build systems link and which has nothing: kernels start no kernels. */
extern int vptr__static_devrt;
