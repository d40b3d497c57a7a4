/* SPDX-License-Identifier: MIT */
/*
 * exchange - the operations of warps (types/builtin_warp.c) in a function in which one work-item runs a block: see
 * outline.h.
 *
 * A loop over threads leaves what each gives in an array, and whoever asks reads the others' elements there: no loop is
 * needed for the exchange itself, and neighbours are read as a vector. Votes of a warp are a word with a bit for each
 * lane. All threads of the block come to such a call together, so lanes are missing at the block's end alone; what is
 * read of them, or of lanes that no mask names, is undefined as CUDA has it. There is room before and behind the array
 * for them.
 *
 *     v += __shfl_down_sync(~0u, v, 16);   each thread { vptr_g0[32 + thread] = v; }
 *                                          each thread { v += vptr_lanes_down(&vptr_g0[32 + thread], lane, 16, 31); }
 */
#include "translate/emit/outline.h"
#include "translate/types/builtin.h"

#include <string.h>

typedef enum form {
  SHUFFLE,    /* of another lane's element */
  BALLOT,     /* of a word with a bit for each lane */
  REDUCTION,  /* of all elements of a warp, by which lanes of which mask */
  MATCH,      /* and of which value */
  LANES_HERE, /* of the block's size alone */
  BLOCK_VOTE  /* of a count over the block */
} form;

static const struct {
  const char *word;
  form form;
} forms[] = {
  { "active", LANES_HERE },
  { "all", BALLOT },
  { "and", REDUCTION },
  { "any", BALLOT },
  { "ballot", BALLOT },
  { "ballot_own", BALLOT },
  { "barrier_and", BLOCK_VOTE },
  { "barrier_count", BLOCK_VOTE },
  { "barrier_or", BLOCK_VOTE },
  { "bfly", SHUFFLE },
  { "bfly_wide", SHUFFLE },
  { "down", SHUFFLE },
  { "down_wide", SHUFFLE },
  { "idx", SHUFFLE },
  { "idx_wide", SHUFFLE },
  { "least", REDUCTION },
  { "least_signed", REDUCTION },
  { "match_all", MATCH },
  { "match_all_wide", MATCH },
  { "match_any", MATCH },
  { "match_any_wide", MATCH },
  { "most", REDUCTION },
  { "most_signed", REDUCTION },
  { "or", REDUCTION },
  { "same", BALLOT },
  { "sum", REDUCTION },
  { "up", SHUFFLE },
  { "up_wide", SHUFFLE },
  { "xor", REDUCTION },
};

static const char *word_of(const vptr__expression *call) {
  return call->builtin->lowered + strlen("vptr_warp_");
}

static form form_of(const vptr__expression *call) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].word, word_of(call)) == 0)
      return forms[i].form;
  return LANES_HERE;
}

static const vptr__expression *argument_of(const vptr__expression *call, int index) {
  const vptr__expression *argument = call->arguments;
  while (index-- > 0)
    argument = argument->next;
  return argument;
}

/* ---- before the expression --------------------------------------------------------------------------------- */

static void begin_value(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__outline_enter(outline, gathering->region);
  vptr__emit_line_begin(outline->emitter, gathering->call->position);
}

static void write_elements(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__emitter *emitter = outline->emitter;
  const vptr__expression *value = argument_of(gathering->call, 1);
  const char *name = vptr__outline_gathered(emitter, gathering);
  const uint64_t warps = (outline->loops->threads + VPTR__LOOPS_WARP - 1) / VPTR__LOOPS_WARP;
  vptr__writer_format(&outline->heads, "  %s %s[%llu];\n", vptr__emit_type_name(emitter, value->type), name,
                      (unsigned long long)(warps + 2) * VPTR__LOOPS_WARP);
  begin_value(outline, gathering);
  vptr__writer_format(emitter->out, "%s[%d + VPTR_AT] = ", name, VPTR__LOOPS_WARP);
  vptr__emit_expression(emitter, value, VPTR__LEVEL_ASSIGN);
  vptr__emit_line_end(emitter, ";");
  vptr__outline_close(outline);
}

static void write_bits(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__emitter *emitter = outline->emitter;
  const char *name = vptr__outline_gathered(emitter, gathering);
  const uint64_t warps = (outline->loops->threads + VPTR__LOOPS_WARP - 1) / VPTR__LOOPS_WARP;
  vptr__writer_format(&outline->heads, "  uint %s[%llu];\n", name, (unsigned long long)warps);
  vptr__emit_line_begin(emitter, gathering->call->position);
  vptr__writer_format(emitter->out, "for (uint vptr_i = 0; vptr_i < %llu; vptr_i++) %s[vptr_i] = 0;",
                      (unsigned long long)warps, name);
  vptr__emit_line_end(emitter, "");
  begin_value(outline, gathering);
  vptr__writer_format(emitter->out, "%s[VPTR_AT / %d] |= (uint)((", name, VPTR__LOOPS_WARP);
  vptr__emit_expression(emitter, argument_of(gathering->call, 1), VPTR__LEVEL_COMMA);
  vptr__writer_text(emitter->out, ") != 0) << VPTR_LANE;");
  vptr__emit_line_end(emitter, "");
  vptr__outline_close(outline);
}

