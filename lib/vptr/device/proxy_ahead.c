/* SPDX-License-Identifier: MIT */
/*
 * proxy_ahead - what an exchange of a proxy's device (proxy.h) makes on the new one before the gate closes.
 *
 * Nearly all that the new device is to have can be made while others work: buffers above all, which a driver takes its
 * time for. A list of plans is taken of what there is at one moment, each is made, and what was made is put in stock
 * with the serial of its handle:
 *
 *     handles     1  2  3  4  5            2 is released, 6 comes        1  3  4  5  6
 *     stock       1  2  3  4  5   ----------------------------------->   1  3  4  5 are theirs; 2 is released later,
 *                                                                        6 is made with the gate shut
 *
 * Host memory that is pinned or shared is left to that moment: its owner may unmap it whenever the gate is open.
 *
 * No data but what is on the stack, and the stock `coming`. vptr__proxy.lock, of rank LEAF, guards the lists while
 * plans are made, and the stock. Called by proxy_move.c, by a thread that has no lock. It waits for the new device.
 */
#include "device/proxy.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

typedef struct plans {
  vptr__proxy_plan *each;
  size_t count, room;
} plans;

static vptr__proxy_plan *next_plan(plans *it) {
  return it->count < it->room ? &it->each[it->count++] : NULL;
}

/* Under the lock. What came since the room was found is not ahead. */
static void list_all(const vptr__proxy *proxy, plans *it) {
  vptr__proxy_plan *plan;
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL && (plan = next_plan(it)) != NULL;
       link = link->next)
    vptr__proxy_plan_buffer((vptr__proxy_buffer *)link, plan);
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL && (plan = next_plan(it)) != NULL;
       link = link->next)
    vptr__proxy_plan_queue((vptr__proxy_queue *)link, plan);
  for (vptr__proxy_link *link = proxy->samplers.first; link != NULL && (plan = next_plan(it)) != NULL;
       link = link->next)
    vptr__proxy_plan_sampler((vptr__proxy_sampler *)link, plan);
}

static size_t count_all(const vptr__proxy *proxy) {
  const vptr__proxy_link *first[] = { proxy->buffers.first, proxy->queues.first, proxy->samplers.first };
  size_t count = 0;
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    for (const vptr__proxy_link *link = first[i]; link != NULL; link = link->next)
      count++;
  return count;
}

static vptr_status make_plans(vptr__proxy *proxy, plans *it) {
  vptr__lock_take(&proxy->lock);
  it->room = count_all(proxy);
  vptr__lock_give(&proxy->lock);
  it->each = vptr__memory_calloc(it->room + 1, sizeof *it->each);
  if (it->each == NULL)
    return vptr__error_host_memory(it->room * sizeof *it->each);
  vptr__lock_take(&proxy->lock);
  list_all(proxy, it);
  vptr__lock_give(&proxy->lock);
  return vptr__proxy_stock_reserve(proxy, &proxy->coming, it->count);
}

static vptr_status check_plans(const vptr__proxy *proxy, const plans *it) {
  vptr_status status = vptr__proxy_check_strangers(proxy);
  for (size_t i = 0; i < it->count && status == VPTR_SUCCESS; i++)
    if (it->each[i].what == VPTR__PROXY_SPARE_MEMORY || it->each[i].what == VPTR__PROXY_SPARE_PIN)
      status = vptr__proxy_plan_check(&it->each[i], proxy->coming.device);
  return status;
}

static bool can_be_ahead(const vptr__proxy_plan *plan) {
  return plan->kind != VPTR__PROXY_PINNED && plan->kind != VPTR__PROXY_SHARED;
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* Under the lock. NULL: it is not in stock, since its kind is not, or somebody needed the room. */
static cl_mem find_root(const vptr__proxy_stock *stock, uint64_t serial) {
  size_t low = 0, high = stock->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (stock->spares[middle].kind == VPTR__PROXY_SPARE_MEMORY && stock->spares[middle].serial < serial)
      low = middle + 1;
    else
      high = middle;
  }
  return low < stock->count && stock->spares[low].serial == serial ? stock->spares[low].object : NULL;
}

