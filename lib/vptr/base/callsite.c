/* SPDX-License-Identifier: MIT */
/*
 * callsite - describes a place in the program's code in words, by addr2line(1) and the loader (callsite.h).
 *
 * A call in C++ often stands in a template of cuda_runtime.h, which is inlined always: then addr2line tells the chain
 * of functions that the code was inlined into, and the first one outside those headers is the program's.
 *
 * The symbol table of the loader (dladdr) knows exported names only; addr2line also knows static functions and lines,
 * but is another program. It is asked first, and what it does not know is filled in from the loader. Reading DWARF here
 * instead would be a library of its own, and a crash is no place to run one. What was answered is kept for the next who
 * asks about the same code of the same file, so a call that is refused again and again costs a child process once. In a
 * program with more rights than its caller (set-uid) no other program is run: PATH is the caller's.
 *
 * What keeps this safe in a signal handler: every buffer is on the stack, text is put together by hand rather than
 * by snprintf() (which may allocate), and the child is made by _Fork(), since fork() takes malloc's locks, which
 * the crashed thread may hold. dladdr() takes the loader's lock, which is recursive; only a crash in another thread's
 * dlopen() would wait for it. Nobody waits for the kept answers: who finds another at them does without.
 *
 * The static `kept` has those answers; the static atomic flag `kept_is_busy` guards it, as a lock that is tried and not
 * waited for (vptr__callsite_forget(), for tests, goes without). Called by mapper/explain.c and leaks.c, by
 * cudart/record/recorder.c, and by mapper/trap.c, in its signal handler.
 */
#include "base/callsite.h"

#include "base/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_SIZE = 2048, PATIENCE_MS = 2000, KEPT_ANSWERS = 64, KEPT_SIZE = 256 };

/* ---- text ------------------------------------------------------------------------------------------------ */

/* A text under construction; what does not fit is cut. */
typedef struct text_writer {
  char *text;
  size_t size, used;
} text_writer;

static void put_bytes(text_writer *out, const char *bytes, size_t count) {
  size_t room = out->size - 1 - out->used;
  if (count > room)
    count = room;
  memcpy(out->text + out->used, bytes, count);
  out->used += count;
  out->text[out->used] = '\0';
}

static void put_text(text_writer *out, const char *text) {
  put_bytes(out, text, strlen(text));
}

static void put_hex(text_writer *out, uintptr_t number) {
  char digits[2 + 2 * sizeof number];
  size_t first = sizeof digits;
  do {
    digits[--first] = "0123456789abcdef"[number & 15];
    number >>= 4;
  } while (number != 0);
  digits[--first] = 'x';
  digits[--first] = '0';
  put_bytes(out, digits + first, sizeof digits - first);
}

/* ---- the module ------------------------------------------------------------------------------------------ */

typedef struct code_module {
  char path[PATH_MAX]; /* of its file */
  uintptr_t address;   /* of the code, as the file counts: what addr2line and objdump call it */
  const char *symbol;  /* the exported function around it, or NULL */
  uintptr_t into;      /* bytes from there */
} code_module;

/* The loader calls the program itself "". Its argv[0] may be relative to a directory that was left since, and
 * /proc/self would be addr2line's own in the child, so the link is read here. */
static bool find_path(const struct link_map *map, char path[PATH_MAX]) {
  text_writer writer = { path, PATH_MAX, 0 };
  if (map->l_name[0] != '\0') {
    put_text(&writer, map->l_name);
    return true;
  }
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0)
    return false;
  path[length] = '\0';
  return true;
}

/* l_addr is what the loader added to every address of the file: 0 for a program that is not position-independent,
 * where dli_fbase, the first mapped byte, would be wrong. */
