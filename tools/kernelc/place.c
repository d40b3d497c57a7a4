/* SPDX-License-Identifier: MIT */
/* place - see place.h. */
#include "place.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "writer.h"

/* ---- instructions ---------------------------------------------------------------------------------------- */

static bool has_part(const kc_place *place, const char *part) {
  size_t size = strlen(part);
  for (int i = 0; i + (int)size <= place->length; i++)
    if (memcmp(place->file + i, part, size) == 0)
      return true;
  return false;
}

static bool is_in_header_of_system(const kc_place *place) {
  static const char *const parts[] = { "/usr/include/", "/usr/lib/",   "/usr/local/include/",
                                       "/vptr/cuda/",   "/lib/clang/", "/include/c++/" };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (has_part(place, parts[i]))
      return true;
  return false;
}

static bool is_working_folder(const char *folder, size_t length) {
  char path[4096];
  return getcwd(path, sizeof path) != NULL && strlen(path) == length && memcmp(path, folder, length) == 0;
}

/* clang names a file from the folder that it shares with the working one, which need not be that. The last one is kept:
 * instructions of one file follow each other. */
static void set_file(kc_place *place, const char *folder, unsigned folder_length, const char *file, unsigned length) {
  static const char *last_folder, *last_file, *last_path;
  place->file = file;
  place->length = (int)length;
  if (file == NULL || length == 0 || *file == '/' || folder_length == 0 || is_working_folder(folder, folder_length))
    return;
  if (folder != last_folder || file != last_file) {
    char *path = kc_allocate(folder_length + length + 2, 1);
    snprintf(path, folder_length + length + 2, "%.*s/%.*s", (int)folder_length, folder, (int)length, file);
    last_folder = folder;
    last_file = file;
    last_path = path;
  }
  place->file = last_path;
  place->length = (int)strlen(last_path);
}

static bool read_location(LLVMMetadataRef location, kc_place *place) {
  unsigned length = 0, folder_length = 0;
  LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
  const char *name = file != NULL ? LLVMDIFileGetFilename(file, &length) : NULL;
  const char *folder = file != NULL ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;
  set_file(place, folder, folder_length, name, length);
  place->line = LLVMDILocationGetLine(location);
  place->column = LLVMDILocationGetColumn(location);
  return place->file != NULL && length > 0 && place->line > 0;
}

static bool place_of_instruction(LLVMValueRef instruction, kc_place *place_out) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  bool has_place = false;
  for (; location != NULL; location = LLVMDILocationGetInlinedAt(location)) {
    kc_place place;
    bool is_good = read_location(location, &place);
    if (is_good && !has_place)
      *place_out = place;
    has_place |= is_good;
    if (is_good && !is_in_header_of_system(&place)) {
      *place_out = place;
      return true;
    }
  }
  return has_place;
}

bool kc_place_of(LLVMValueRef value, kc_place *place_out) {
  if (LLVMIsAInstruction(value) != NULL)
    return place_of_instruction(value, place_out);
  unsigned length = 0, folder_length = 0;
  const char *name = LLVMGetDebugLocFilename(value, &length);
  const char *folder = LLVMGetDebugLocDirectory(value, &folder_length);
  set_file(place_out, folder, folder_length, name, length);
  place_out->line = LLVMGetDebugLocLine(value);
  place_out->column = 0;
  return name != NULL && length > 0;
}

/* ---- functions ------------------------------------------------------------------------------------------- */

enum { NAME_OF_SUBPROGRAM = 2, MOST_OPERANDS = 32 };

const char *kc_place_function_name(LLVMValueRef function, int *length_out) {
  LLVMMetadataRef program = LLVMGetSubprogram(function);
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMValueRef operands[MOST_OPERANDS], node = program != NULL ? LLVMMetadataAsValue(context, program) : NULL;
  unsigned length = 0;
  size_t size = 0;
  int count = node != NULL ? LLVMGetMDNodeNumOperands(node) : 0;
  if (count > NAME_OF_SUBPROGRAM && count <= MOST_OPERANDS) {
    LLVMGetMDNodeOperands(node, operands);
    const char *name =
        operands[NAME_OF_SUBPROGRAM] != NULL ? LLVMGetMDString(operands[NAME_OF_SUBPROGRAM], &length) : NULL;
    if (name != NULL && length > 0) {
      *length_out = (int)length;
      return name;
    }
  }
  const char *linked = LLVMGetValueName2(function, &size);
  *length_out = (int)size;
  return linked;
}
