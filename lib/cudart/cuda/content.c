/* SPDX-License-Identifier: MIT */
/*
 * content - telling by its first bytes what a GPU binary is, and refusing what is for others (content.h).
 *
 * No data but the constant table `marks`, no locks. Called by binary.c, for each binary when it is opened, and for
 * calls that need one that is no module; and by foreign.c, loadable.c and driver/link.c, which ask of what kind an
 * image is. Nothing blocks.
 */
#include "cuda/content.h"

#include "base/error.h"

#include <string.h>

/* As compilers emit it, in a section of its own. */
typedef struct content_record {
  unsigned magic;
  int version;
  const char *data;
  const void *linked; /* of version 2: what relocatable code is linked of */
} content_record;

enum { RECORD_MAGIC = 0x466243b1 };

/* None of them has a zero, so that a shorter content ends the comparison. */
static const struct {
  const char *mark;
  vptr__cuda_content_kind kind;
} marks[] = { { VPTR__CUDA_MODULE_MARK, VPTR__CUDA_CONTENT_MODULE },
              { "\x50\xed\x55\xba", VPTR__CUDA_CONTENT_FAT_BINARY }, /* 0xba55ed50, lowest byte first */
              { "\x7f\x45\x4c\x46", VPTR__CUDA_CONTENT_CUBIN } };    /* ELF */

/* PTX says its version before anything but comments. */
static bool is_ptx(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "//", 2) != 0)
      return strncmp(text, ".version", 8) == 0;
    text += strcspn(text, "\n");
  }
}

vptr__cuda_content_kind vptr__cuda_content_kind_of(const char *data) {
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strncmp(data, marks[i].mark, strlen(marks[i].mark)) == 0)
      return marks[i].kind;
  return is_ptx(data) ? VPTR__CUDA_CONTENT_PTX : VPTR__CUDA_CONTENT_UNKNOWN;
}

vptr__cuda_content vptr__cuda_content_of(const void *record) {
  const content_record *it = record;
  vptr__cuda_content content = { .kind = VPTR__CUDA_CONTENT_NONE };
  if (it == NULL || it->magic != RECORD_MAGIC || it->data == NULL)
    return content;
  content.data = it->data;
  content.kind = vptr__cuda_content_kind_of(it->data);
  if (content.kind == VPTR__CUDA_CONTENT_MODULE)
    content.length = strlen(it->data);
  return content;
}

static const char *words_for(vptr__cuda_content_kind kind) {
  switch (kind) {
  case VPTR__CUDA_CONTENT_FAT_BINARY:
    return "it is a fat binary of NVIDIA's compiler, machine code and PTX, and the device takes neither";
  case VPTR__CUDA_CONTENT_PTX:
    return "it is PTX of NVIDIA's compiler, which the device does not take";
  case VPTR__CUDA_CONTENT_CUBIN:
    return "it is machine code for NVIDIA's driver alone (a cubin)";
  case VPTR__CUDA_CONTENT_NONE:
    return "there is none behind the record that its compiler wrote";
  case VPTR__CUDA_CONTENT_MODULE:
  case VPTR__CUDA_CONTENT_UNKNOWN:
    break;
  }
  return "it is nothing that is known here";
}

cudaError_t vptr__cuda_content_refuse(const vptr__cuda_content *content) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s; rebuild it with vptrcc", words_for(content->kind));
  return cudaErrorNoKernelImageForDevice;
}
