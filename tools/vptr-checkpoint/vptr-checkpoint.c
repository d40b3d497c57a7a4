/* SPDX-License-Identifier: MIT */
/*
 * vptr-checkpoint - lists what is in a file of vptr_checkpoint(), or checks all of it. It opens no device.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "checkpoint/reader.h"

enum { EXIT_WHOLE = 0, EXIT_UNFINISHED = 1, EXIT_USAGE = 2, EXIT_DAMAGED = 3 };

static void print_help(void) {
  puts("Usage: vptr-checkpoint list|verify FILE\n"
       "Show what a file of vptr_checkpoint() has, or check it.\n"
       "\n"
       "  list      the checkpoints, and what the last one has: allocations with address, size, serial and bytes\n"
       "            stored, variables of modules by name, and managed memory\n"
       "  verify    read all of the file, and check it against its sums\n"
       "  --help, --version\n"
       "\n"
       "The exit status is 0 for a whole file, 1 for one that has an unfinished checkpoint at its end, which does "
       "not\n"
       "count, 2 for a wrong command line, and 3 for a file that is damaged or cannot be read.");
}

static uint64_t end_of(const vptr__reader *reader) {
  return reader->commits[reader->commit_count - 1].end;
}

/* What is behind the last checkpoint. */
static int tell_end(const vptr__reader *reader) {
  if (end_of(reader) == reader->size)
    return EXIT_WHOLE;
  printf("%" PRIu64 " bytes from byte %" PRIu64 " on are of a checkpoint that was not completed, and do not count\n",
         reader->size - end_of(reader), end_of(reader));
  return EXIT_UNFINISHED;
}

static uint64_t stored_bytes(const vptr__reader *reader, size_t buffer) {
  const uint64_t bytes = reader->buffers[buffer].is.bytes, count = vptr__checkpoint_chunks(bytes);
  uint64_t stored = 0;
  for (uint64_t i = 0; i < count; i++)
    if (reader->chunks[reader->first_chunks[buffer] + i] != 0)
      stored += vptr__checkpoint_chunk_size(bytes, i * VPTR__CHECKPOINT_CHUNK);
  return stored;
}

static void list_buffer(const vptr__reader *reader, size_t buffer) {
  const vptr__snapshot_buffer *it = &reader->snapshot.buffers[buffer];
  printf("buffer %#" PRIx64 "  %" PRIu64 " bytes, %" PRIu64 " stored", it->base, it->bytes,
         stored_bytes(reader, buffer));
  if (it->slot_size != 0)
    printf(", slots of %u bytes", it->slot_size);
  printf("\n");
  for (uint32_t i = 0; i < it->place_count; i++) {
    const vptr__snapshot_place *place = &reader->snapshot.places[it->first_place + i];
    printf("  %#" PRIx64 "  %" PRIu64 " bytes  serial %" PRIu64 "\n", place->base, place->size, place->serial);
  }
}

static void list_saved(const vptr__reader *reader, size_t index) {
  const vptr__saved_list *list = &reader->saved;
  const vptr__saved *item = &list->items[index];
  const char *name = vptr__saved_name(list, item);
  const bool is_array = item->kind == VPTR__SAVED_ARRAY; /* its address is none, its serial its handle */
  printf("%s ", vptr__saved_word(item->kind));
  if (name[0] != '\0')
    printf("\"%s\"  ", name);
  printf("%#" PRIx64, is_array ? item->serial : item->address);
  if (item->size != 0)
    printf("  %" PRIu64 " bytes", item->size);
  if (item->serial != 0 && !is_array)
    printf("  serial %" PRIu64, item->serial);
  if (item->bytes != 0)
    printf(", %" PRIu64 " stored",
           stored_bytes(reader, reader->snapshot.buffer_count + index - vptr__saved_first_stored(list)));
  printf("\n");
}

static bool list_kept(const vptr__reader *reader, size_t kept) {
  char *bytes;
  if (vptr__reader_kept_bytes(reader, kept, &bytes) != VPTR_SUCCESS)
    return false;
  printf("kept \"%s\"  %" PRIu64 " bytes\n", bytes, reader->kept[kept].size);
  vptr__memory_free(bytes);
  return true;
}

static int list(const vptr__reader *reader) {
  printf("process %" PRIu64 ", addresses from %#" PRIx64 ", windows of %" PRIu64 " bytes\n", reader->header.process,
         reader->header.base, reader->header.window);
  for (size_t i = 0; i < reader->commit_count; i++)
    printf("checkpoint %zu  %" PRIu64 " records, %" PRIu64 " bytes, to byte %" PRIu64 "\n", i + 1,
           reader->commits[i].records, reader->commits[i].bytes, reader->commits[i].end);
  for (size_t i = 0; i < reader->snapshot.buffer_count; i++)
    list_buffer(reader, i);
  for (size_t i = 0; i < reader->saved.count; i++)
    list_saved(reader, i);
  for (size_t i = 0; i < reader->kept_count; i++)
    if (!list_kept(reader, i)) {
      fprintf(stderr, "vptr-checkpoint: %s\n", vptr_last_error());
      return EXIT_DAMAGED;
    }
  return tell_end(reader);
}

static int verify(const vptr__reader *reader) {
  if (vptr__reader_verify(reader) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-checkpoint: %s\n", vptr_last_error());
    return EXIT_DAMAGED;
  }
  printf("%s: %zu checkpoints, %zu allocations, %" PRIu64 " bytes\n", reader->name, reader->commit_count,
         reader->snapshot.place_count, end_of(reader));
  return tell_end(reader);
}

static int run_action(const char *action, const char *file) {
  static vptr__reader reader;
  const bool lists = strcmp(action, "list") == 0;
  if (!lists && strcmp(action, "verify") != 0) {
    fprintf(stderr, "vptr-checkpoint: %s is neither list nor verify; --help tells more\n", action);
    return EXIT_USAGE;
  }
  if (vptr__reader_open(&reader, file) != VPTR_SUCCESS) {
    fprintf(stderr, "vptr-checkpoint: %s\n", vptr_last_error());
    return EXIT_DAMAGED;
  }
  int result = lists ? list(&reader) : verify(&reader);
  vptr__reader_close(&reader);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return result;
  perror("vptr-checkpoint: standard output");
  return EXIT_DAMAGED;
}

int main(int argc, char **argv) {
  static const struct option options[] = { { "help", no_argument, NULL, 'h' },
                                           { "version", no_argument, NULL, 'v' },
                                           { NULL, 0, NULL, 0 } };
  int option;
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
    if (option == 'h') {
      print_help();
      return EXIT_WHOLE;
    }
    if (option != 'v')
      return EXIT_USAGE;
    puts("vptr-checkpoint (vptr) " VPTR_VERSION_STRING);
    return EXIT_WHOLE;
  }
  if (argc - optind == 2)
    return run_action(argv[optind], argv[optind + 1]);
  fputs("vptr-checkpoint: list or verify, and one file, are needed; --help tells more\n", stderr);
  return EXIT_USAGE;
}
