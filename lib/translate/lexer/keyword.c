/* SPDX-License-Identifier: MIT */
/*
 * keyword - see keyword.h.
 *
 * One table of spellings, the first of each kind being the one that messages show. It is interned anew for each
 * translation: 130 names take a few microseconds, and nothing is shared between threads.
 */
#include "translate/lexer/keyword.h"

#include <string.h>

typedef struct spelling {
  const char *text;
  uint16_t kind;
} spelling;

static const spelling words[] = {
  /* C++17 */
  { "alignas", VPTR__KEYWORD_ALIGNAS },
  { "alignof", VPTR__KEYWORD_ALIGNOF },
  { "asm", VPTR__KEYWORD_ASM },
  { "auto", VPTR__KEYWORD_AUTO },
  { "bool", VPTR__KEYWORD_BOOL },
  { "break", VPTR__KEYWORD_BREAK },
  { "case", VPTR__KEYWORD_CASE },
  { "catch", VPTR__KEYWORD_CATCH },
  { "char", VPTR__KEYWORD_CHAR },
  { "char16_t", VPTR__KEYWORD_CHAR16_T },
  { "char32_t", VPTR__KEYWORD_CHAR32_T },
  { "class", VPTR__KEYWORD_CLASS },
  { "const", VPTR__KEYWORD_CONST },
  { "constexpr", VPTR__KEYWORD_CONSTEXPR },
  { "const_cast", VPTR__KEYWORD_CONST_CAST },
  { "continue", VPTR__KEYWORD_CONTINUE },
  { "decltype", VPTR__KEYWORD_DECLTYPE },
  { "default", VPTR__KEYWORD_DEFAULT },
  { "delete", VPTR__KEYWORD_DELETE },
  { "do", VPTR__KEYWORD_DO },
  { "double", VPTR__KEYWORD_DOUBLE },
  { "dynamic_cast", VPTR__KEYWORD_DYNAMIC_CAST },
  { "else", VPTR__KEYWORD_ELSE },
  { "enum", VPTR__KEYWORD_ENUM },
  { "explicit", VPTR__KEYWORD_EXPLICIT },
  { "export", VPTR__KEYWORD_EXPORT },
  { "extern", VPTR__KEYWORD_EXTERN },
  { "false", VPTR__KEYWORD_FALSE },
  { "float", VPTR__KEYWORD_FLOAT },
  { "for", VPTR__KEYWORD_FOR },
  { "friend", VPTR__KEYWORD_FRIEND },
  { "goto", VPTR__KEYWORD_GOTO },
  { "if", VPTR__KEYWORD_IF },
  { "inline", VPTR__KEYWORD_INLINE },
  { "int", VPTR__KEYWORD_INT },
  { "long", VPTR__KEYWORD_LONG },
  { "mutable", VPTR__KEYWORD_MUTABLE },
  { "namespace", VPTR__KEYWORD_NAMESPACE },
  { "new", VPTR__KEYWORD_NEW },
  { "noexcept", VPTR__KEYWORD_NOEXCEPT },
  { "nullptr", VPTR__KEYWORD_NULLPTR },
  { "operator", VPTR__KEYWORD_OPERATOR },
  { "private", VPTR__KEYWORD_PRIVATE },
  { "protected", VPTR__KEYWORD_PROTECTED },
  { "public", VPTR__KEYWORD_PUBLIC },
  { "register", VPTR__KEYWORD_REGISTER },
  { "reinterpret_cast", VPTR__KEYWORD_REINTERPRET_CAST },
  { "return", VPTR__KEYWORD_RETURN },
  { "short", VPTR__KEYWORD_SHORT },
  { "signed", VPTR__KEYWORD_SIGNED },
  { "sizeof", VPTR__KEYWORD_SIZEOF },
  { "static", VPTR__KEYWORD_STATIC },
  { "static_assert", VPTR__KEYWORD_STATIC_ASSERT },
  { "static_cast", VPTR__KEYWORD_STATIC_CAST },
  { "struct", VPTR__KEYWORD_STRUCT },
  { "switch", VPTR__KEYWORD_SWITCH },
  { "template", VPTR__KEYWORD_TEMPLATE },
  { "this", VPTR__KEYWORD_THIS },
  { "thread_local", VPTR__KEYWORD_THREAD_LOCAL },
  { "throw", VPTR__KEYWORD_THROW },
  { "true", VPTR__KEYWORD_TRUE },
  { "try", VPTR__KEYWORD_TRY },
  { "typedef", VPTR__KEYWORD_TYPEDEF },
  { "typeid", VPTR__KEYWORD_TYPEID },
  { "typename", VPTR__KEYWORD_TYPENAME },
  { "union", VPTR__KEYWORD_UNION },
  { "unsigned", VPTR__KEYWORD_UNSIGNED },
  { "using", VPTR__KEYWORD_USING },
  { "virtual", VPTR__KEYWORD_VIRTUAL },
  { "void", VPTR__KEYWORD_VOID },
  { "volatile", VPTR__KEYWORD_VOLATILE },
  { "wchar_t", VPTR__KEYWORD_WCHAR_T },
  { "while", VPTR__KEYWORD_WHILE },
  /* GNU, and C's own words for what C++ has */
  { "__restrict__", VPTR__KEYWORD_RESTRICT },
  { "__restrict", VPTR__KEYWORD_RESTRICT },
  { "__attribute__", VPTR__KEYWORD_ATTRIBUTE },
  { "__attribute", VPTR__KEYWORD_ATTRIBUTE },
  { "__extension__", VPTR__KEYWORD_EXTENSION },
  { "__typeof__", VPTR__KEYWORD_TYPEOF },
  { "__typeof", VPTR__KEYWORD_TYPEOF },
  { "__int128", VPTR__KEYWORD_INT128 },
  { "__int128_t", VPTR__KEYWORD_INT128 },
  { "__uint128_t", VPTR__KEYWORD_INT128 },
  { "_Alignas", VPTR__KEYWORD_ALIGNAS },
  { "_Alignof", VPTR__KEYWORD_ALIGNOF },
  { "__alignof__", VPTR__KEYWORD_ALIGNOF },
  { "__alignof", VPTR__KEYWORD_ALIGNOF },
  { "__asm__", VPTR__KEYWORD_ASM },
  { "__asm", VPTR__KEYWORD_ASM },
  { "_Bool", VPTR__KEYWORD_BOOL },
  { "__const__", VPTR__KEYWORD_CONST },
  { "__const", VPTR__KEYWORD_CONST },
  { "__inline__", VPTR__KEYWORD_INLINE },
  { "__inline", VPTR__KEYWORD_INLINE },
  { "__signed__", VPTR__KEYWORD_SIGNED },
  { "__signed", VPTR__KEYWORD_SIGNED },
  { "_Static_assert", VPTR__KEYWORD_STATIC_ASSERT },
  { "__thread", VPTR__KEYWORD_THREAD_LOCAL },
  { "_Thread_local", VPTR__KEYWORD_THREAD_LOCAL },
  { "__volatile__", VPTR__KEYWORD_VOLATILE },
  { "__volatile", VPTR__KEYWORD_VOLATILE },
  /* CUDA */
  { "__global__", VPTR__KEYWORD_GLOBAL },
  { "__device__", VPTR__KEYWORD_DEVICE },
  { "__host__", VPTR__KEYWORD_HOST },
  { "__shared__", VPTR__KEYWORD_SHARED },
  { "__constant__", VPTR__KEYWORD_CONSTANT },
  { "__managed__", VPTR__KEYWORD_MANAGED },
  { "__grid_constant__", VPTR__KEYWORD_GRID_CONSTANT },
  { "__launch_bounds__", VPTR__KEYWORD_LAUNCH_BOUNDS },
  { "__cluster_dims__", VPTR__KEYWORD_CLUSTER_DIMS },
  { "__maxnreg__", VPTR__KEYWORD_MAXNREG },
  { "__forceinline__", VPTR__KEYWORD_FORCEINLINE },
  { "__noinline__", VPTR__KEYWORD_NOINLINE },
  { "__align__", VPTR__KEYWORD_ALIGN },
  /* operators */
  { "and", VPTR__TOKEN_AND_AND },
  { "and_eq", VPTR__TOKEN_AND_ASSIGN },
  { "bitand", '&' },
  { "bitor", '|' },
  { "compl", '~' },
  { "not", '!' },
  { "not_eq", VPTR__TOKEN_NOT_EQUAL },
  { "or", VPTR__TOKEN_OR_OR },
  { "or_eq", VPTR__TOKEN_OR_ASSIGN },
  { "xor", '^' },
  { "xor_eq", VPTR__TOKEN_XOR_ASSIGN },
};

