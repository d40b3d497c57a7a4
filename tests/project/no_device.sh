#!/bin/sh
# SPDX-License-Identifier: MIT
# no_device - what CUDA programs see on a machine without a device, which here is one without a platform of that name.
VPTR_PLATFORM='no such platform' exec ./tests/cuda/conform_nodevice