static bool find_module(const void *address, code_module *module_out) {
  Dl_info info;
  void *extra;
  if (dladdr1(address, &info, &extra, RTLD_DL_LINKMAP) == 0)
    return false;
  const struct link_map *map = extra;
  if (!find_path(map, module_out->path))
    return false;
  module_out->address = (uintptr_t)address - map->l_addr;
  module_out->symbol = info.dli_sname;
  module_out->into = info.dli_sname != NULL ? (uintptr_t)address - (uintptr_t)info.dli_saddr : 0;
  return true;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* ---- addr2line ------------------------------------------------------------------------------------------- */

static pid_t fork_in_handler(void) {
#if __GLIBC_PREREQ(2, 34)
  return _Fork();
#else
  return fork();
#endif
}

/* The child. It gets an empty environment: nothing preloaded, no servers asked for debug information, no locale. */
static _Noreturn void become_addr2line(int output, const char *path, const char *address) {
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
    _exit(127);
  const char *const arguments[] = { "addr2line", "-i", "-f", "-C", "-s", "-e", path, address, NULL };
  char *const environment[] = { NULL };
  execvpe(arguments[0], (char *const *)arguments, environment);
  _exit(127);
}

static pid_t start_addr2line(const code_module *module, int *answer_out) {
  char address[24];
  text_writer writer = { address, sizeof address, 0 };
  put_hex(&writer, module->address);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return -1;
  pid_t child = fork_in_handler();
  if (child == 0)
    become_addr2line(ends[1], module->path, address);
  close(ends[1]);
  if (child < 0)
    close(ends[0]);
  else
    *answer_out = ends[0];
  return child;
}

/* Waits until there is something to read, or the other end closed; false when the deadline has come first. */
static bool wait_readable(int from, uint64_t deadline) {
  for (;;) {
    uint64_t now = vptr__clock_ns();
    if (now >= deadline)
      return false;
    struct pollfd wanted = { .fd = from, .events = POLLIN };
    int ready = poll(&wanted, 1, (int)((deadline - now) / 1000000 + 1));
    if (ready != 0 && !(ready < 0 && errno == EINTR))
      return ready > 0;
  }
}

/* Reads until the other end closes. False if the buffer was full or patience was over before that. */
static bool read_all(int from, char *text, size_t size) {
  const uint64_t deadline = vptr__clock_ns() + UINT64_C(1000000) * PATIENCE_MS;
  size_t used = 0;
  while (used < size - 1 && wait_readable(from, deadline)) {
    ssize_t got = read(from, text + used, size - 1 - used);
    if (got <= 0) {
      text[used] = '\0';
      return got == 0;
    }
    used += (size_t)got;
  }
  return false;
}

/* Two lines for each function that the code was inlined into, the innermost first: the function and file:line, "??"
 * where unknown. False if there was no usable answer. */
static bool ask_addr2line(const code_module *module, char *answer, size_t size) {
  int from;
  pid_t child = start_addr2line(module, &from);
  if (child < 0)
    return false;
  bool complete = read_all(from, answer, size);
  close(from);
  if (!complete)
    kill(child, SIGKILL);
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    ;
  /* A program that reaps its own children leaves nothing to wait for; the answer is as good. */
  bool succeeded = ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return complete && succeeded;
}

/* ---- kept answers ---------------------------------------------------------------------------------------- */

/* What was asked. A file that was built anew, or a plugin that was loaded in another's place, is another question. */
typedef struct question {
  uintptr_t address;
  dev_t device;
  ino_t inode;
  struct timespec changed;
} question;

typedef struct kept_answer {
  question question;    /* an address of 0: none */
  char text[KEPT_SIZE]; /* the function, a zero, the line; each may be "" */
} kept_answer;

static kept_answer kept[KEPT_ANSWERS];
static atomic_flag kept_is_busy = ATOMIC_FLAG_INIT;

static bool make_question(const code_module *module, question *question_out) {
  struct stat about;
  if (stat(module->path, &about) != 0)
    return false;
  memset(question_out, 0, sizeof *question_out); /* its gaps too, since it is compared by its bytes */
  question_out->address = module->address;
  question_out->device = about.st_dev;
  question_out->inode = about.st_ino;
  question_out->changed = about.st_mtim;
  return true;
}

static kept_answer *place_of(const question *asked) {
  return &kept[(asked->address ^ asked->address >> 6 ^ (uintptr_t)asked->inode) % KEPT_ANSWERS];
}

static bool find_kept(const question *asked, char text[KEPT_SIZE]) {
  if (atomic_flag_test_and_set(&kept_is_busy))
    return false;
  const kept_answer *place = place_of(asked);
  bool is_there = memcmp(&place->question, asked, sizeof *asked) == 0;
  if (is_there)
    memcpy(text, place->text, KEPT_SIZE);
  atomic_flag_clear(&kept_is_busy);
  return is_there;
}

/* What is too long is asked for anew: it is not common. */
static void keep_answer(const question *asked, const char *function, const char *line) {
  size_t first = strlen(function) + 1, second = strlen(line) + 1;
  if (first + second > KEPT_SIZE || atomic_flag_test_and_set(&kept_is_busy))
    return;
  kept_answer *place = place_of(asked);
  place->question = *asked;
  memcpy(place->text, function, first);
  memcpy(place->text + first, line, second);
  atomic_flag_clear(&kept_is_busy);
}

void vptr__callsite_forget(void) {
  memset(kept, 0, sizeof kept);
}

/* ---- the description ------------------------------------------------------------------------------------- */

/* Whether file:line is in a header of ours whose functions call for the program. */
static bool is_wrapper(const char *line) {
  static const char header[] = "cuda_runtime.h:";
  return strncmp(line, header, sizeof header - 1) == 0;
}

/* Cuts two lines off the answer; NULL if there are none. */
static char *next_line(char **answer) {
  char *function = *answer, *line = strchr(function, '\n'), *end = line != NULL ? strchr(line + 1, '\n') : NULL;
  if (end == NULL)
    return NULL;
  *line = *end = '\0';
  *answer = end + 1;
  return line + 1;
}

/* Where the program is in the answer: its function and line, "" for what addr2line does not know. The innermost where
 * all are wrappers. */
static void split_answer(char *answer, const char **function_out, const char **line_out) {
  char *rest = answer, *line = next_line(&rest);
  for (char *from = rest, *outer; line != NULL && is_wrapper(line) && (outer = next_line(&rest)) != NULL;
       from = rest) {
    answer = from;
    line = outer;
  }
  if (line == NULL)
    return;
  char *remark = strstr(line, " (discriminator");
  if (remark != NULL)
    *remark = '\0';
  *function_out = strncmp(answer, "??", 2) == 0 ? "" : answer;
  const char *colon = strrchr(line, ':');
  *line_out = colon != NULL && colon[1] >= '1' && colon[1] <= '9' ? line : ""; /* it says ":0" or ":?" too */
}

/* Both lie in answer, or are "". */
static void resolve_symbol(const code_module *module, char answer[ANSWER_SIZE], const char **function_out,
                           const char **line_out) {
  question asked;
  *function_out = *line_out = "";
  if (getauxval(AT_SECURE) != 0)
    return;
  bool may_keep = make_question(module, &asked);
  if (may_keep && find_kept(&asked, answer)) {
    *function_out = answer;
    *line_out = answer + strlen(answer) + 1;
    return;
  }
  if (ask_addr2line(module, answer, ANSWER_SIZE))
    split_answer(answer, function_out, line_out);
  if (may_keep)
    keep_answer(&asked, *function_out, *line_out);
}

/* addr2line's name comes first: it knows static functions, and C++ names as they are written. */
static void put_function(text_writer *out, const code_module *module, const char *function, bool offset_wanted) {
  if (function[0] == '\0' && module->symbol != NULL)
    function = module->symbol;
  if (function[0] == '\0') {
    put_hex(out, module->address);
    return;
  }
  put_text(out, function);
  if (offset_wanted && module->symbol != NULL) {
    put_text(out, "+");
    put_hex(out, module->into);
  }
}

static void describe_address(const void *address, text_writer *out) {
  code_module module;
  if (!find_module(address, &module)) {
    put_hex(out, (uintptr_t)address);
    return;
  }
  char answer[ANSWER_SIZE];
  const char *function, *line;
  resolve_symbol(&module, answer, &function, &line);
  put_function(out, &module, function, line[0] == '\0');
  put_text(out, " (");
  put_text(out, base_name(module.path));
  put_text(out, ")");
  if (line[0] != '\0') {
    put_text(out, " ");
    put_text(out, line);
  }
}

void vptr__callsite_describe(const void *address, char *text, size_t size) {
  int errno_before = errno;
  text_writer writer = { text, size, 0 };
  text[0] = '\0';
  describe_address(address, &writer);
  errno = errno_before;
}
