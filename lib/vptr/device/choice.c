/* SPDX-License-Identifier: MIT */
/*
 * choice - sorts the list of a machine's devices, and marks those of use.
 *
 * VPTR_PLATFORM and VPTR_DEVICE each hold a number or a part of a name, in any case. A number counts platforms as the
 * ICD loader does, and devices among those of the chosen platforms, in the order of the list. A number beyond the last
 * is taken for a part of a name, so that VPTR_DEVICE=4090 does what it says. Without VPTR_DEVICE the GPUs are chosen,
 * and where there is no GPU, everything.
 *
 * Of what is left then, CUDA_VISIBLE_DEVICES names some by number and orders them, as for CUDA: the list ends at the
 * first thing in it that names no device or names one again, and an empty list hides all. NVIDIA's OpenCL driver obeys
 * the variable itself. Its devices are taken as it lists them, since to obey twice would be to hide the wrong ones;
 * and where it has some, the variable speaks of them and of nothing else.
 *
 * Of the devices that are chosen then, VPTR_STRIPE makes one of several, which is the only one of use.
 *
 * It asks neither the environment nor drivers, so that tests can make up machines. No data: the list is the caller's.
 * No locks of its own. Called by platform.c alone, for each scan, with its static `lock`, of rank DEVICE, held: that
 * guards the list.
 */
#include "device/choice.h"

#include "base/option.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---------------------------------------------------------------------------------------------- */

static int device_rank(const vptr__device_entry *entry) {
  if (entry->type & CL_DEVICE_TYPE_GPU)
    return 0;
  return entry->type & CL_DEVICE_TYPE_ACCELERATOR ? 1 : 2;
}

/* By insertion, since equals must stay in the drivers' order and the list is short. */
static void sort_entries(vptr__device_entry *entries, int count) {
  for (int i = 1; i < count; i++) {
    vptr__device_entry moving = entries[i];
    int to = i;
    for (; to > 0 && device_rank(&entries[to - 1]) > device_rank(&moving); to--)
      entries[to] = entries[to - 1];
    entries[to] = moving;
  }
}

/* ---- what the user's texts mean ------------------------------------------------------------------------- */

/* The number that text is, if it is one and below limit; else -1. */
static int number_below(const char *text, int limit) {
  if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || strlen(text) > 6)
    return -1;
  int number = atoi(text);
  return number < limit ? number : -1;
}

bool vptr__device_on_platform(const vptr__device_entry *entry, const char *platform, int platform_limit) {
  if (platform == NULL)
    return true;
  int number = number_below(platform, platform_limit);
  return number >= 0 ? entry->platform_ordinal == number : strcasestr(entry->platform, platform) != NULL;
}

static int platform_limit(const vptr__device_entry *entries, int count) {
  int limit = 0;
  for (int i = 0; i < count; i++)
    if (entries[i].platform_ordinal >= limit)
      limit = entries[i].platform_ordinal + 1;
  return limit;
}

/* ---- marking -------------------------------------------------------------------------------------------- */

/* Until the choice is made, `chosen` says that a device could be: right platform, not too old. */
static int mark_candidates(vptr__device_entry *entries, int count, const char *platform) {
  int limit = platform_limit(entries, count);
  int candidates = 0;
  for (int i = 0; i < count; i++) {
    bool right = vptr__device_on_platform(&entries[i], platform, limit);
    entries[i].chosen = right && !entries[i].too_old;
    entries[i].why = !right               ? "not of the platform that VPTR_PLATFORM names"
                     : entries[i].too_old ? "knows less than OpenCL 1.2"
                                          : "";
    candidates += entries[i].chosen;
  }
  return candidates;
}

static int keep_named(vptr__device_entry *entries, int count, int candidates, const char *device) {
  int number = number_below(device, candidates);
  int kept = 0, seen = 0;
  for (int i = 0; i < count; i++) {
    if (!entries[i].chosen)
      continue;
    entries[i].chosen = number >= 0 ? seen == number : strcasestr(entries[i].name, device) != NULL;
    entries[i].why = entries[i].chosen ? "named by VPTR_DEVICE" : "not what VPTR_DEVICE names";
    kept += entries[i].chosen;
    seen++;
  }
  return kept;
}

static int keep_default(vptr__device_entry *entries, int count) {
  bool gpus = false;
  int kept = 0;
  for (int i = 0; i < count; i++)
    gpus |= entries[i].chosen && device_rank(&entries[i]) == 0;
  for (int i = 0; i < count; i++) {
    if (!entries[i].chosen)
      continue;
    entries[i].chosen = !gpus || device_rank(&entries[i]) == 0;
    entries[i].why = !gpus               ? "no GPU to choose: every device serves"
                     : entries[i].chosen ? "a GPU: the default choice"
                                         : "no GPU, and there is one; name it by VPTR_DEVICE to use it";
    kept += entries[i].chosen;
  }
  return kept;
}