/* Where a device's addresses were told, the other one must have some: kernels follow pointers by them. */
static vptr_status make_spare(vptr__proxy_plan *plan, vptr__device *to, cl_mem root, vptr__proxy_spare *made) {
  *made = (vptr__proxy_spare){ .kind = plan->what, .serial = plan->serial };
  vptr_status status = vptr__proxy_plan_make(plan, to, root, &made->object);
  if (status != VPTR_SUCCESS || !plan->is_told)
    return status;
  status = to->ops->memory.address(to, made->object, &made->told);
  if (status != VPTR_SUCCESS)
    to->ops->memory.release(to, made->object);
  return status;
}

static vptr_status make_one(vptr__proxy *proxy, vptr__proxy_plan *plan) {
  vptr__proxy_spare made;
  if (!can_be_ahead(plan) || !vptr__proxy_begin_making(proxy))
    return VPTR_SUCCESS;
  vptr__lock_take(&proxy->lock);
  cl_mem root = plan->root != 0 ? find_root(&proxy->coming, plan->root) : NULL;
  vptr__lock_give(&proxy->lock);
  const bool has_root = plan->root == 0 || root != NULL;
  vptr_status status = has_root ? make_spare(plan, proxy->coming.device, root, &made) : VPTR_SUCCESS;
  vptr__proxy_end_making(proxy, has_root && status == VPTR_SUCCESS ? &made : NULL);
  return status;
}

vptr_status vptr__proxy_make_ahead(vptr__proxy *proxy, size_t *largest_out) {
  plans all = { .count = 0 };
  size_t most = 0;
  vptr_status status = make_plans(proxy, &all);
  if (status == VPTR_SUCCESS)
    status = check_plans(proxy, &all);
  for (size_t i = 0; i < all.count && status == VPTR_SUCCESS; i++) {
    status = make_one(proxy, &all.each[i]);
    if (all.each[i].what == VPTR__PROXY_SPARE_MEMORY && all.each[i].kind == VPTR__PROXY_PLAIN)
      most = vptr__larger(most, all.each[i].bytes);
  }
  vptr__memory_free(all.each);
  *largest_out = most;
  return status;
}

/* ---- taking --------------------------------------------------------------------------------------------- */

/* The spare of that kind and serial; NULL: there is none. The stock goes up, and so does who asks, from *at on. */
static vptr__proxy_spare *find_spare(const vptr__proxy_stock *stock, vptr__proxy_spare_kind kind, uint64_t serial,
                                     size_t *at) {
  while (*at < stock->count &&
         (stock->spares[*at].kind < kind || (stock->spares[*at].kind == kind && stock->spares[*at].serial < serial)))
    ++*at;
  vptr__proxy_spare *spare = *at < stock->count ? &stock->spares[*at] : NULL;
  return spare != NULL && spare->kind == kind && spare->serial == serial ? spare : NULL;
}

static void *take_object(vptr__proxy_spare *spare) {
  void *object = spare != NULL ? spare->object : NULL;
  if (spare != NULL)
    spare->object = NULL;
  return object;
}

/* What nobody took moves together. */
static void close_gaps(vptr__proxy_stock *stock) {
  size_t left = 0;
  for (size_t i = 0; i < stock->count; i++)
    if (stock->spares[i].object != NULL)
      stock->spares[left++] = stock->spares[i];
  stock->count = left;
}

void vptr__proxy_take_ahead(vptr__proxy *proxy) {
  vptr__proxy_stock *stock = &proxy->coming;
  size_t at = 0;
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL; link = link->next) {
    vptr__proxy_buffer *buffer = (vptr__proxy_buffer *)link;
    vptr__proxy_spare *spare = find_spare(stock, VPTR__PROXY_SPARE_MEMORY, link->serial, &at);
    buffer->next_told = spare != NULL ? spare->told : 0;
    buffer->next = take_object(spare);
  }
  for (vptr__proxy_link *link = proxy->queues.first; link != NULL; link = link->next)
    ((vptr__proxy_queue *)link)->next = take_object(find_spare(stock, VPTR__PROXY_SPARE_QUEUE, link->serial, &at));
  for (vptr__proxy_link *link = proxy->samplers.first; link != NULL; link = link->next)
    ((vptr__proxy_sampler *)link)->next =
        take_object(find_spare(stock, VPTR__PROXY_SPARE_SAMPLER, link->serial, &at));
  close_gaps(stock);
}