static const spelling others[] = {
  { "the end of the text", VPTR__TOKEN_END },
  { "a name", VPTR__TOKEN_NAME },
  { "a number", VPTR__TOKEN_NUMBER },
  { "a string", VPTR__TOKEN_STRING },
  { "a character", VPTR__TOKEN_CHARACTER },
  { "something that is no token", VPTR__TOKEN_OTHER },
  { "->", VPTR__TOKEN_ARROW },
  { "++", VPTR__TOKEN_INCREMENT },
  { "--", VPTR__TOKEN_DECREMENT },
  { "<<", VPTR__TOKEN_SHIFT_LEFT },
  { ">>", VPTR__TOKEN_SHIFT_RIGHT },
  { "<=", VPTR__TOKEN_LESS_EQUAL },
  { ">=", VPTR__TOKEN_GREATER_EQUAL },
  { "==", VPTR__TOKEN_EQUAL },
  { "!=", VPTR__TOKEN_NOT_EQUAL },
  { "&&", VPTR__TOKEN_AND_AND },
  { "||", VPTR__TOKEN_OR_OR },
  { "...", VPTR__TOKEN_ELLIPSIS },
  { "+=", VPTR__TOKEN_ADD_ASSIGN },
  { "-=", VPTR__TOKEN_SUB_ASSIGN },
  { "*=", VPTR__TOKEN_MUL_ASSIGN },
  { "/=", VPTR__TOKEN_DIV_ASSIGN },
  { "%=", VPTR__TOKEN_MOD_ASSIGN },
  { "&=", VPTR__TOKEN_AND_ASSIGN },
  { "|=", VPTR__TOKEN_OR_ASSIGN },
  { "^=", VPTR__TOKEN_XOR_ASSIGN },
  { "<<=", VPTR__TOKEN_SHIFT_LEFT_ASSIGN },
  { ">>=", VPTR__TOKEN_SHIFT_RIGHT_ASSIGN },
  { "::", VPTR__TOKEN_SCOPE },
  { "##", VPTR__TOKEN_HASH_HASH },
  { "<<<", VPTR__TOKEN_LAUNCH_BEGIN },
  { "#pragma unroll", VPTR__TOKEN_PRAGMA_UNROLL },
};

