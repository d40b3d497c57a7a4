/* SPDX-License-Identifier: MIT */
/*
 * platform - finding the devices of this machine, and opening one.
 *
 * The scan asks platforms for every device. A platform that answers with an error is left out with a line in the log:
 * one broken driver must not take the others along. Asking costs a driver's start, for one of a CPU a thread for each
 * core: so where VPTR_PLATFORM names a platform that has a device, no other is asked, and a scan that found something
 * is kept for good. One that found nothing is made again next time, as the reason may pass.
 *
 * The static `list` has all devices that were found, the chosen ones marked. The static `lock`, of rank DEVICE, guards
 * it, what is known beside it (`list_count`, `unasked_count`, `any_chosen`, `stripe_from`, `why_none`) and the scan.
 * Once a scan is kept the list never changes, and is read without. How many devices are chosen is in the atomic
 * `known`. Called by mapper/mapper.c and standby.c, which open and close devices; by mapper/migrate.c, proxy.c and
 * proxy_move.c, which close one; by opencl.c, which asks which devices of a program's context are chosen; and by those
 * who list devices or ask about one that is not open: mapper/report.c and managed_mode.c, cudart/cuda/device.c,
 * error.c, property.c and property_identity.c, cudart/module/variable.c, cudart/usm/usm.c, driver/context.c,
 * ml/library.c and ml/device.c; and by joint.c, which closes its members. The first scan blocks while drivers start.
 */
#include "device/choice.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/option.h"
#include "device/joint.h"
#include "device/proxy_apart.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_PLATFORMS = 32, WORDS_SIZE = 448 };

#define PLATFORM_NOT_FOUND (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, of the ICD loader */

/* Static, so that a scan cannot run out of memory, and what it found may be read for ever. */
static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_DEVICE);
static vptr__device_entry list[VPTR__MOST_DEVICES + 1]; /* and a joint one */
static int list_count;
static int unasked_count; /* platforms */
static bool any_chosen;
static uint64_t stripe_from; /* of a joint device: the size from which on buffers are cut */
static char why_none[WORDS_SIZE];

/* ---- scanning, under the lock --------------------------------------------------------------------------- */

static cl_int describe_entry(cl_device_id device, vptr__device_entry *entry) {
  char name[1024], version[256]; /* OpenCL refuses a buffer that is too small instead of cutting */
  cl_int code = clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
  if (code == CL_SUCCESS)
    code = clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof entry->type, &entry->type, NULL);
  if (code != CL_SUCCESS)
    return code;
  snprintf(entry->name, sizeof entry->name, "%.*s", (int)sizeof entry->name - 1, name);
  unsigned major = 0, minor = 0;
  sscanf(version, "OpenCL %u.%u", &major, &minor);
  entry->too_old = major < 1 || (major == 1 && minor < 2);
  entry->cl_device = device;
  return CL_SUCCESS;
}

static void leave_out(cl_int code, const char *what, const char *platform) {
  vptr__log(VPTR__LOG_ERROR, "%s of the OpenCL platform %s is left out: %s (%d)", what, platform,
            vptr__cl_error_name(code), (int)code);
  snprintf(why_none, sizeof why_none,
           "the OpenCL platform %s answers %s (%d); check its driver, or install another, e.g. apt install "
           "pocl-opencl-icd",
           platform, vptr__cl_error_name(code), (int)code);
}

static void add_whole(cl_device_id device, const vptr__device_entry *platform) {
  if (list_count == VPTR__MOST_DEVICES)
    return;
  vptr__device_entry *entry = &list[list_count];
  *entry = *platform;
  cl_int code = describe_entry(device, entry);
  if (code == CL_SUCCESS)
    list_count++;
  else
    leave_out(code, "a device", platform->platform);
}

static int piece_count(void) {
  return (int)vptr__option_number(VPTR__OPTION_PARTITION, 1);
}

static void add_device(cl_device_id device, const vptr__device_entry *platform) {
  cl_device_id parts[VPTR__MOST_DEVICES];
  int count = vptr__device_cut(device, piece_count(), parts, VPTR__MOST_DEVICES);
  for (int i = 0; i < count; i++)
    add_whole(parts[i], platform);
  if (count == 0)
    add_whole(device, platform);
}

