/* SPDX-License-Identifier: MIT */
/* section - see section.h. Every offset that a file gives is checked against its length before it is used. */
#include "section.h"

#include <ar.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "armor.h"
#include "process.h"

typedef struct bytes {
  const char *at;
  size_t length;
} bytes;

static bool has_range(const bytes *object, uint64_t offset, uint64_t length) {
  return offset <= object->length && length <= object->length - offset;
}

/* Header number `index`. */
static bool read_header(const bytes *object, const Elf64_Ehdr *elf, uint64_t index, Elf64_Shdr *header_out) {
  uint64_t offset = elf->e_shoff + index * sizeof *header_out;
  if (elf->e_shentsize != sizeof *header_out || elf->e_shoff > object->length ||
      !has_range(object, offset, sizeof *header_out))
    return false;
  memcpy(header_out, object->at + offset, sizeof *header_out);
  return true;
}

static bool is_named(const bytes *object, const Elf64_Shdr *names, uint32_t name) {
  uint64_t offset = names->sh_offset + name;
  return has_range(object, names->sh_offset, names->sh_size) && name < names->sh_size &&
         has_range(object, offset, sizeof CC_SECTION) &&
         memcmp(object->at + offset, CC_SECTION, sizeof CC_SECTION) == 0;
}

/* What the last line of a text says. */
static size_t bytes_behind(const char *text, size_t length) {
  size_t first = length > 0 ? length - 1 : 0;
  while (first > 0 && text[first - 1] != '\n')
    first--;
  bool is_there = strncmp(text + first, CC_SECTION_BYTES, strlen(CC_SECTION_BYTES)) == 0;
  return is_there ? strtoul(text + first + strlen(CC_SECTION_BYTES), NULL, 10) : 0;
}

/* Each ends with a zero; `ld -r` puts the sections of several objects into one. */
static void add_texts(vptr__arena *arena, const char *at, size_t length, cc_list *texts) {
  for (const char *end = at + length; at < end; at++) {
    size_t left = (size_t)(end - at), one = strnlen(at, left);
    if (one == left)
      return;
    size_t more = bytes_behind(at, one);
    if (more > left - one - 1)
      return;
    if (one > 0)
      cc_list_add(texts, vptr__arena_copy(arena, at, one + 1 + more));
    at += one + more;
  }
}

/* Objects with more than 65,000 sections keep their number in the first header. */
static void read_object(vptr__arena *arena, const bytes *object, cc_list *texts) {
  Elf64_Ehdr elf;
  Elf64_Shdr first, names, header;
  if (object->length < sizeof elf)
    return;
  memcpy(&elf, object->at, sizeof elf);
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_type != ET_REL || !read_header(object, &elf, 0, &first))
    return;
  uint64_t count = elf.e_shnum != 0 ? elf.e_shnum : first.sh_size;
  if (!read_header(object, &elf, elf.e_shstrndx != SHN_XINDEX ? elf.e_shstrndx : first.sh_link, &names))
    return;
  for (uint64_t i = 1; i < count && read_header(object, &elf, i, &header); i++)
    if (header.sh_type == SHT_PROGBITS && is_named(object, &names, header.sh_name) &&
        has_range(object, header.sh_offset, header.sh_size))
      add_texts(arena, object->at + header.sh_offset, header.sh_size, texts);
}

static void read_archive(vptr__arena *arena, const bytes *archive, cc_list *texts) {
  size_t at = SARMAG;
  struct ar_hdr header;
  while (at + sizeof header <= archive->length) {
    char digits[sizeof header.ar_size + 1] = { 0 };
    memcpy(&header, archive->at + at, sizeof header);
    memcpy(digits, header.ar_size, sizeof header.ar_size);
    size_t size = strtoul(digits, NULL, 10);
    at += sizeof header;
    if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 || !has_range(archive, at, size))
      return;
    bytes member = { archive->at + at, size };
    if (size > SELFMAG && memcmp(member.at, ELFMAG, SELFMAG) == 0)
      read_object(arena, &member, texts);
    at += size + (size & 1);
  }
}

bool cc_section_read(vptr__arena *arena, const char *path, cc_list *texts) {
  bytes file = { NULL, 0 };
  if (!cc_file_read(arena, path, &file.at, &file.length))
    return false;
  if (file.length > SELFMAG && memcmp(file.at, ELFMAG, SELFMAG) == 0)
    read_object(arena, &file, texts);
  else if (file.length > SARMAG && memcmp(file.at, ARMAG, SARMAG) == 0)
    read_archive(arena, &file, texts);
  else if (strncmp(file.at, CC_SECTION_MODULE, sizeof CC_SECTION_MODULE - 1) == 0)
    cc_armor_read(arena, file.at, texts);
  return true;
}
