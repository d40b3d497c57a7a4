/* SPDX-License-Identifier: MIT */
/*
 * options - the command line: nvcc's options, as far as they mean something here.
 *
 * What only concerns NVIDIA's assembler is taken and forgotten, so that makefiles work. -f..., -m... and -W... go to
 * the host's compiler; any other option that is unknown is refused, or forwarded where
 * -forward-unknown-to-host-compiler says so.
 */
#ifndef VPTRCC_OPTIONS_H
#define VPTRCC_OPTIONS_H

#include "buffer.h"

typedef enum cc_goal {
  CC_LINK, CC_COMPILE, CC_PREPROCESS, CC_DEPENDENCIES, CC_MODULE /* -ptx */, CC_HOST_TEXT /* -cuda */,
  CC_DUMP, CC_DEVICE_LINK, CC_MODULE_LINK /* -dlink -ptx */,
  CC_ARCHIVE, CC_RUN, CC_LIST_ARCH, CC_LIST_CODE, CC_LIST_FRONT_ENDS, CC_HELP, CC_VERSION
} cc_goal;

/* Who reads CUDA files: the project's own front end, clang, or clang where the own one lacks something. */
typedef enum cc_front_end { CC_FRONT_END_AUTO, CC_FRONT_END_OWN, CC_FRONT_END_CLANG } cc_front_end;

/* What is linked, in its order. */
typedef struct cc_input {
  const char *path;        /* a file, or an option of the linker */
  const char *language;    /* "cu", "c", "c++"; "object": as it is; "option" */
} cc_input;

typedef struct cc_options {
  vptr__arena *arena;
  cc_goal goal;
  const char *output;      /* NULL: not said */
  cc_input *inputs;        /* input_count of them */
  size_t input_count, input_capacity, file_count; /* files: those that are no options */
  const char *language;    /* -x for what follows; NULL: by the names */
  cc_list folders;         /* -I, then -isystem */
  cc_list system_folders;
  cc_list defines;         /* as the translator takes them: "A=1", "-A" */
  cc_list included;        /* -include */
  cc_list preprocessing;   /* for the host's preprocessor, in their order */
  cc_list flags;           /* for each step of the host's compiler */
  cc_list linking;         /* for its linking, before the files */
  cc_list targets;         /* -MT */
  cc_list run_arguments;   /* -run-args */
  cc_list unknown;         /* options that nobody knows here */
  const char *depend_file; /* -MF */
  const char *host_compiler; /* -ccbin */
  const char *standard;    /* -std= */
  const char *keep_folder;
  const char *output_folder; /* -odir */
  const char *archiver;    /* -arbin */
  const char *time_file;   /* -time FILE */
  bool depends, skips_system_headers, has_phony_targets; /* -MD, -MMD or -MM, -MP */
  bool finds_buffers; /* kernels have a form that looks up each access: allocations of buffers that lie apart */
  bool is_relocatable, keeps, is_verbose, is_dry, is_shared, has_no_runtime;
  bool is_timed;           /* --time */
  bool fast_math, no_fma, has_no_device_link, has_no_warnings;
  bool unknown_for_compiler, unknown_for_linker; /* -forward-unknown-... */
  int depth;               /* of files of options */
  cc_front_end front_end;  /* --front-end */
  int arch;                /* 750; 0: not said */
  unsigned dump;           /* --dump: VPTR__DUMP_TREE ... */
  const char *wrong;       /* words about what is wrong with the command line; NULL: nothing */
} cc_options;

void cc_options_read(cc_options *options, vptr__arena *arena, int argc, char **argv);

/* --help, --version and lists: nothing is compiled. */
bool cc_options_want_words(const cc_options *options);

/* -optf: the words of a file, as if they stood in its place. */
void cc_options_read_file(cc_options *options, const char *path);

/* Whether a path is one of the inputs, under this name or another. */
bool cc_options_is_input(const cc_options *options, const char *path);

/* For the table: the first thing that is wrong counts. */
void cc_options_refuse(cc_options *options, const char *what, const char *value);
void cc_options_add_input(cc_options *options, const char *path, const char *language);

/* help.c */
void cc_print_help(void);
void cc_print_version(void);
void cc_print_architectures(const char *prefix);

#endif
