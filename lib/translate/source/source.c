/* SPDX-License-Identifier: MIT */
/*
 * source - see source.h.
 *
 * Files are kept in the order of their positions, so that a position finds its file by halving. A file's lines are
 * looked for when the first place in it is asked for: many files never say a word.
 */
#include "translate/source/source.h"

#include <stdarg.h>
#include <string.h>

enum { MESSAGES_MOST = 100, FIRST_NAMES = 1024, POSITIONS_MOST = 1 << 30 };

typedef struct message {
  vptr__severity severity;
  vptr__position position;
  const char *text;
  struct message *next;
} message;

typedef struct vptr__renumbering {
  uint32_t line_index; /* of the first line that it holds for, from 0 */
  const char *file;
  unsigned line;
} vptr__renumbering;

struct vptr__held {
  message *messages, *last; /* last, kept: of what was said before it was held */
  int kept[VPTR__ERROR + 1];
  int errors;
};

struct vptr__source {
  vptr__arena *arena;
  vptr__source_file **files;
  uint32_t file_count, file_capacity;
  vptr__position next_position;
  vptr__name **buckets;
  uint32_t bucket_count, name_count;
  message *messages, *last_message;
  int kept[VPTR__ERROR + 1];
  int errors, silenced;
  bool is_muted, is_last_muted; /* no warnings; the last thing said was one */
  vptr__held *before_hold;      /* NULL: nothing is held */
};

vptr__source *vptr__source_create(vptr__arena *arena) {
  vptr__source *source = VPTR__ARENA_NEW(arena, vptr__source);
  source->arena = arena;
  source->next_position = 1;
  source->bucket_count = FIRST_NAMES;
  source->buckets = vptr__arena_allocate(arena, FIRST_NAMES * sizeof *source->buckets);
  return source;
}

vptr__arena *vptr__source_arena(vptr__source *source) {
  return source->arena;
}

/* ---- files and places ------------------------------------------------------------------------------------ */

static void reserve_file(vptr__source *source) {
  if (source->file_count < source->file_capacity)
    return;
  uint32_t capacity = source->file_capacity == 0 ? 16 : source->file_capacity * 2;
  vptr__source_file **files = vptr__arena_allocate(source->arena, capacity * sizeof *files);
  if (source->file_count > 0)
    memcpy(files, source->files, source->file_count * sizeof *files);
  source->files = files;
  source->file_capacity = capacity;
}

vptr__source_file *vptr__source_add(vptr__source *source, const char *name, const char *text, size_t length,
                                    vptr__position included_at) {
  if (length >= POSITIONS_MOST - source->next_position)
    longjmp(*source->arena->out, VPTR__ARENA_TOO_LARGE);
  reserve_file(source);
  vptr__source_file *file = VPTR__ARENA_NEW(source->arena, vptr__source_file);
  file->name = name;
  file->text = text;
  file->length = (uint32_t)length;
  file->begin = source->next_position;
  file->included_at = included_at;
  source->next_position += (uint32_t)length + 1; /* its end is a position too */
  if (source->file_count > 0)
    source->files[source->file_count - 1]->next = file;
  source->files[source->file_count++] = file;
  return file;
}

static vptr__source_file *file_at(const vptr__source *source, vptr__position position) {
  if (position == 0 || position >= source->next_position)
    return NULL;
  uint32_t low = 0, high = source->file_count; /* files[low] begins at or before, files[high] behind */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->files[middle]->begin <= position)
      low = middle;
    else
      high = middle;
  }
  return source->files[low];
}

const vptr__source_file *vptr__source_file_at(const vptr__source *source, vptr__position position) {
  return file_at(source, position);
}

static void find_lines(vptr__source *source, vptr__source_file *file) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < file->length; i++)
    count += file->text[i] == '\n';
  uint32_t *lines = vptr__arena_allocate(source->arena, count * sizeof *lines);
  uint32_t line = 1;
  for (uint32_t i = 0; i < file->length; i++)
    if (file->text[i] == '\n')
      lines[line++] = i + 1;
  file->lines = lines;
  file->line_count = count;
}

