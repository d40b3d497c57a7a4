/* SPDX-License-Identifier: MIT */
/* plot - see plot.h. */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_IN_TWOS = 512 };

/* 0, or what there is to say about it in errno's numbers; EPROTO: it ran and was not content. in and out are the
 * descriptors that become gnuplot's standard input and output, without a shell that a file's name could speak to. */
static int run_gnuplot(int in, int out) {
  static char program[] = "gnuplot";
  char *const words[] = { program, NULL };
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status, error = posix_spawn_file_actions_init(&actions);
  if (error != 0)
    return error;
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  error = posix_spawnp(&child, program, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return error;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return errno;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPROTO;
}

static bool complain(const plot *of, int error) {
  fprintf(stderr, "vptr-bench: cannot draw '%s': %s\n", of->path,
          error == EPROTO ? "gnuplot failed; its words stand above" : strerror(error));
  return false;
}

/* An empty script, which ends at once. */
static int try_gnuplot(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0)
    return errno;
  int error = run_gnuplot(nothing, nothing);
  close(nothing);
  return error;
}

static int open_part(const plot *of) {
  return open(of->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool plot_begin(plot *to, const char *path, const char *title, const char *x, const char *y) {
  *to = (plot){ .path = path, .title = title, .x = x, .y = y };
  if (path == NULL)
    return true;
  int error = try_gnuplot();
  if (error == ENOENT) {
    fputs("vptr-bench: --plot needs gnuplot, and there is none in PATH; install gnuplot, or take --csv\n", stderr);
    return false;
  }
  if (error != 0)
    return complain(to, error);
  if ((size_t)snprintf(to->part, sizeof to->part, "%s.part", path) >= sizeof to->part)
    return complain(to, ENAMETOOLONG);
  int part = open_part(to);
  if (part < 0)
    return complain(to, errno);
  close(part);
  return true;
}

static size_t line_of(plot *to, const char *name) {
  size_t line = 0;
  while (line < to->line_count && strcmp(to->lines[line], name) != 0)
    line++;
  if (line == to->line_count && line < PLOT_MOST_LINES)
    snprintf(to->lines[to->line_count++], sizeof to->lines[0], "%s", name);
  return line;
}

void plot_add(plot *to, const char *line, double x, double y) {
  if (to->path == NULL || !(x > 0) || !(y > 0) || to->point_count == PLOT_MOST_POINTS)
    return;
  size_t index = line_of(to, line);
  if (index < PLOT_MOST_LINES)
    to->points[to->point_count++] = (struct plot_point){ index, x, y };
}

/* Few threads are counted in twos, many bytes and allocations in tens. */
static const char *axis_of(const plot *from) {
  double most = 0;
  for (size_t p = 0; p < from->point_count; p++)
    most = from->points[p].x > most ? from->points[p].x : most;
  return most <= MOST_IN_TWOS ? "set logscale x 2\nset format x '%g'" : "set format x '10^%T'";
}

static void write_script(const plot *from, FILE *script) {
  fprintf(script,
          "set terminal svg noenhanced size 960,540 background 'white'\nset title '%s'\nset xlabel '%s'\n"
          "set ylabel '%s'\nset logscale xy\n%s\nset grid\nset key outside right\n",
          from->title, from->x, from->y, axis_of(from));
  for (size_t i = 0; i < from->line_count; i++) {
    fprintf(script, "$line%zu << END\n", i);
    for (size_t p = 0; p < from->point_count; p++)
      if (from->points[p].line == i)
        fprintf(script, "%.9g %.9g\n", from->points[p].x, from->points[p].y);
    fputs("END\n", script);
  }
  for (size_t i = 0; i < from->line_count; i++)
    fprintf(script, "%s$line%zu using 1:2 with linespoints title '%s'", i == 0 ? "plot " : ", ", i, from->lines[i]);
  fputc('\n', script);
}

static int draw(const plot *from) {
  FILE *script = tmpfile();
  int out = open_part(from), error = 0;
  if (script == NULL || out < 0) {
    error = errno;
  } else {
    write_script(from, script);
    error = fflush(script) == 0 && lseek(fileno(script), 0, SEEK_SET) == 0 ? run_gnuplot(fileno(script), out) : errno;
  }
  if (script != NULL)
    fclose(script);
  if (out >= 0 && close(out) != 0 && error == 0)
    error = errno;
  return error == 0 && rename(from->part, from->path) != 0 ? errno : error;
}

bool plot_end(plot *from) {
  if (from->path == NULL)
    return true;
  int error = from->point_count > 0 ? draw(from) : ENODATA;
  plot_abandon(from);
  return error == 0 || complain(from, error);
}

void plot_abandon(plot *from) {
  if (from->path != NULL && from->part[0] != '\0')
    unlink(from->part);
}
