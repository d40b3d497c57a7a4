/* SPDX-License-Identifier: MIT */
/*
 * userfault - userfaultfd(2): its file, its requests, and its ways to open and close pages (userfault.h).
 *
 * The static `file` is atomic, and -1 until it is opened. It is closed only by a trial that fails (trial.c, fault.c).
 * The static list `answering` has the requests that a thread of the service has taken and not answered, which are
 * variables of those threads; the static `lock`, of rank LEAF, guards it. The system calls on pages take no lock.
 *
 * Called by fault.c, which opens the file and gives the service the constant table vptr__userfault_requests, by which
 * its threads take and answer; by view.c, which guards, opens and closes a view's pages; and by trial.c.
 * vptr__userfault_wait() blocks until there is a request or its time is over.
 */
#include "mirror/userfault.h"

#include "base/lock.h"
#include "base/log.h"
#include "base/page.h"
#include "mirror/visit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(int) file = -1;

bool vptr__userfault_is_on(void) {
  return atomic_load_explicit(&file, memory_order_acquire) >= 0;
}

/* ---- requests ---------------------------------------------------------------------------------------------- */

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__request *answering; /* taken, and not answered yet */

/* False if somebody is at that page. A visit does not count on another's answer, which may wait for the visit's end. */
static bool insert_answering(vptr__request *request) {
  vptr__lock_take(&lock);
  const vptr__request *other = answering;
  while (other != NULL &&
         (vptr__page_begin((uintptr_t)other->address) != vptr__page_begin((uintptr_t)request->address) ||
          other->is_visit != request->is_visit))
    other = other->next;
  if (other == NULL) {
    request->next = answering;
    answering = request;
  }
  vptr__lock_give(&lock);
  return other == NULL;
}

static void remove_answering(const vptr__request *request) {
  vptr__lock_take(&lock);
  vptr__request **at = &answering;
  while (*at != request)
    at = &(*at)->next;
  *at = request->next;
  vptr__lock_give(&lock);
}

/* False if there is none, EAGAIN, or another thread's fault was answered meanwhile. */
static bool read_message(struct uffd_msg *message) {
  return read(atomic_load(&file), message, sizeof *message) == (ssize_t)sizeof *message;
}

static bool read_request(vptr__request *request) {
  struct uffd_msg message;
  while (read_message(&message)) {
    if (message.event != UFFD_EVENT_PAGEFAULT)
      continue;
    bool writes = (message.arg.pagefault.flags & (UFFD_PAGEFAULT_FLAG_WRITE | UFFD_PAGEFAULT_FLAG_WP)) != 0;
    *request = (vptr__request){ .address = (const void *)(uintptr_t)message.arg.pagefault.address,
                                .touch = writes ? VPTR__TOUCH_WRITE : VPTR__TOUCH_READ,
                                .is_visit = vptr__visit_is_by((pid_t)message.arg.pagefault.feat.ptid) };
    if (insert_answering(request))
      return true;
  }
  return false;
}

/* Left first: a request that comes between the two is answered by itself, one that was dropped before is woken here.
 * The pages need not be mapped any more. */
static void finish_request(vptr__request *request) {
  struct uffdio_range range = { vptr__page_begin((uintptr_t)request->address), vptr__page_bytes() };
  remove_answering(request);
  ioctl(atomic_load(&file), UFFDIO_WAKE, &range);
}

/* ---- listening ------------------------------------------------------------------------------------------ */

/* All pages are open then: the program would go on with bytes of yesterday. */
_Noreturn static void abort_on_lost_file(void) {
  vptr__log_always(
      "managed memory: the process closed the file that its page faults come by, and cannot go on; close no "
      "files that are not the program's own, or set VPTR_FAULTS=mprotect");
  abort();
}

/* A signal that interrupts the waiting, a profiler's for example, begins it anew. */
bool vptr__userfault_wait(int milliseconds) {
  struct pollfd wanted = { .fd = atomic_load(&file), .events = POLLIN };
  int count;
  do
    count = poll(&wanted, 1, milliseconds);
  while (count < 0 && errno == EINTR);
  if (count > 0 && (wanted.revents & POLLIN) == 0)
    abort_on_lost_file();
  return count > 0;
}

static uint32_t read_no_bell(void) {
  return 0;
}

