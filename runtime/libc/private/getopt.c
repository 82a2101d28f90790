// SPDX-License-Identifier: Apache-2.0
// getopt(), getopt_long() and getopt_long_only() with variables for each rank. Written from POSIX.1-2017
// (getopt, XBD 12.2) and the getopt(3) manual page; tests/unit/libc/getopt_test.cpp compares it with the C
// library's on random command lines.
//
// Options and operands may be mixed: operands that were passed over are [first_operand, last_operand), and
// are exchanged with the options that follow them, so that in the end all operands come last.
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char* optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

enum Order { permute, stop_at_operand, return_operands };

static struct {
  bool started;
  enum Order order;
  char* cluster;  // what follows in an argument of several short options; null or "" between arguments
  int first_operand, last_operand;
} progress;

struct Call {
  int argc;
  char** argv;
  const char* short_options;
  const struct option* long_options;  // null for getopt()
  int* long_index;
  bool long_only;
  bool quiet;  // no messages: opterr is 0, or short_options begins with ':'
};

static void reverse(char** argv, int begin, int end) {
  for (--end; begin < end; ++begin, --end) {
    char* first = argv[begin];
    argv[begin] = argv[end];
    argv[end] = first;
  }
}

/// Exchanges [first_operand, last_operand) and [last_operand, optind).
static void exchange(char** argv) {
  reverse(argv, progress.first_operand, progress.last_operand);
  reverse(argv, progress.last_operand, optind);
  reverse(argv, progress.first_operand, optind);
  progress.first_operand += optind - progress.last_operand;
  progress.last_operand = optind;
}

static bool is_operand(const char* argument) { return argument[0] != '-' || argument[1] == '\0'; }

static void start(const char* short_options) {
  if (optind == 0) optind = 1;
  progress.first_operand = progress.last_operand = optind;
  progress.cluster = NULL;
  if (short_options[0] == '-')
    progress.order = return_operands;
  else if (short_options[0] == '+' || getenv("POSIXLY_CORRECT"))
    progress.order = stop_at_operand;
  else
    progress.order = permute;
  progress.started = true;
}

enum Next { at_option, at_operand, at_end };

/// Advances to the next argument that is an option.
static enum Next find_option(const struct Call* call) {
  char** argv = call->argv;
  if (progress.last_operand > optind) progress.last_operand = optind;
  if (progress.first_operand > optind) progress.first_operand = optind;
  if (progress.order == permute) {
    if (progress.first_operand != progress.last_operand && progress.last_operand != optind)
      exchange(argv);
    else if (progress.last_operand != optind)
      progress.first_operand = optind;
    while (optind < call->argc && is_operand(argv[optind])) ++optind;
    progress.last_operand = optind;
  }
  if (optind < call->argc && strcmp(argv[optind], "--") == 0) {
    ++optind;
    if (progress.first_operand != progress.last_operand && progress.last_operand != optind)
      exchange(argv);
    else if (progress.first_operand == progress.last_operand)
      progress.first_operand = optind;
    progress.last_operand = call->argc;
    optind = call->argc;
  }
  if (optind == call->argc) {
    if (progress.first_operand != progress.last_operand) optind = progress.first_operand;
    return at_end;
  }
  if (is_operand(argv[optind])) {
    if (progress.order == stop_at_operand) return at_end;
    optarg = argv[optind++];
    return at_operand;
  }
  return at_option;
}

/// Finds a long option. An unambiguous beginning of a name suffices; beginnings of options with the same
/// effect are not ambiguous.
static const struct option* find_long(const struct Call* call, const char* name, size_t length,
                                      const char* prefix, bool* ambiguous) {
  const struct option* found = NULL;
  *ambiguous = false;
  for (const struct option* o = call->long_options; o->name; ++o)
    if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0') return o;
  for (const struct option* o = call->long_options; o->name; ++o) {
    if (strncmp(o->name, name, length) != 0) continue;
    if (!found)
      found = o;
    else if (call->long_only || found->has_arg != o->has_arg || found->flag != o->flag ||
             found->val != o->val)
      *ambiguous = true;
  }
  if (!*ambiguous) return found;
  if (!call->quiet) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, name);
    for (const struct option* o = call->long_options; o->name; ++o) {
      const bool same = o == found || found->has_arg != o->has_arg || found->flag != o->flag ||
                        found->val != o->val || call->long_only;
      if (strncmp(o->name, name, length) == 0 && same) fprintf(stderr, " '%s%s'", prefix, o->name);
    }
    fprintf(stderr, "\n");
  }
  return found;
}