static void add_devices_of(const vptr__device_entry *platform) {
  cl_device_id devices[VPTR__MOST_DEVICES];
  cl_uint count = 0;
  cl_int code = clGetDeviceIDs(platform->cl_platform, CL_DEVICE_TYPE_ALL, VPTR__MOST_DEVICES, devices, &count);
  if (code == CL_DEVICE_NOT_FOUND)
    return;
  if (code != CL_SUCCESS) {
    leave_out(code, "every device", platform->platform);
    return;
  }
  for (cl_uint i = 0; i < count && i < VPTR__MOST_DEVICES; i++)
    add_device(devices[i], platform);
}

static bool describe_platform(cl_platform_id id, int ordinal, vptr__device_entry *platform_out) {
  char name[1024] = "";
  cl_int code = clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof name, name, NULL);
  *platform_out = (vptr__device_entry){ .cl_platform = id, .platform_ordinal = ordinal };
  snprintf(platform_out->platform, sizeof platform_out->platform, "%.*s", (int)sizeof platform_out->platform - 1,
           name);
  if (code != CL_SUCCESS)
    leave_out(code, "every device", platform_out->platform);
  return code == CL_SUCCESS;
}

/* Those that are wished for, and only if they have no device, all others: the words about it name those that have. */
static void ask_platforms(const cl_platform_id *ids, int count, const char *wish) {
  vptr__device_entry platforms[MOST_PLATFORMS];
  bool is_known[MOST_PLATFORMS];
  unasked_count = 0;
  for (int i = 0; i < count; i++) {
    is_known[i] = describe_platform(ids[i], i, &platforms[i]);
    if (!is_known[i])
      continue;
    if (vptr__device_on_platform(&platforms[i], wish, count))
      add_devices_of(&platforms[i]);
    else
      unasked_count++;
  }
  if (list_count > 0)
    return;
  for (int i = 0; i < count; i++)
    if (is_known[i] && !vptr__device_on_platform(&platforms[i], wish, count))
      add_devices_of(&platforms[i]);
  unasked_count = 0;
}

static void scan_opencl(const char *wish) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint count = 0;
  cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
  if (code != CL_SUCCESS && code != PLATFORM_NOT_FOUND) {
    snprintf(why_none, sizeof why_none,
             "the OpenCL loader answers %s (%d) when asked for platforms; check the "
             "installed drivers (clinfo -l)",
             vptr__cl_error_name(code), (int)code);
    return;
  }
  if (code != CL_SUCCESS || count == 0) {
    snprintf(why_none, sizeof why_none,
             "no OpenCL driver is installed; install an OpenCL driver: that of the GPU, or one for the CPU, e.g. "
             "apt install pocl-opencl-icd");
    return;
  }
  snprintf(why_none, sizeof why_none,
           "the %u OpenCL platforms installed have no device; check the GPU's driver, or install one for the CPU, "
           "e.g. apt install pocl-opencl-icd",
           count);
  ask_platforms(platforms, count < MOST_PLATFORMS ? (int)count : MOST_PLATFORMS, wish);
}

static void scan_fake(void) {
  for (list_count = 0; list_count < piece_count(); list_count++)
    list[list_count] = (vptr__device_entry){ .type = CL_DEVICE_TYPE_GPU, .platform = "fake", .name = "fake device" };
}

static void log_choice(void) {
  for (int i = 0; i < list_count; i++)
    vptr__log(VPTR__LOG_DECISION, "%s %s (%s): %s", list[i].chosen ? "chosen:" : "not chosen:", list[i].name,
              list[i].platform, list[i].why);
}

/* With its entry behind the last, for which add_whole() leaves room. */
static void join_devices(void) {
  const char *text = vptr__option_text(VPTR__OPTION_STRIPE);
  if (text == NULL || !any_chosen)
    return;
  any_chosen = vptr__device_join(list, list_count, text, &stripe_from, why_none, sizeof why_none);
  list_count += any_chosen;
}

static void scan_devices(void) {
  const char *platform = vptr__option_text(VPTR__OPTION_PLATFORM);
  if (platform != NULL && strcasecmp(platform, "fake") == 0)
    scan_fake();
  else
    scan_opencl(platform);
  if (list_count == 0)
    return;
  const vptr__device_wishes wishes = { platform, vptr__option_text(VPTR__OPTION_DEVICE),
                                       secure_getenv("CUDA_VISIBLE_DEVICES") };
  any_chosen = vptr__device_choose(list, list_count, &wishes, why_none, sizeof why_none);
  join_devices();
  log_choice();
}

