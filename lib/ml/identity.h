/* SPDX-License-Identifier: MIT */
/* identity - the names of a device. */
#ifndef VPTR_ML_IDENTITY_H
#define VPTR_ML_IDENTITY_H

#include "ml/ml.h"

enum { VPTR__ML_UUID_SIZE = 41 }; /* GPU-, 32 digits, four hyphens, and the end */

nvmlReturn_t vptr__ml_uuid_text(int ordinal, char text[VPTR__ML_UUID_SIZE]);

#endif
