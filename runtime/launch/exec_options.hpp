// SPDX-License-Identifier: Apache-2.0
// The command lines of other MPIs' mpiexec as `skeinexec` understands them, so that scripts and test suites
// that call one run under Skein unchanged.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skein::launch {

/// An option of mpiexec in one of its spellings: with one dash or two, the value in the next word or behind
/// '='.
struct ExecOption {
  enum class Effect {
    ranks,      ///< N
    assign,     ///< VARIABLE or VARIABLE=VALUE, for the environment
    set,        ///< VARIABLE VALUE, for the environment
    directory,  ///< DIR to start in
    path,       ///< DIR where programs are looked for first
    host_list,  ///< hosts; has no effect if it is this one
    hand_on,    ///< goes to the launcher of the MPI underneath
    bind,       ///< what PEs are bound to
    quiet,
    ignored,  ///< about things that Skein decides itself
    refused
  };
  std::string_view names;  ///< without dashes, separated by blanks
  std::string_view value;  ///< placeholders of its values, separated by blanks; empty: it has none
  Effect effect;
  std::string_view help;  ///< a whole sentence; of a refused one, why and what to do
};
std::span<const ExecOption> exec_options();

/// Returns what stands in `skein run` for an option of mpiexec, spelt as there, that was given to it. Empty:
/// mpiexec has no such option, or `skein run` has the same.
std::string in_words_of_run(std::string_view word);

/// The plan that a command line of mpiexec leads to.
struct ExecPlan {
  std::vector<std::string> run_words;  ///< options of `skein run`, the program, its arguments
  std::vector<std::pair<std::string, std::string>> variables;
  std::string directory;                      ///< empty: this one
  std::vector<std::string> path;              ///< for the beginning of PATH
  std::vector<std::string> launcher_options;  ///< of the launcher underneath
  bool help = false;                          ///< if set, nothing else counts
};

/// The surroundings that determine the number of PEs.
struct ExecSurroundings {
  int cores = 1;
  std::string host;             ///< this machine's name
  std::string pes, ranks;       ///< SKEIN_PES and SKEIN_RANKS; empty: not set
  bool binding_chosen = false;  ///< SKEIN_BIND is set
  bool launched = false;        ///< this process is one of those that become PEs
};

/// Plans N ranks on as many PEs as SKEIN_PES says, else as there are cores (with hosts: on N PEs), but never
/// on more than N. Pure. Throws skein::Error that names the option.
ExecPlan parse_exec(std::span<const char* const> words, const ExecSurroundings& around);

}  // namespace skein::launch