static void write_count(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__emitter *emitter = outline->emitter;
  const char *name = vptr__outline_gathered(emitter, gathering);
  vptr__writer_format(&outline->heads, "  uint %s;\n", name);
  vptr__emit_line_begin(emitter, gathering->call->position);
  vptr__writer_format(emitter->out, "%s = 0;", name);
  vptr__emit_line_end(emitter, "");
  begin_value(outline, gathering);
  vptr__writer_format(emitter->out, "%s += (", name);
  vptr__emit_expression(emitter, gathering->call->arguments, VPTR__LEVEL_COMMA);
  vptr__emit_line_end(emitter, ") != 0;");
  vptr__outline_close(outline);
}

void vptr__outline_exchange(vptr__outline *outline, const vptr__gathering *gathering) {
  vptr__emit_need(outline->emitter, "lanes", NULL);
  switch (form_of(gathering->call)) {
  case SHUFFLE:
  case REDUCTION:
  case MATCH:
    write_elements(outline, gathering);
    break;
  case BALLOT:
    write_bits(outline, gathering);
    break;
  case BLOCK_VOTE:
    write_count(outline, gathering);
    break;
  default:
    break;
  }
}

/* ---- in it ------------------------------------------------------------------------------------------------- */

static void write_argument(vptr__emitter *emitter, const vptr__expression *call, int index) {
  vptr__emit_expression(emitter, argument_of(call, index), VPTR__LEVEL_ASSIGN);
}

static void write_shuffled(vptr__emitter *emitter, const vptr__expression *call, const char *name) {
  vptr__writer_format(emitter->out, "vptr_lanes_%s(&%s[%d + VPTR_AT], VPTR_LANE, ", word_of(call), name,
                      VPTR__LOOPS_WARP);
  write_argument(emitter, call, 2);
  vptr__writer_text(emitter->out, ", ");
  write_argument(emitter, call, 3);
  vptr__writer_text(emitter->out, ")");
}

/* Of those that the mask names and the block has. */
static void write_mask(vptr__emitter *emitter, const vptr__expression *call) {
  vptr__writer_text(emitter->out, ", VPTR_LANES_HERE & (");
  write_argument(emitter, call, 0);
  vptr__writer_text(emitter->out, "))");
}

static void write_voted(vptr__emitter *emitter, const vptr__expression *call, const char *name) {
  const char *own = strcmp(word_of(call), "ballot_own") == 0 ? "VPTR_LANE, " : "";
  vptr__writer_format(emitter->out, "vptr_lanes_%s(%s%s[VPTR_AT / %d]", word_of(call), own, name, VPTR__LOOPS_WARP);
  write_mask(emitter, call);
}

static void write_warp(vptr__emitter *emitter, const vptr__expression *call, const char *name) {
  const char *own = form_of(call) == MATCH ? "VPTR_LANE, " : "";
  vptr__writer_format(emitter->out, "vptr_lanes_%s(%s&%s[%d + VPTR_AT - VPTR_LANE]", word_of(call), own, name,
                      VPTR__LOOPS_WARP);
  write_mask(emitter, call);
}

static void write_counted(vptr__emitter *emitter, const vptr__expression *call, const char *name) {
  if (strcmp(word_of(call), "barrier_or") == 0)
    vptr__writer_format(emitter->out, "(uint)(%s != 0)", name);
  else if (strcmp(word_of(call), "barrier_and") == 0)
    vptr__writer_format(emitter->out, "(uint)(%s == vptr_bx * vptr_by * vptr_bz)", name);
  else
    vptr__writer_format(emitter->out, "(%s)", name);
}

void vptr__emit_exchanged(vptr__emitter *emitter, const vptr__gathering *gathering) {
  const vptr__expression *call = gathering->call;
  const char *name = vptr__outline_gathered(emitter, gathering);
  switch (form_of(call)) {
  case SHUFFLE:
    write_shuffled(emitter, call, name);
    break;
  case BALLOT:
    write_voted(emitter, call, name);
    break;
  case REDUCTION:
  case MATCH:
    write_warp(emitter, call, name);
    break;
  case BLOCK_VOTE:
    write_counted(emitter, call, name);
    break;
  default:
    vptr__writer_text(emitter->out, "(VPTR_LANES_HERE)");
    break;
  }
}

bool vptr__emit_asked_lane(vptr__emitter *emitter, const vptr__expression *call) {
  const char *prefix = "vptr_warp_has_";
  if (emitter->loops == NULL || strncmp(call->builtin->lowered, prefix, strlen(prefix)) != 0)
    return false;
  vptr__emit_need(emitter, "lanes", NULL);
  vptr__writer_format(emitter->out, "vptr_lanes_%s(VPTR_LANE, ", word_of(call));
  write_argument(emitter, call, 0);
  vptr__writer_text(emitter->out, ", ");
  write_argument(emitter, call, 1);
  vptr__writer_text(emitter->out, ")");
  return true;
}
