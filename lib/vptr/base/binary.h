/* SPDX-License-Identifier: MIT */
/*
 * binary - what compilers made, kept on disk, since that takes a second: drivers' binaries, and modules of C++ (nvrtc).
 *
 * A file for each program: VPTR_CACHE names their folder (by default vptr/ in $XDG_CACHE_HOME or ~/.cache; 0 or off
 * keeps nothing). Its name is a hash of the key (all that the build depends on: text, options, device, driver), and
 * the key itself is in the file and compared, so that two keys with one hash do no harm. So is a checksum of the
 * binary: a file that was cut short or damaged is no find, and the next build replaces it. Writers make a file of
 * their own and rename it, so readers and other writers see whole files only. Files of other users are not believed.
 *
 * Nothing here is an error: what cannot be read is built, what cannot be written is built again next time. The folder
 * may be emptied at any time. No locks; the only state in memory is an atomic count, for names of temporary files. Used
 * by lib/vptr/device, lib/nvrtc and lib/cublas.
 */
#ifndef VPTR_BASE_BINARY_H
#define VPTR_BASE_BINARY_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

/* What a build depends on, in parts, none of which is NULL. */
typedef struct vptr__binary_key {
  struct {
    const char *bytes;
    size_t length;
  } parts[6];
} vptr__binary_key;

/* *binary_out is vptr__memory_free()'s. */
VPTR_API bool vptr__binary_load(const vptr__binary_key *key, unsigned char **binary_out, size_t *size_out);

VPTR_API void vptr__binary_keep(const vptr__binary_key *key, const unsigned char *binary, size_t size);

/* Whether anything is kept: drivers take their time to hand out a binary. */
bool vptr__binary_is_on(void);

/* For tests: the file of a key; false if nothing is kept. */
bool vptr__binary_path(const vptr__binary_key *key, char *path, size_t size);

#endif