static int missing_argument(const struct Call* call) { return call->short_options[0] == ':' ? ':' : '?'; }

/// Takes a long option: `name` begins after the prefix, in the argument at optind. Returns -1 when it is none
/// and may be short options instead.
static int take_long(const struct Call* call, char* name, const char* prefix, bool may_be_short) {
  const size_t length = strcspn(name, "=");
  bool ambiguous;
  const struct option* o = find_long(call, name, length, prefix, &ambiguous);
  if (ambiguous) {
    progress.cluster = NULL;
    ++optind;
    optopt = 0;
    return '?';
  }
  if (!o) {
    if (may_be_short) return -1;
    if (!call->quiet) fprintf(stderr, "%s: unrecognized option '%s%s'\n", call->argv[0], prefix, name);
    progress.cluster = NULL;
    ++optind;
    optopt = 0;
    return '?';
  }
  ++optind;
  progress.cluster = NULL;
  if (name[length] == '=') {
    if (o->has_arg == no_argument) {
      if (!call->quiet)
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], prefix, o->name);
      optopt = o->val;
      return '?';
    }
    optarg = name + length + 1;
  } else if (o->has_arg == required_argument) {
    if (optind == call->argc) {
      if (!call->quiet)
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", call->argv[0], prefix, o->name);
      optopt = o->val;
      return missing_argument(call);
    }
    optarg = call->argv[optind++];
  }
  if (call->long_index) *call->long_index = (int)(o - call->long_options);
  if (!o->flag) return o->val;
  *o->flag = o->val;
  return 0;
}

/// Takes the next letter of the cluster.
static int take_short(const struct Call* call) {
  const char letter = *progress.cluster++;
  const char* o = letter == ':' || letter == ';' ? NULL : strchr(call->short_options, letter);
  if (*progress.cluster == '\0') ++optind;
  if (!o) {
    if (!call->quiet) fprintf(stderr, "%s: invalid option -- '%c'\n", call->argv[0], letter);
    optopt = letter;
    return '?';
  }
  const bool names_long_option = o[0] == 'W' && o[1] == ';' && call->long_options;
  if (o[1] != ':' && !names_long_option) return letter;
  const bool optional = o[1] == ':' && o[2] == ':';
  char* argument = NULL;
  if (*progress.cluster != '\0') {
    argument = progress.cluster;
    ++optind;
  } else if (!optional && optind < call->argc) {
    argument = call->argv[optind++];
  } else if (!optional) {
    if (!call->quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\n", call->argv[0], letter);
    optopt = letter;
    progress.cluster = NULL;
    return missing_argument(call);
  }
  progress.cluster = NULL;
  if (names_long_option) {
    --optind;  // take_long() steps over the argument that holds the name
    return take_long(call, argument, "-W ", false);
  }
  optarg = argument;
  return letter;
}

static int next_option(struct Call* call) {
  if (call->argc < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !progress.started) start(call->short_options);
  if (call->short_options[0] == '-' || call->short_options[0] == '+') ++call->short_options;
  call->quiet = !opterr || call->short_options[0] == ':';

  if (!progress.cluster || !*progress.cluster) {
    const enum Next next = find_option(call);
    if (next == at_end) return -1;
    if (next == at_operand) return 1;
    char* argument = call->argv[optind];
    if (call->long_options && argument[1] == '-') return take_long(call, argument + 2, "--", false);
    // -name may be a long option; a single letter that is a short option is one.
    if (call->long_options && call->long_only && (argument[2] || !strchr(call->short_options, argument[1]))) {
      const int result = take_long(call, argument + 1, "-", strchr(call->short_options, argument[1]) != NULL);
      if (result != -1) return result;
    }
    progress.cluster = argument + 1;
  }
  return take_short(call);
}

int getopt(int argc, char* const argv[], const char* short_options) {
  struct Call call = {argc, (char**)argv, short_options, NULL, NULL, false, false};
  return next_option(&call);
}

int getopt_long(int argc, char* const argv[], const char* short_options, const struct option* long_options,
                int* long_index) {
  struct Call call = {argc, (char**)argv, short_options, long_options, long_index, false, false};
  return next_option(&call);
}

int getopt_long_only(int argc, char* const argv[], const char* short_options,
                     const struct option* long_options, int* long_index) {
  struct Call call = {argc, (char**)argv, short_options, long_options, long_index, true, false};
  return next_option(&call);
}
