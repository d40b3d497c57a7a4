/* SPDX-License-Identifier: MIT */
/* assert.h - may be read again, with NDEBUG as it is by then. */
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ((__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#endif