static void sleep_until_told(uint32_t before) {
  (void)before;
  vptr__userfault_wait(-1);
}

const vptr__requests vptr__userfault_requests = { read_no_bell, read_request, finish_request, sleep_until_told };

/* ---- pages ---------------------------------------------------------------------------------------------- */

/* Newer than some systems' headers are. */
#ifndef UFFD_FEATURE_WP_HUGETLBFS_SHMEM
#define UFFD_FEATURE_WP_HUGETLBFS_SHMEM (1 << 12)
#endif
#ifndef UFFDIO_CONTINUE_MODE_WP
#define UFFDIO_CONTINUE_MODE_WP ((__u64)1 << 1)
#endif
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

static struct uffdio_range range_of(void *at, size_t size) {
  return (struct uffdio_range){ (uintptr_t)at, size };
}

/* Also where all of the process's memory is locked: mlockall(2). */
bool vptr__userfault_unmap(void *at, size_t size) {
  return madvise(at, size, MADV_DONTNEED_LOCKED) == 0;
}

/* What mlockall() mapped before anybody watched is closed too. */
bool vptr__userfault_guard(void *at, size_t size) {
  struct uffdio_register wish = {
    .range = range_of(at, size),
    .mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_MINOR | UFFDIO_REGISTER_MODE_WP,
  };
  return ioctl(atomic_load(&file), UFFDIO_REGISTER, &wish) == 0 && vptr__userfault_unmap(at, size);
}

/* How far one call comes: bytes, and errno if that is not all. */
static size_t map_some(void *at, size_t size, bool writes) {
  struct uffdio_continue wish = { .range = range_of(at, size), .mode = writes ? 0 : UFFDIO_CONTINUE_MODE_WP };
  if (ioctl(atomic_load(&file), UFFDIO_CONTINUE, &wish) == 0)
    return size;
  return wish.mapped > 0 ? (size_t)wish.mapped : 0;
}

size_t vptr__userfault_map(void *at, size_t size, bool writes) {
  size_t done = 0;
  while (done < size) {
    size_t some = map_some((char *)at + done, size - done, writes);
    if (some == 0 && errno != EAGAIN)
      return done;
    done += some;
  }
  return done;
}

bool vptr__userfault_keep_writes_out(void *at, size_t size) {
  struct uffdio_writeprotect wish = { range_of(at, size), UFFDIO_WRITEPROTECT_MODE_WP };
  int code;
  do
    code = ioctl(atomic_load(&file), UFFDIO_WRITEPROTECT, &wish);
  while (code != 0 && errno == EAGAIN);
  return code == 0;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

#ifndef USERFAULTFD_IOC_NEW
#define USERFAULTFD_IOC_NEW _IO(0xAA, 0x00)
#endif

static int open_by_device(int flags) {
  int device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
  if (device < 0)
    return -1;
  int made = ioctl(device, USERFAULTFD_IOC_NEW, flags);
  close(device);
  return made;
}

static int open_file(void) {
  const int flags = O_CLOEXEC | O_NONBLOCK;
  int made = (int)syscall(SYS_userfaultfd, flags);
  return made >= 0 ? made : open_by_device(flags);
}

/* There a thread that sleeps in the kernel for its fault keeps all others from running, for ever. Its preloaded
 * library is how a program can tell without its headers. */
static bool is_under_valgrind(void) {
  const char *preloaded = secure_getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

bool vptr__userfault_begin(void) {
  struct uffdio_api wish = {
    .api = UFFD_API,
    .features = UFFD_FEATURE_MISSING_SHMEM | UFFD_FEATURE_MINOR_SHMEM | UFFD_FEATURE_PAGEFAULT_FLAG_WP |
                UFFD_FEATURE_WP_HUGETLBFS_SHMEM | UFFD_FEATURE_THREAD_ID,
  };
  errno = ENOTSUP;
  int made = is_under_valgrind() ? -1 : open_file();
  if (made >= 0 && ioctl(made, UFFDIO_API, &wish) != 0) {
    int reason = errno;
    close(made);
    errno = reason;
    return false;
  }
  atomic_store_explicit(&file, made, memory_order_release);
  return made >= 0;
}

void vptr__userfault_end(void) {
  close(atomic_exchange(&file, -1));
}
