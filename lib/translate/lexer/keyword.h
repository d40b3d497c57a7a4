/* SPDX-License-Identifier: MIT */
/*
 * keyword - the words that C++17, GNU C and CUDA keep for themselves.
 *
 * The lexer makes names of all words. The preprocessor hands keywords to the parser under their own kinds, once macros
 * have had their chance. Several spellings may mean one keyword (__volatile__ and volatile), and the words for
 * operators (and, not_eq) come as the operators.
 */
#ifndef VPTR_TRANSLATE_LEXER_KEYWORD_H
#define VPTR_TRANSLATE_LEXER_KEYWORD_H

#include "translate/lexer/token.h"

typedef enum vptr__keyword {
  /* C++17 */
  VPTR__KEYWORD_ALIGNAS = VPTR__TOKEN_KEYWORD_FIRST, /* also _Alignas */
  VPTR__KEYWORD_ALIGNOF,            /* also _Alignof, __alignof__, __alignof */
  VPTR__KEYWORD_ASM,                /* also __asm__, __asm */
  VPTR__KEYWORD_AUTO,
  VPTR__KEYWORD_BOOL,               /* also _Bool */
  VPTR__KEYWORD_BREAK,
  VPTR__KEYWORD_CASE,
  VPTR__KEYWORD_CATCH,
  VPTR__KEYWORD_CHAR,
  VPTR__KEYWORD_CHAR16_T,
  VPTR__KEYWORD_CHAR32_T,
  VPTR__KEYWORD_CLASS,
  VPTR__KEYWORD_CONST,              /* also __const__, __const */
  VPTR__KEYWORD_CONSTEXPR,
  VPTR__KEYWORD_CONST_CAST,
  VPTR__KEYWORD_CONTINUE,
  VPTR__KEYWORD_DECLTYPE,
  VPTR__KEYWORD_DEFAULT,
  VPTR__KEYWORD_DELETE,
  VPTR__KEYWORD_DO,
  VPTR__KEYWORD_DOUBLE,
  VPTR__KEYWORD_DYNAMIC_CAST,
  VPTR__KEYWORD_ELSE,
  VPTR__KEYWORD_ENUM,
  VPTR__KEYWORD_EXPLICIT,
  VPTR__KEYWORD_EXPORT,
  VPTR__KEYWORD_EXTERN,
  VPTR__KEYWORD_FALSE,
  VPTR__KEYWORD_FLOAT,
  VPTR__KEYWORD_FOR,
  VPTR__KEYWORD_FRIEND,
  VPTR__KEYWORD_GOTO,
  VPTR__KEYWORD_IF,
  VPTR__KEYWORD_INLINE,             /* also __inline__, __inline */
  VPTR__KEYWORD_INT,
  VPTR__KEYWORD_LONG,
  VPTR__KEYWORD_MUTABLE,
  VPTR__KEYWORD_NAMESPACE,
  VPTR__KEYWORD_NEW,
  VPTR__KEYWORD_NOEXCEPT,
  VPTR__KEYWORD_NULLPTR,
  VPTR__KEYWORD_OPERATOR,
  VPTR__KEYWORD_PRIVATE,
  VPTR__KEYWORD_PROTECTED,
  VPTR__KEYWORD_PUBLIC,
  VPTR__KEYWORD_REGISTER,
  VPTR__KEYWORD_REINTERPRET_CAST,
  VPTR__KEYWORD_RETURN,
  VPTR__KEYWORD_SHORT,
  VPTR__KEYWORD_SIGNED,             /* also __signed__, __signed */
  VPTR__KEYWORD_SIZEOF,
  VPTR__KEYWORD_STATIC,
  VPTR__KEYWORD_STATIC_ASSERT,      /* also _Static_assert */
  VPTR__KEYWORD_STATIC_CAST,
  VPTR__KEYWORD_STRUCT,
  VPTR__KEYWORD_SWITCH,
  VPTR__KEYWORD_TEMPLATE,
  VPTR__KEYWORD_THIS,
  VPTR__KEYWORD_THREAD_LOCAL,       /* also __thread, _Thread_local */
  VPTR__KEYWORD_THROW,
  VPTR__KEYWORD_TRUE,
  VPTR__KEYWORD_TRY,
  VPTR__KEYWORD_TYPEDEF,
  VPTR__KEYWORD_TYPEID,
  VPTR__KEYWORD_TYPENAME,
  VPTR__KEYWORD_UNION,
  VPTR__KEYWORD_UNSIGNED,
  VPTR__KEYWORD_USING,
  VPTR__KEYWORD_VIRTUAL,
  VPTR__KEYWORD_VOID,
  VPTR__KEYWORD_VOLATILE,           /* also __volatile__, __volatile */
  VPTR__KEYWORD_WCHAR_T,
  VPTR__KEYWORD_WHILE,
  /* GNU */
  VPTR__KEYWORD_RESTRICT,           /* __restrict__, __restrict; `restrict` is a name, as in C++ */
  VPTR__KEYWORD_ATTRIBUTE,          /* __attribute__, __attribute: the parser skips what is in the parentheses */
  VPTR__KEYWORD_EXTENSION,          /* __extension__: means nothing */
  VPTR__KEYWORD_TYPEOF,             /* __typeof__, __typeof */
  VPTR__KEYWORD_INT128,             /* __int128, __int128_t, __uint128_t */
  /* CUDA */
  VPTR__KEYWORD_GLOBAL,             /* __global__ */
  VPTR__KEYWORD_DEVICE,             /* __device__ */
  VPTR__KEYWORD_HOST,               /* __host__ */
  VPTR__KEYWORD_SHARED,             /* __shared__ */
  VPTR__KEYWORD_CONSTANT,           /* __constant__ */
  VPTR__KEYWORD_MANAGED,            /* __managed__ */
  VPTR__KEYWORD_GRID_CONSTANT,      /* __grid_constant__ */
  VPTR__KEYWORD_LAUNCH_BOUNDS,      /* __launch_bounds__ */
  VPTR__KEYWORD_CLUSTER_DIMS,       /* __cluster_dims__ */
  VPTR__KEYWORD_MAXNREG,            /* __maxnreg__ */
  VPTR__KEYWORD_FORCEINLINE,        /* __forceinline__ */
  VPTR__KEYWORD_NOINLINE,           /* __noinline__ */
  VPTR__KEYWORD_ALIGN,              /* __align__ */
  VPTR__KEYWORD_END
} vptr__keyword;

/* Marks the names of all keywords in a source. */
void vptr__keyword_install(vptr__source *source);

/* How a keyword is spelled first, or a punctuator, or what kind of thing another kind is ("a name"): for messages. */
const char *vptr__token_kind_text(int kind);

#endif
