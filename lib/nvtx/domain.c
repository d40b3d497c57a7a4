/* SPDX-License-Identifier: MIT */
/*
 * domain - see domain.h.
 *
 * Strings and categories are lists: a program has a few dozen, and registers a string once, after which its handle is
 * its address. Lock: `lock`, of rank LEAF, guards the lists of all domains; name and number never change. Called by
 * text.c, event.c, stack.c and injection.c.
 */
#include "nvtx/domain.h"

#include <stdatomic.h>

#include "base/lock.h"
#include "base/memory.h"

struct nvtxStringRegistration_st {
  struct nvtxStringRegistration_st *next;
  vptr__nvtx_text text;
};

typedef struct category {
  struct category *next;
  uint32_t number;
  vptr__nvtx_text name;
} category;

struct nvtxDomainRegistration_st {
  uint64_t number;
  vptr__nvtx_text name;
  struct nvtxStringRegistration_st *strings;
  category *categories;
};

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static struct nvtxDomainRegistration_st default_domain;
static atomic_uint_fast64_t last_number;

static struct nvtxDomainRegistration_st *domain_of(nvtxDomainHandle_t handle) {
  return handle != NULL ? handle : &default_domain;
}

nvtxDomainHandle_t vptr__nvtx_domain_create(const vptr__nvtx_text *name) {
  struct nvtxDomainRegistration_st *domain = vptr__memory_calloc(1, sizeof *domain);
  if (domain == NULL)
    return NULL;
  domain->number = atomic_fetch_add(&last_number, 1) + 1;
  domain->name = *name;
  return domain;
}

void vptr__nvtx_domain_destroy(nvtxDomainHandle_t domain) {
  if (domain == NULL)
    return;
  for (struct nvtxStringRegistration_st *string = domain->strings, *next; string != NULL; string = next) {
    next = string->next;
    vptr__memory_free(string);
  }
  for (category *entry = domain->categories, *next; entry != NULL; entry = next) {
    next = entry->next;
    vptr__memory_free(entry);
  }
  vptr__memory_free(domain);
}

uint64_t vptr__nvtx_domain_number(nvtxDomainHandle_t domain) {
  return domain_of(domain)->number;
}

const char *vptr__nvtx_domain_name(nvtxDomainHandle_t domain) {
  return domain != NULL ? domain->name.bytes : NULL;
}

nvtxStringHandle_t vptr__nvtx_string_register(nvtxDomainHandle_t handle, const vptr__nvtx_text *text) {
  struct nvtxDomainRegistration_st *domain = domain_of(handle);
  struct nvtxStringRegistration_st *string = vptr__memory_calloc(1, sizeof *string);
  if (string == NULL)
    return NULL;
  string->text = *text;
  vptr__lock_take(&lock);
  string->next = domain->strings;
  domain->strings = string;
  vptr__lock_give(&lock);
  return string;
}

vptr__nvtx_text vptr__nvtx_string_text(nvtxStringHandle_t string) {
  return string != NULL ? string->text : vptr__nvtx_text_of_bytes(NULL);
}

/* With the lock held. */
static category *find_category(const struct nvtxDomainRegistration_st *domain, uint32_t number) {
  category *entry = domain->categories;
  while (entry != NULL && entry->number != number)
    entry = entry->next;
  return entry;
}

void vptr__nvtx_category_set_name(nvtxDomainHandle_t handle, uint32_t number, const vptr__nvtx_text *name) {
  struct nvtxDomainRegistration_st *domain = domain_of(handle);
  vptr__lock_take(&lock);
  category *entry = find_category(domain, number);
  if (entry == NULL) {
    entry = vptr__memory_calloc(1, sizeof *entry);
    if (entry != NULL) {
      entry->number = number;
      entry->next = domain->categories;
      domain->categories = entry;
    }
  }
  if (entry != NULL)
    entry->name = *name;
  vptr__lock_give(&lock);
}

bool vptr__nvtx_category_name(nvtxDomainHandle_t domain, uint32_t number, vptr__nvtx_text *name_out) {
  vptr__lock_take(&lock);
  const category *entry = find_category(domain_of(domain), number);
  if (entry != NULL)
    *name_out = entry->name;
  vptr__lock_give(&lock);
  return entry != NULL;
}