static uint32_t line_index(vptr__source *source, vptr__source_file *file, uint32_t offset) {
  if (file->lines == NULL)
    find_lines(source, file);
  uint32_t low = 0, high = file->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (file->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The last one that begins at or before a line; they are in the order of lines. Few files have any, kernel C one for
 * each of its lines, and each #line that is written asks. */
static const vptr__renumbering *renumbering_at(const vptr__source_file *file, uint32_t index) {
  uint32_t low = 0, high = file->renumbering_count; /* those before low begin at or before, those from high behind */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (file->renumberings[middle].line_index <= index)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &file->renumberings[low - 1] : NULL;
}

vptr__place vptr__source_place(vptr__source *source, vptr__position position) {
  vptr__source_file *file = file_at(source, position);
  if (file == NULL)
    return (vptr__place){ NULL, 0, 0 };
  uint32_t offset = position - file->begin;
  uint32_t index = line_index(source, file, offset);
  vptr__place place = { file->name, index + 1, offset - file->lines[index] + 1 };
  const vptr__renumbering *renumbering = renumbering_at(file, index);
  if (renumbering != NULL) {
    place.file = renumbering->file;
    place.line = renumbering->line + (index - renumbering->line_index);
  }
  return place;
}

static void add_renumbering(vptr__source *source, vptr__source_file *file, vptr__renumbering renumbering) {
  if (file->renumbering_count == file->renumbering_capacity) {
    uint32_t capacity = file->renumbering_capacity * 2 + 4;
    vptr__renumbering *grown = vptr__arena_allocate(source->arena, capacity * sizeof *grown);
    if (file->renumbering_count > 0)
      memcpy(grown, file->renumberings, file->renumbering_count * sizeof *grown);
    file->renumberings = grown;
    file->renumbering_capacity = capacity;
  }
  file->renumberings[file->renumbering_count++] = renumbering;
}

void vptr__source_renumber(vptr__source *source, vptr__position position, const char *name, unsigned line) {
  vptr__source_file *file = file_at(source, position);
  if (file == NULL)
    return;
  if (name == NULL)
    name = vptr__source_place(source, position).file;
  uint32_t index = line_index(source, file, position - file->begin) + 1;
  add_renumbering(source, file, (vptr__renumbering){ index, name, line });
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const char *text, size_t length) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash ^ hash >> 15;
}

static void spread_names(vptr__source *source) {
  uint32_t count = source->bucket_count * 4;
  vptr__name **buckets = vptr__arena_allocate(source->arena, count * sizeof *buckets);
  for (uint32_t i = 0; i < source->bucket_count; i++)
    for (vptr__name *name = source->buckets[i], *next; name != NULL; name = next) {
      next = name->next;
      name->next = buckets[name->hash & (count - 1)];
      buckets[name->hash & (count - 1)] = name;
    }
  source->buckets = buckets;
  source->bucket_count = count;
}

vptr__name *vptr__source_intern(vptr__source *source, const char *text, size_t length) {
  uint32_t hash = hash_of(text, length);
  vptr__name **bucket = &source->buckets[hash & (source->bucket_count - 1)];
  for (vptr__name *name = *bucket; name != NULL; name = name->next)
    if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
      return name;
  vptr__name *name = VPTR__ARENA_NEW(source->arena, vptr__name);
  name->text = vptr__arena_copy(source->arena, text, length);
  name->length = (uint32_t)length;
  name->hash = hash;
  name->next = *bucket;
  *bucket = name;
  if (++source->name_count > source->bucket_count)
    spread_names(source);
  return name;
}

/* ---- messages -------------------------------------------------------------------------------------------- */

static void append_message(vptr__source *source, vptr__severity severity, vptr__position position, const char *text) {
  message *kept = VPTR__ARENA_NEW(source->arena, message);
  kept->severity = severity;
  kept->position = position;
  kept->text = text;
  if (source->last_message == NULL)
    source->messages = kept;
  else
    source->last_message->next = kept;
  source->last_message = kept;
}

void vptr__source_report(vptr__source *source, vptr__severity severity, vptr__position position, const char *format,
                         ...) {
  source->errors += severity == VPTR__ERROR;
  if (severity != VPTR__NOTE)
    source->is_last_muted = source->is_muted && severity == VPTR__WARNING;
  if (source->is_last_muted || source->silenced > 0 || source->kept[severity] >= MESSAGES_MOST)
    return;
  source->kept[severity]++;
  va_list arguments;
  va_start(arguments, format);
  append_message(source, severity, position, vptr__arena_format_list(source->arena, format, arguments));
  va_end(arguments);
}

void vptr__source_mute_warnings(vptr__source *source) {
  source->is_muted = true;
}

int vptr__source_errors(const vptr__source *source) {
  return source->errors;
}

void vptr__source_silence(vptr__source *source) {
  source->silenced++;
}

void vptr__source_unsilence(vptr__source *source, int errors_before) {
  source->silenced--;
  source->errors = errors_before;
}

void vptr__source_unsilence_all(vptr__source *source) {
  if (source->silenced > 0)
    source->errors = source->kept[VPTR__ERROR] + (source->before_hold != NULL ? source->before_hold->errors : 0);
  source->silenced = 0;
  if (source->before_hold != NULL)
    vptr__source_release(source);
}

void vptr__source_hold(vptr__source *source) {
  vptr__held *before = VPTR__ARENA_NEW(source->arena, vptr__held);
  *before = (vptr__held){ .messages = source->messages, .last = source->last_message, .errors = source->errors };
  memcpy(before->kept, source->kept, sizeof before->kept);
  memset(source->kept, 0, sizeof source->kept);
  source->messages = source->last_message = NULL;
  source->before_hold = before;
}

vptr__held *vptr__source_release(vptr__source *source) {
  vptr__held *before = source->before_hold, *held = VPTR__ARENA_NEW(source->arena, vptr__held);
  *held = (vptr__held){ .messages = source->messages, .errors = source->errors - before->errors };
  source->messages = before->messages;
  source->last_message = before->last;
  source->errors = before->errors;
  memcpy(source->kept, before->kept, sizeof source->kept);
  source->before_hold = NULL;
  if (held->errors > 0)
    return held;
  vptr__source_report_held(source, held);
  return NULL;
}

void vptr__source_report_held(vptr__source *source, const vptr__held *held) {
  int said = 0;
  for (const message *each = held->messages; each != NULL; each = each->next) {
    vptr__source_report(source, each->severity, each->position, "%s", each->text);
    said += each->severity == VPTR__ERROR;
  }
  source->errors += held->errors - said;
}

static const char *line_of(vptr__source *source, const message *said) {
  static const char *const words[] = { "note", "warning", "error" };
  vptr__place place = vptr__source_place(source, said->position);
  if (place.file == NULL)
    return vptr__arena_format(source->arena, "%s: %s\n", words[said->severity], said->text);
  return vptr__arena_format(source->arena, "%s:%u:%u: %s: %s\n", place.file, place.line, place.column,
                            words[said->severity], said->text);
}

const char *vptr__source_log(vptr__source *source) {
  const char *lines[MESSAGES_MOST * (VPTR__ERROR + 1) + 1];
  size_t count = 0, length = 0;
  for (const message *each = source->messages; each != NULL; each = each->next) {
    lines[count] = line_of(source, each);
    length += strlen(lines[count++]);
  }
  if (source->errors > source->kept[VPTR__ERROR]) {
    lines[count] = vptr__arena_format(source->arena, "error: %d more errors are not shown\n",
                                      source->errors - source->kept[VPTR__ERROR]);
    length += strlen(lines[count++]);
  }
  char *log = vptr__arena_allocate(source->arena, length + 1), *end = log;
  for (size_t i = 0; i < count; i++)
    end = stpcpy(end, lines[i]);
  return log;
}