/* ---- the list ------------------------------------------------------------------------------------------- */

/* Whether any device is chosen; if not, the reason is copied into words, where they are wanted. */
static bool get_list(int *count_out, char *words) {
  vptr__lock_take(&lock);
  if (list_count == 0)
    scan_devices();
  bool chosen = any_chosen;
  *count_out = list_count;
  if (words != NULL)
    memcpy(words, why_none, WORDS_SIZE);
  vptr__lock_give(&lock);
  return chosen;
}

vptr_status vptr__device_list(const vptr__device_entry **entries_out, int *count_out) {
  char words[WORDS_SIZE];
  bool chosen = get_list(count_out, words);
  *entries_out = list;
  return chosen ? VPTR_SUCCESS : vptr__error(VPTR_ERROR_NO_DEVICE, "%s", words);
}

int vptr__device_platforms_unasked(void) {
  vptr__lock_take(&lock);
  int count = unasked_count;
  vptr__lock_give(&lock);
  return count;
}

bool vptr__device_is_known(void) {
  vptr__lock_take(&lock);
  bool known = any_chosen;
  vptr__lock_give(&lock);
  return known;
}

/* Every CUDA call asks: once there is something to count, it stays and needs no lock. */
int vptr__device_count(void) {
  static atomic_int known;
  int listed, chosen = atomic_load_explicit(&known, memory_order_relaxed);
  if (chosen > 0)
    return chosen;
  get_list(&listed, NULL);
  for (int i = 0; i < listed; i++)
    chosen += list[i].chosen;
  atomic_store_explicit(&known, chosen, memory_order_relaxed);
  return chosen;
}

/* ---- opening -------------------------------------------------------------------------------------------- */

/* The ordinal-th chosen device. */
static vptr_status find_chosen_device(int ordinal, const vptr__device_entry **entry_out) {
  const vptr__device_entry *entries;
  int listed, chosen = 0;
  vptr_status status = vptr__device_list(&entries, &listed);
  if (status != VPTR_SUCCESS)
    return status;
  for (int i = 0; i < listed; i++) {
    if (!entries[i].chosen || chosen++ != ordinal)
      continue;
    *entry_out = &entries[i];
    return VPTR_SUCCESS;
  }
  return vptr__error(VPTR_ERROR_NO_DEVICE, "there is no device %d: %d %s chosen; see VPTR_PLATFORM and VPTR_DEVICE",
                     ordinal, chosen, chosen == 1 ? "is" : "are");
}

/* Which chosen device this is, or -1. Says nothing: an empty list is no error of who named a device. */
static int ordinal_of(cl_device_id device) {
  int listed, chosen = 0;
  get_list(&listed, NULL);
  for (int i = 0; i < listed; i++) {
    if (list[i].chosen && list[i].cl_device == device)
      return chosen;
    chosen += list[i].chosen;
  }
  return -1;
}

static bool names_objects(const vptr_config *config) {
  return config != NULL && (config->context != NULL || config->device != NULL || config->queue != NULL);
}

static vptr_status open_one(const vptr__device_entry *entry, const vptr_config *config, vptr__device **device_out) {
  return entry != NULL && entry->cl_device == NULL ? vptr__device_open_fake(device_out)
                                                   : vptr__device_open_opencl(entry, config, device_out);
}

static vptr_status open_members(vptr__device **members, unsigned *count_out) {
  vptr_status status = VPTR_SUCCESS;
  *count_out = 0;
  for (int i = 0; i < list_count && status == VPTR_SUCCESS; i++)
    if (list[i].is_member) {
      status = open_one(&list[i], NULL, &members[*count_out]);
      *count_out += status == VPTR_SUCCESS;
    }
  return status;
}

/* Members are the joint device's, or closed. */
static vptr_status join_members(vptr_status status, vptr__device **members, unsigned count, size_t from,
                                vptr__device **device_out) {
  if (status == VPTR_SUCCESS)
    status = vptr__device_open_joint(members, count, from, device_out);
  for (unsigned i = 0; i < count && status != VPTR_SUCCESS; i++)
    vptr__device_close(members[i]);
  return status;
}

static vptr_status open_joint(vptr__device **device_out) {
  vptr__device *members[VPTR__MOST_DEVICES];
  unsigned count;
  vptr_status status = open_members(members, &count);
  return join_members(status, members, count, stripe_from, device_out);
}

/* ---- several that a program names ------------------------------------------------------------------------- */

