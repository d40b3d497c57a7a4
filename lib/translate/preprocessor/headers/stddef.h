/* SPDX-License-Identifier: MIT */
#pragma once
typedef unsigned long size_t;
typedef long ptrdiff_t;
namespace std {
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
}
#ifndef NULL
#define NULL 0
#endif
