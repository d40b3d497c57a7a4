/* SPDX-License-Identifier: MIT */
/*
 * predefined - the macros that are there before the first line.
 *
 * They are those of nvcc's pass for the device with gcc as the host's compiler, on 64-bit Linux: code asks for __GNUC__
 * and __linux__ to choose what it declares. What depends on options (__CUDA_ARCH__, __CUDACC_RTC__) translate.c adds.
 */
#include "translate/preprocessor/state.h"

#include <string.h>
#include <time.h>

static const char text[] = "#define __VPTR__ 1\n"
                           "#define __CUDACC__ 1\n"
                           "#define __NVCC__ 1\n"
                           "#define __CUDACC_VER_MAJOR__ 13\n"
                           "#define __CUDACC_VER_MINOR__ 0\n"
                           "#define __CUDACC_VER_BUILD__ 0\n"
                           "#define __cplusplus 201703L\n"
                           "#define __STDC_HOSTED__ 1\n"
                           "#define __STDC_UTF_16__ 1\n"
                           "#define __STDC_UTF_32__ 1\n"
                           "#define __linux__ 1\n"
                           "#define __linux 1\n"
                           "#define linux 1\n"
                           "#define __unix__ 1\n"
                           "#define __unix 1\n"
                           "#define unix 1\n"
                           "#define __ELF__ 1\n"
                           "#define __LP64__ 1\n"
                           "#define _LP64 1\n"
#if defined(__x86_64__)
                           "#define __x86_64__ 1\n"
                           "#define __x86_64 1\n"
                           "#define __amd64__ 1\n"
#elif defined(__aarch64__)
                           "#define __aarch64__ 1\n"
#endif
                           "#define __GNUC__ 12\n"
                           "#define __GNUC_MINOR__ 0\n"
                           "#define __GNUC_PATCHLEVEL__ 0\n"
                           "#define __GNUG__ 12\n"
                           "#define _GNU_SOURCE 1\n"
                           "#define __OPTIMIZE__ 1\n"
                           "#define __CHAR_BIT__ 8\n"
                           "#define __SIZEOF_SHORT__ 2\n"
                           "#define __SIZEOF_INT__ 4\n"
                           "#define __SIZEOF_LONG__ 8\n"
                           "#define __SIZEOF_LONG_LONG__ 8\n"
                           "#define __SIZEOF_FLOAT__ 4\n"
                           "#define __SIZEOF_DOUBLE__ 8\n"
                           "#define __SIZEOF_POINTER__ 8\n"
                           "#define __SIZEOF_SIZE_T__ 8\n"
                           "#define __SCHAR_MAX__ 127\n"
                           "#define __SHRT_MAX__ 32767\n"
                           "#define __INT_MAX__ 2147483647\n"
                           "#define __LONG_MAX__ 9223372036854775807L\n"
                           "#define __LONG_LONG_MAX__ 9223372036854775807LL\n"
                           "#define __SIZE_TYPE__ unsigned long\n"
                           "#define __PTRDIFF_TYPE__ long\n"
                           "#define __ORDER_LITTLE_ENDIAN__ 1234\n"
                           "#define __ORDER_BIG_ENDIAN__ 4321\n"
                           "#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n"
                           "#define __cpp_constexpr 201603L\n"
                           "#define __cpp_static_assert 201411L\n";

static const struct special {
  const char *name;
  vptr__special special;
} specials[] = {
  { "__FILE__", VPTR__SPECIAL_FILE },       { "__LINE__", VPTR__SPECIAL_LINE },
  { "__COUNTER__", VPTR__SPECIAL_COUNTER }, { "__DATE__", VPTR__SPECIAL_DATE },
  { "__TIME__", VPTR__SPECIAL_TIME },       { "__INCLUDE_LEVEL__", VPTR__SPECIAL_LEVEL },
  { "_Pragma", VPTR__SPECIAL_PRAGMA },      { "__has_include", VPTR__SPECIAL_HAS_INCLUDE },
};

void vptr__predefined_install(vptr__preprocessor *preprocessor) {
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
    vptr__macro *macro = VPTR__ARENA_NEW(preprocessor->arena, vptr__macro);
    macro->name = vptr__source_intern(preprocessor->source, specials[i].name, strlen(specials[i].name));
    macro->special = specials[i].special;
    macro->name->macro = macro;
  }
  vptr__input_run(preprocessor, "<predefined>", text);
}

static const char *quote_path(vptr__preprocessor *preprocessor, const char *name) {
  char *text_out = vptr__arena_allocate(preprocessor->arena, 2 * strlen(name) + 3), *end = text_out;
  *end++ = '"';
  for (; *name != 0; name++) {
    if (*name == '"' || *name == '\\')
      *end++ = '\\';
    *end++ = *name == '\n' ? ' ' : *name;
  }
  *end++ = '"';
  return text_out;
}

static const char *clock_text(vptr__preprocessor *preprocessor, const char *format) {
  char buffer[40];
  struct tm parts;
  time_t now = time(NULL);
  if (localtime_r(&now, &parts) == NULL || strftime(buffer, sizeof buffer, format, &parts) == 0)
    return "\"?\"";
  return vptr__arena_copy(preprocessor->arena, buffer, strlen(buffer));
}

static const char *spell_special(vptr__preprocessor *preprocessor, vptr__special special, vptr__position position) {
  vptr__place place = vptr__source_place(preprocessor->source, position);
  switch (special) {
  case VPTR__SPECIAL_FILE:
    return quote_path(preprocessor, place.file != NULL ? place.file : "");
  case VPTR__SPECIAL_LINE:
    return vptr__arena_format(preprocessor->arena, "%u", place.line);
  case VPTR__SPECIAL_COUNTER:
    return vptr__arena_format(preprocessor->arena, "%u", preprocessor->counter++);
  case VPTR__SPECIAL_LEVEL:
    return vptr__arena_format(preprocessor->arena, "%d", preprocessor->input_depth - 1);
  case VPTR__SPECIAL_DATE:
    return clock_text(preprocessor, "\"%b %e %Y\"");
  default:
    return clock_text(preprocessor, "\"%H:%M:%S\"");
  }
}

vptr__token vptr__predefined_token(vptr__preprocessor *preprocessor, const vptr__macro *macro,
                                   const vptr__token *use) {
  const char *made = spell_special(preprocessor, macro->special, use->position);
  vptr__token token = vptr__token_make(preprocessor, made, strlen(made), use->position);
  token.flags = use->flags & (VPTR__TOKEN_AT_LINE_START | VPTR__TOKEN_AFTER_SPACE);
  return token;
}
