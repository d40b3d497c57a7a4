/* SPDX-License-Identifier: MIT */
/* host_config - checks of the host compiler: every one is taken. Host code may include it. */
#ifndef VPTR_CUDA_HOST_CONFIG_H
#define VPTR_CUDA_HOST_CONFIG_H
#define __HOST_CONFIG_H__

#include "host_defines.h"

#endif