/* ---- what CUDA_VISIBLE_DEVICES names -------------------------------------------------------------------- */

static bool obeys_by_itself(const vptr__device_entry *entry) {
  return strcmp(entry->platform, "NVIDIA CUDA") == 0;
}

static int keep_nvidia(vptr__device_entry *entries, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (entries[i].chosen && !obeys_by_itself(&entries[i])) {
      entries[i].chosen = false;
      entries[i].why = "not NVIDIA's, of whose devices CUDA_VISIBLE_DEVICES speaks";
    }
    kept += entries[i].chosen;
  }
  return kept;
}

/* The next number of a list, or -1 where the list ends or goes wrong. */
static int next_visible(const char **list, int limit) {
  char item[8];
  *list += strspn(*list, " ");
  size_t length = strcspn(*list, ", ");
  if (length == 0 || length >= sizeof item)
    return -1;
  memcpy(item, *list, length);
  item[length] = '\0';
  *list += length;
  *list += strspn(*list, " ");
  if (**list == ',')
    ++*list;
  return number_below(item, limit);
}

static void swap_entries(vptr__device_entry *a, vptr__device_entry *b) {
  vptr__device_entry kept = *a;
  *a = *b;
  *b = kept;
}

/* The n-th chosen entry. There is one. */
static int nth_chosen(const vptr__device_entry *entries, int n) {
  for (int i = 0;; i++)
    if (entries[i].chosen && n-- == 0)
      return i;
}

/* Brings the visible devices to the front places of the chosen ones, in their order; how many there are. at[n] is the
 * number of the device at the n-th place, as numbers were before anything moved. */
static int order_visible(vptr__device_entry *entries, int candidates, const char *list) {
  int kept = 0;
  int at[VPTR__MOST_DEVICES];
  for (int n = 0; n < candidates; n++)
    at[n] = n;
  for (int number; (number = next_visible(&list, candidates)) >= 0; kept++) {
    int from = 0;
    while (at[from] != number)
      from++;
    if (from < kept)
      break;
    swap_entries(&entries[nth_chosen(entries, kept)], &entries[nth_chosen(entries, from)]);
    at[from] = at[kept];
    at[kept] = number;
  }
  return kept;
}

static int keep_visible(vptr__device_entry *entries, int count, int candidates, const char *list) {
  for (int i = 0; i < count; i++)
    if (entries[i].chosen && obeys_by_itself(&entries[i]))
      return keep_nvidia(entries, count);
  int kept = order_visible(entries, candidates, list);
  for (int i = 0, seen = 0; i < count; i++) {
    if (!entries[i].chosen)
      continue;
    entries[i].chosen = seen++ < kept;
    entries[i].why = entries[i].chosen ? "named by CUDA_VISIBLE_DEVICES" : "hidden by CUDA_VISIBLE_DEVICES";
  }
  return kept;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void append_words(char *words, size_t size, const char *format, ...) {
  size_t used = strlen(words);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words + used, size - used, format, arguments);
  va_end(arguments);
}

/* Whether an entry before the i-th is of the same platform. */
static bool platform_was_seen(const vptr__device_entry *entries, int i) {
  for (int j = 0; j < i; j++)
    if (entries[j].platform_ordinal == entries[i].platform_ordinal)
      return true;
  return false;
}

static void name_platforms(const vptr__device_entry *entries, int count, char *words, size_t size) {
  for (int i = 0; i < count; i++)
    if (!platform_was_seen(entries, i))
      append_words(words, size, " [%d] %s", entries[i].platform_ordinal, entries[i].platform);
}

/* Devices of the right platform, with the numbers that VPTR_DEVICE would count. */
static void name_devices(const vptr__device_entry *entries, int count, const char *platform, char *words,
                         size_t size) {
  int limit = platform_limit(entries, count);
  int number = 0;
  for (int i = 0; i < count; i++)
    if (vptr__device_on_platform(&entries[i], platform, limit) && !entries[i].too_old)
      append_words(words, size, " [%d] %s", number++, entries[i].name);
}

static bool any_on_platform(const vptr__device_entry *entries, int count, const char *platform) {
  int limit = platform_limit(entries, count);
  for (int i = 0; i < count; i++)
    if (vptr__device_on_platform(&entries[i], platform, limit))
      return true;
  return false;
}