static bool names_several(const vptr_config *config) {
  return config != NULL && (config->device_count > 0 || config->devices != NULL);
}

static vptr_status check_named(const vptr_config *config) {
  const size_t count = config->device_count;
  if (names_objects(config))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_config names several devices (device_count is %zu), and a context, a device or a queue "
                       "beside: leave those NULL",
                       count);
  if (count < 1 || count > VPTR__JOINT_MOST)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.device_count is %zu, and 1 to %d devices can be one",
                       count, (int)VPTR__JOINT_MOST);
  for (size_t i = 0; config->devices != NULL && i < count; i++) {
    if (config->devices[i] == NULL)
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_config.devices[%zu] of %zu is NULL: name a device", i,
                         count);
    for (size_t k = 0; k < i; k++)
      if (config->devices[k] == config->devices[i])
        return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                           "vptr_config.devices[%zu] and [%zu] are the same device: name it once", k, i);
  }
  return VPTR_SUCCESS;
}

/* Of those that the environment selects, what is one already is no member. */
static vptr_status open_chosen(size_t index, vptr__device **device_out) {
  const vptr__device_entry *entry = NULL;
  vptr_status status = find_chosen_device((int)index, &entry);
  if (status == VPTR_SUCCESS && entry->is_joint)
    return vptr__error(VPTR_ERROR_NO_DEVICE,
                       "%s is several devices already, by VPTR_STRIPE: unset that, or name "
                       "devices in vptr_config.devices",
                       entry->name);
  return status == VPTR_SUCCESS ? open_one(entry, NULL, device_out) : status;
}

static vptr_status open_named(const vptr_config *config, size_t index, vptr__device **device_out) {
  vptr_config alone = VPTR_CONFIG_INIT;
  if (config->devices == NULL)
    return open_chosen(index, device_out);
  alone.device = config->devices[index];
  return open_one(NULL, &alone, device_out);
}

static vptr_status open_several(const vptr_config *config, vptr__device **device_out) {
  vptr__device *members[VPTR__JOINT_MOST];
  unsigned count = 0;
  vptr_status status = check_named(config);
  while (status == VPTR_SUCCESS && count < config->device_count) {
    status = open_named(config, count, &members[count]);
    count += status == VPTR_SUCCESS;
  }
  if (status == VPTR_SUCCESS && count == 1) {
    *device_out = members[0];
    return status;
  }
  return join_members(status, members, count, config->stripe_bytes != 0 ? config->stripe_bytes : VPTR__STRIPE_FROM,
                      device_out);
}

/* What the environment selects, or config names; *ordinal is -1 then, if it is none of the former. */
static vptr_status open_any(const vptr_config *config, int *ordinal, vptr__device **device_out) {
  const vptr__device_entry *entry = NULL;
  const bool is_named = names_several(config) || names_objects(config);
  vptr_status status = is_named ? VPTR_SUCCESS : find_chosen_device(*ordinal, &entry);
  if (status != VPTR_SUCCESS)
    return status;
  if (names_several(config))
    status = open_several(config, device_out);
  else
    status = entry != NULL && entry->is_joint ? open_joint(device_out) : open_one(entry, config, device_out);
  if (status == VPTR_SUCCESS && is_named)
    *ordinal = (*device_out)->joint != NULL ? -1 : ordinal_of((*device_out)->cl_device);
  return status;
}

static atomic_bool keeps_apart; /* tests want it */

void vptr__device_keep_apart(bool keeps) {
  atomic_store(&keeps_apart, keeps);
}

vptr_status vptr__device_open(const vptr_config *config, int ordinal, vptr__device **device_out) {
  vptr__device *device;
  vptr_status status = open_any(config, &ordinal, &device);
  if (status != VPTR_SUCCESS)
    return status;
  device->ordinal = ordinal;
  device->test.keeps_apart = atomic_load(&keeps_apart);
  vptr__log(VPTR__LOG_DECISION, "opened %s (%s, %s): %llu bytes, buffers up to %llu, alignment %zu%s", device->name,
            device->platform, device->version, (unsigned long long)device->memory_bytes,
            (unsigned long long)device->max_buffer_bytes, device->alignment,
            device->host_unified ? ", the host's memory" : "");
  *device_out = device;
  return VPTR_SUCCESS;
}

void vptr__device_close(vptr__device *device) {
  if (device != NULL)
    device->ops->close(device);
}
