/* SPDX-License-Identifier: MIT */
/* statement - what a block does, without where it goes. */
#ifndef KERNELC_STATEMENT_H
#define KERNELC_STATEMENT_H

#include "writer.h"

void kc_statements(kc_writer *writer, LLVMBasicBlockRef block);

#endif