enum { WORDS = sizeof words / sizeof *words, OTHERS = sizeof others / sizeof *others };

void vptr__keyword_install(vptr__source *source) {
  for (int i = 0; i < WORDS; i++)
    vptr__source_intern(source, words[i].text, strlen(words[i].text))->keyword = words[i].kind;
}

static const char *find_spelling(const spelling *table, int count, int kind) {
  for (int i = 0; i < count; i++)
    if (table[i].kind == kind)
      return table[i].text;
  return NULL;
}

/* Printable ASCII, each followed by a zero: the texts of the punctuators of one byte. */
static const char single[] = "!\0\"\0#\0$\0%\0&\0'\0(\0)\0*\0+\0,\0-\0.\0/\0"
                             "0\0"
                             "1\0"
                             "2\0"
                             "3\0"
                             "4\0"
                             "5\0"
                             "6\0"
                             "7\0"
                             "8\0"
                             "9\0:\0;\0<\0=\0>\0?\0@\0A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0"
                             "P\0Q\0R\0S\0T\0U\0V\0W\0X\0Y\0Z\0[\0\\\0]\0^\0_\0`\0a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0"
                             "l\0m\0n\0o\0p\0q\0r\0s\0t\0u\0v\0w\0x\0y\0z\0{\0|\0}\0~";

const char *vptr__token_kind_text(int kind) {
  if (kind > ' ' && kind < 127)
    return single + 2 * (kind - '!');
  const char *text =
      kind >= VPTR__TOKEN_KEYWORD_FIRST ? find_spelling(words, WORDS, kind) : find_spelling(others, OTHERS, kind);
  return text != NULL ? text : "an unknown token";
}
