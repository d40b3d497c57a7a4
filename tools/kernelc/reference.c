/* SPDX-License-Identifier: MIT */
/*
 * reference - see reference.h.
 *
 * clang makes a number of 8 bytes of the variable of a texture or surface reference, and says which of the two it was
 * in LLVM's named metadata: { variable, "texture", 1 }. How a texture reads is a part of its type, of which no name is
 * left. The headers (cuda_texture_types.h) align the type by it, to 64 where integers are read as floats; an annotation
 * on a class does not reach its variables, and functions that read tell only of references that some kernel reads. LLVM
 * raises no alignment of what is loaded by 8 bytes. A variable that the program itself aligns to 64 reads as floats,
 * which matters for elements of 8 and 16 bits alone.
 */
#include "reference.h"

#include <stdlib.h>

#include "type.h"
#include "value.h"

enum { BYTES = 8, ALIGNED_FOR_FLOATS = 64 };

/* "texture" or "surface", as the row has it where it is of the variable. */
static bool is_row_of(LLVMValueRef row, LLVMValueRef global, const char *word) {
  enum { COUNT = 3 };
  LLVMValueRef words[COUNT];
  if (LLVMGetMDNodeNumOperands(row) != COUNT)
    return false;
  LLVMGetMDNodeOperands(row, words);
  return words[0] == global && words[1] != NULL && kc_is_word(words[1], word);
}

const char *kc_reference_attribute(kc_writer *writer, LLVMValueRef global) {
  static const char list[] = "nvvm.annotations";
  const char *found = NULL;
  unsigned count = LLVMGetNamedMetadataNumOperands(writer->module, list);
  if (count == 0 || kc_size(writer, LLVMGlobalGetValueType(global)) != BYTES)
    return NULL;
  LLVMValueRef *rows = kc_allocate(count, sizeof *rows);
  LLVMGetNamedMetadataOperands(writer->module, list, rows);
  for (unsigned i = 0; i < count && found == NULL; i++)
    if (is_row_of(rows[i], global, "surface"))
      found = "vptr_surface";
    else if (is_row_of(rows[i], global, "texture"))
      found = LLVMGetAlignment(global) == ALIGNED_FOR_FLOATS ? "vptr_texture_floats" : "vptr_texture";
  free(rows);
  return found;
}