static void report_why_none(const vptr__device_entry *entries, int count, const vptr__device_wishes *wishes,
                            int candidates, char *words, size_t size) {
  words[0] = '\0';
  if (candidates > 0) {
    append_words(
        words, size,
        "VPTR_DEVICE=%s names no device; give a part of the name or the number of one of these:", wishes->device);
    name_devices(entries, count, wishes->platform, words, size);
  } else if (any_on_platform(entries, count, wishes->platform)) {
    append_words(words, size,
                 "the OpenCL devices here are older than OpenCL 1.2, which vptr needs; install a newer "
                 "driver, e.g. apt install pocl-opencl-icd");
  } else {
    append_words(words, size,
                 "VPTR_PLATFORM=%s names no OpenCL platform that has a device; give a part of the name or "
                 "the number of one of these:",
                 wishes->platform);
    name_platforms(entries, count, words, size);
  }
}

static void report_all_hidden(const char *list, int candidates, char *words, size_t size) {
  words[0] = '\0';
  append_words(words, size, "CUDA_VISIBLE_DEVICES='%.80s' hides every device; unset it, or give numbers from 0 to %d",
               list, candidates - 1);
}

bool vptr__device_choose(vptr__device_entry *entries, int count, const vptr__device_wishes *wishes, char *words,
                         size_t words_size) {
  sort_entries(entries, count);
  int candidates = mark_candidates(entries, count, wishes->platform);
  int kept = candidates;
  if (candidates > 0 && wishes->device != NULL)
    kept = keep_named(entries, count, candidates, wishes->device);
  else if (candidates > 0)
    kept = keep_default(entries, count);
  if (kept == 0) {
    report_why_none(entries, count, wishes, candidates, words, words_size);
    return false;
  }
  if (wishes->visible == NULL || keep_visible(entries, count, kept, wishes->visible) > 0)
    return true;
  report_all_hidden(wishes->visible, kept, words, words_size);
  return false;
}

/* ---- several as one --------------------------------------------------------------------------------------- */

enum { MOST_MEMBERS = 16, STRIPE_TEXT = 256 };

/* Cuts ":BYTES" off, if that is what stands behind the last colon. */
static uint64_t cut_bytes(char *text) {
  uint64_t bytes = VPTR__STRIPE_FROM;
  char *colon = strrchr(text, ':');
  if (colon != NULL && vptr__option_parse_bytes(colon + 1, &bytes))
    *colon = '\0';
  return bytes;
}

/* Whether the number-th chosen device is named: by a list of numbers, else by a part of its name. */
static bool is_named(const char *text, const vptr__device_entry *entry, int number, int limit) {
  const char *list = text;
  int seen = 0;
  if (strcmp(text, "all") == 0)
    return true;
  for (int each; (each = next_visible(&list, limit)) >= 0; seen++)
    if (each == number)
      return true;
  return seen == 0 && strcasestr(entry->name, text) != NULL;
}

static int mark_members(vptr__device_entry *entries, int count, const char *text) {
  int limit = 0, number = 0, members = 0;
  for (int i = 0; i < count; i++)
    limit += entries[i].chosen;
  for (int i = 0; i < count; i++) {
    if (!entries[i].chosen)
      continue;
    entries[i].is_member = is_named(text, &entries[i], number++, limit);
    entries[i].chosen = false;
    entries[i].why = entries[i].is_member ? "one of those that VPTR_STRIPE makes one" : "not of VPTR_STRIPE";
    members += entries[i].is_member;
  }
  return members;
}

static void write_joint(vptr__device_entry *entries, int count, int members) {
  vptr__device_entry *joint = &entries[count];
  char name[sizeof joint->name] = "";
  int first = 0;
  while (!entries[first].is_member)
    first++;
  *joint = entries[first];
  joint->cl_device = NULL;
  joint->is_member = false;
  joint->is_joint = joint->chosen = true;
  joint->why = "made of several by VPTR_STRIPE";
  snprintf(name, sizeof name, "%d x %.100s", members, joint->name);
  memcpy(joint->name, name, sizeof name);
}

bool vptr__device_join(vptr__device_entry *entries, int count, const char *text, uint64_t *stripe_from_out,
                       char *words, size_t words_size) {
  char names[STRIPE_TEXT];
  snprintf(names, sizeof names, "%s", text);
  *stripe_from_out = cut_bytes(names);
  const int members = mark_members(entries, count, names);
  if (members >= 2 && members <= MOST_MEMBERS) {
    write_joint(entries, count, members);
    return true;
  }
  snprintf(words, words_size,
           "VPTR_STRIPE=%.80s names %d of the devices that are chosen, and it takes 2 to %d; give \"all\", their "
           "numbers or a part of their name, and see VPTR_PLATFORM, VPTR_DEVICE and VPTR_PARTITION",
           text, members, (int)MOST_MEMBERS);
  return false;
}
