/* SPDX-License-Identifier: MIT */
/*
 * process - the programs that vptrcc runs, and the folder where they meet.
 *
 * A signal that ends programs (SIGINT, SIGTERM, SIGHUP) reaches the child too, or it is sent on; vptrcc waits for it,
 * removes the folder and then ends by that signal itself.
 */
#ifndef VPTRCC_PROCESS_H
#define VPTRCC_PROCESS_H

#include <sys/types.h>

#include "options.h"
#include "timing.h"

typedef struct cc_workshop {
  vptr__arena *arena;
  const cc_options *options;
  const char *folder;      /* for what nobody keeps */
  cc_list given;           /* paths in it */
  cc_timing timing;
} cc_workshop;

/* A command that runs beside others. */
typedef struct cc_process {
  pid_t pid;               /* 0: it was not started, or has ended */
  const char *phase, *program, *output;
  double begin;
} cc_process;

/* False: no folder can be made, which was said. */
bool cc_workshop_open(cc_workshop *workshop, const cc_options *options);
void cc_workshop_close(cc_workshop *workshop);

/* A path in the folder, or with --keep in the folder for that: name's last part, its suffix replaced. Never the
 * same twice. */
const char *cc_workshop_path(cc_workshop *workshop, const char *name, const char *suffix);

/* Runs a command; its exit status, or 1 with words. Shows it first with -v; with --dryrun that is all. phase: what
 * --time calls the step. */
int cc_workshop_run(cc_workshop *workshop, const char *phase, const cc_list *command);

/* The same; what it says goes to the file `messages`. */
int cc_workshop_run_heard(cc_workshop *workshop, const char *phase, const cc_list *command, const char *messages);

/* And in two halves, of one command at a time; what it says goes to the file `messages`. False: it cannot be run,
 * which was said. */
bool cc_workshop_start(cc_workshop *workshop, const char *phase, const cc_list *command, const char *messages,
                       cc_process *process_out);
int cc_workshop_wait(cc_workshop *workshop, cc_process *process);

/* Whether it has ended, without waiting for it; and its end, now. */
bool cc_process_has_ended(const cc_process *process);
void cc_process_end(cc_process *process);

/* What a command says to its standard error; its output is thrown away. False: it cannot be run, or fails. */
bool cc_process_read(const cc_list *command, cc_buffer *out);

/* What it says to its standard output; likewise. */
bool cc_process_output(const cc_list *command, cc_buffer *out);

/* A line on stderr: `before`, then each word behind a blank, in quotes where a shell wants them. */
void cc_show_words(const char *before, const cc_list *words);

/* The signal that should end us, or 0. */
int cc_workshop_signal(void);

/* Whole files. False: it was said why. */
bool cc_file_read(vptr__arena *arena, const char *path, const char **text_out, size_t *length_out);
bool cc_file_write(const char *path, const char *text, size_t length);

/* Prints a file of messages, if there is one. */
void cc_file_tell(vptr__arena *arena, const char *path);

#endif
