/* SPDX-License-Identifier: MIT */
/*
 * name - identifiers for what C++ names otherwise, and unique ones.
 */
#ifndef VPTR_TRANSLATE_INFER_NAME_H
#define VPTR_TRANSLATE_INFER_NAME_H

#include "translate/source/map.h"
#include "translate/syntax/tree.h"

/* The name itself, or with __2, __3, ... behind it, if it is taken; and takes it. */
const char *vptr__name_unique(vptr__source *source, vptr__map *taken, const char *name);

/* a::b::scale as a__b__scale; unnamed: instead of a name that there is not. */
const char *vptr__name_qualified(vptr__arena *arena, const vptr__declaration *declaration, const char *unnamed);

#endif
