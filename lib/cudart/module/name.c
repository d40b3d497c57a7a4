/* SPDX-License-Identifier: MIT */
/*
 * name - the table from names to kernels and variables of a module (name.h). Modules of templates may have thousands of
 * kernels, each of which the host's half asks for by its name: 5,000 of them took 133 ms before main() when each name
 * was compared with all, and take 16 ms so.
 *
 * There is no data and no lock here: a table belongs to the image of a module (image.c), or to the survey of a PTX text
 * (nvidia/survey.c), which has its memory. One thread fills it, and looks names up in it meanwhile, before others see
 * it; from then on it is only read. Called by image.c and nvidia/survey.c, which fill tables and look names up; and by
 * module.c, which looks them up.
 */
#include "module/name.h"

#include <string.h>

/* FNV-1a of 64 bits, as in base/binary.c; its low bits are good enough to be places. */
static uint64_t hash_name(const char *name) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (; *name != 0; name++)
    sum = (sum ^ (unsigned char)*name) * UINT64_C(1099511628211);
  return sum ^ sum >> 32;
}

/* Where it is, or the free place where it would be. */
static vptr__name_place *place_of(const vptr__name_table *table, const char *name) {
  for (uint64_t i = hash_name(name);; i++) {
    vptr__name_place *place = &table->places[i & (table->count - 1)];
    if (place->name == NULL || strcmp(place->name, name) == 0)
      return place;
  }
}

size_t vptr__name_places(size_t names) {
  size_t places = names > 0 ? 2 : 0;
  while (places < 2 * names)
    places *= 2;
  return places;
}

void vptr__name_add(vptr__name_table *table, const char *name, uint32_t index) {
  vptr__name_place *place = place_of(table, name);
  if (place->name == NULL)
    *place = (vptr__name_place){ name, index };
}

bool vptr__name_find(const vptr__name_table *table, const char *name, uint32_t *index_out) {
  const vptr__name_place *place = table->count > 0 ? place_of(table, name) : NULL;
  if (place == NULL || place->name == NULL)
    return false;
  *index_out = place->index;
  return true;
}
