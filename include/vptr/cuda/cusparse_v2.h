/* SPDX-License-Identifier: MIT */
/*
 * cusparse_v2 - the name under which some programs ask for cusparse.h.
 */
#ifndef CUSPARSE_V2_H_
#define CUSPARSE_V2_H_
#include "cusparse.h"
#endif
