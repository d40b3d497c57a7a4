/* SPDX-License-Identifier: MIT */
/*
 * domain - a program's own space of ranges, strings and categories; NULL is the default one, which is always there.
 *
 * A domain and what is registered in it live until it is destroyed; a handle is not to be used from then on, as NVTX
 * has it. Each domain has a number that no other ever has, by which ranges that are still open know it. Any thread.
 */
#ifndef VPTR_NVTX_DOMAIN_H
#define VPTR_NVTX_DOMAIN_H

#include <stdbool.h>

#include "nvtx/text.h"

/* NULL without memory. */
nvtxDomainHandle_t vptr__nvtx_domain_create(const vptr__nvtx_text *name);

/* NULL is allowed, and stays. */
void vptr__nvtx_domain_destroy(nvtxDomainHandle_t domain);

/* 0 for the default one. */
uint64_t vptr__nvtx_domain_number(nvtxDomainHandle_t domain);

/* NULL for the default one. */
const char *vptr__nvtx_domain_name(nvtxDomainHandle_t domain);

/* NULL without memory. */
nvtxStringHandle_t vptr__nvtx_string_register(nvtxDomainHandle_t domain, const vptr__nvtx_text *text);
vptr__nvtx_text vptr__nvtx_string_text(nvtxStringHandle_t string);

/* The last name of a category counts. Without memory it has none. */
void vptr__nvtx_category_set_name(nvtxDomainHandle_t domain, uint32_t category, const vptr__nvtx_text *name);

/* Whether it has a name, which is written then. */
bool vptr__nvtx_category_name(nvtxDomainHandle_t domain, uint32_t category, vptr__nvtx_text *name_out);

#endif
