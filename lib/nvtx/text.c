/* SPDX-License-Identifier: MIT */
/*
 * text - see text.h.
 *
 * The C library's conversion of wide characters follows the program's locale, which is "C" in most programs and has no
 * character beyond ASCII, so that UTF-8 is written here. No data, no locks. Called by domain.c, event.c and
 * injection.c.
 */
#include "nvtx/text.h"

#include <string.h>

#include "nvtx/domain.h"

static const char cut_mark[] = "...";
static const char no_message[] = "(no message)";

enum { ROOM = VPTR__NVTX_TEXT_SIZE - sizeof cut_mark }; /* for what stands before the mark */

static bool is_continuation(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

static bool is_control(unsigned long character) {
  return character < 0x20 || character == 0x7f;
}

vptr__nvtx_text vptr__nvtx_text_of_bytes(const char *bytes) {
  vptr__nvtx_text text = { "" };
  if (bytes == NULL)
    bytes = no_message;
  size_t size = strnlen(bytes, VPTR__NVTX_TEXT_SIZE);
  bool is_cut = size == VPTR__NVTX_TEXT_SIZE;
  if (is_cut)
    for (size = ROOM; size > 0 && is_continuation(bytes[size]);)
      size--;
  for (size_t i = 0; i < size; i++)
    text.bytes[i] = is_control((unsigned char)bytes[i]) ? ' ' : bytes[i];
  if (is_cut)
    memcpy(text.bytes + size, cut_mark, sizeof cut_mark);
  return text;
}

/* Returns the number of bytes. What is no character of Unicode is its replacement, U+FFFD. */
static size_t encode_character(unsigned long character, char bytes_out[4]) {
  if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
    character = 0xfffd;
  if (character < 0x80) {
    bytes_out[0] = (char)(is_control(character) ? ' ' : character);
    return 1;
  }
  size_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = size - 1; i > 0; i--, character >>= 6)
    bytes_out[i] = (char)(0x80 | (character & 0x3f));
  bytes_out[0] = (char)((0xf00 >> size) | character);
  return size;
}

vptr__nvtx_text vptr__nvtx_text_of_wide(const wchar_t *wide) {
  if (wide == NULL)
    return vptr__nvtx_text_of_bytes(NULL);
  vptr__nvtx_text text = { "" };
  size_t used = 0;
  for (; *wide != L'\0'; wide++) {
    char bytes[4];
    size_t size = encode_character((unsigned long)*wide, bytes);
    if (used + size > ROOM) {
      memcpy(text.bytes + used, cut_mark, sizeof cut_mark);
      break;
    }
    memcpy(text.bytes + used, bytes, size);
    used += size;
  }
  return text;
}

vptr__nvtx_text vptr__nvtx_text_of_message(int32_t type, nvtxMessageValue_t message) {
  switch (type) {
  case NVTX_MESSAGE_TYPE_ASCII:
    return vptr__nvtx_text_of_bytes(message.ascii);
  case NVTX_MESSAGE_TYPE_UNICODE:
    return vptr__nvtx_text_of_wide(message.unicode);
  case NVTX_MESSAGE_TYPE_REGISTERED:
    return vptr__nvtx_string_text(message.registered);
  default:
    return vptr__nvtx_text_of_bytes(NULL);
  }
}
