// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/help.hpp"

#include <algorithm>

#include "runtime/launch/exec_options.hpp"
#include "runtime/launch/option_table.hpp"
#include "runtime/options/text.hpp"

namespace skein::launch {
namespace {

using options::append_help;
using options::append_help_option;
using options::cell;
using options::flags_of;
using options::padded;
using options::wrapped;

constexpr std::string_view kRunNotes =
    "Options come before PROGRAM; all words after it belong to the program. A variable takes the same value "
    "as the flag (a switch takes 1 or 0); flags win over variables.";

constexpr std::string_view kStatusNotes =
    "The exit status of skein run is that of the first rank that ends with a status other than 0, and 128 + "
    "n if signal n ended a rank. Status 2 means that the job did not start; a message says why. A job that "
    "is interrupted has the status that the MPI launcher gives it.";

constexpr std::string_view kLauncherNotes =
    "Under mpirun, mpiexec or srun, skein run starts no processes: each process that the launcher started "
    "becomes one PE. Otherwise skein run starts the PEs itself, on this node, through the mpiexec of the MPI "
    "underneath. SKEIN_MPIEXEC names another mpiexec; its options can reach other nodes "
    "(SKEIN_MPIEXEC=\"mpirun --hostfile hosts\"). PEs that skein run starts itself print straight to its "
    "standard output and error; with SKEIN_MPIEXEC their output goes through the launcher.";

constexpr std::string_view kExecNotes =
    "Takes command lines that were written for another MPI's mpiexec. Options have one dash or two. "
    "SKEIN_PES sets the number of PEs (default: one for each core), but there are no more than N. Variables "
    "set the options of skein run, as in SKEIN_PES=2 SKEIN_LB=greedy-refine SKEIN_SYNC_AT=MPI_Allreduce. PEs "
    "are not bound to cores unless --bind-to or SKEIN_BIND says so, because test suites run several jobs at "
    "a time.";

constexpr std::string_view kMpiHomeNotes =
    "The folder skein/mpi beside Skein's libraries has skeinexec and the compilers in bin, under the names "
    "that other MPIs use. Give the folder to CMake's FindMPI as MPI_HOME (cmake "
    "-DMPI_HOME=PREFIX/lib/skein/mpi), or put its bin in front of PATH.";

/// Returns a text like "-n, -np, -c N".
std::string spellings(const ExecOption& option) {
  std::string text;
  for (std::string_view left = option.names; !left.empty();) {
    const std::size_t end = std::min(left.find(' '), left.size());
    text.append(text.empty() ? "" : ", ").append(end == 1 ? "-" : "--").append(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  if (!option.value.empty()) text.append(" ").append(option.value);
  return text;
}

std::string effect_of(const ExecOption& option) {
  return option.effect == ExecOption::Effect::refused ? "Refused: " + std::string(option.help) + "."
                                                      : std::string(option.help);
}

constexpr std::string_view kCompilerNotes =
    "cc, cxx and fc call the compiler that Skein was built with and add the include path of Skein's mpi.h "
    "and, when linking, the stub library libmpi_abi. They understand -show, --showme[:command|compile|link|"
    "incdirs|libdirs|libs|version|help], -compile-info and -link-info, so CMake's FindMPI works with "
    "MPI_C_COMPILER=skeincc, and Meson with MPICC=skeincc. -static and -no-pie are refused: Skein loads the "
    "program once for each rank.";

}  // namespace

std::string commands_help(std::span<const Command> commands) {
  std::string out =
      "Skein runs MPI programs with more ranks than processors, and moves ranks to balance the load.\n\n";
  for (const Command& command : commands) {
    const std::string left = "  skein " + std::string(command.name) + " " + std::string(command.usage);
    out.append(padded(left, 46)).append("  ").append(command.summary).append("\n");
  }
  return out + "\nskein run --help lists the options of a run.\n";
}

std::string run_help() {
  std::string out = "usage: skein run [options] PROGRAM [arguments]\n\n" + wrapped(kRunNotes, 0);
  std::string_view group;
  for (const Option& option : run_options()) append_help(out, option, group);
  append_help_option(out);
  return out + "\n" + wrapped(kLauncherNotes, 0) + "\n" + wrapped(kStatusNotes, 0);
}

std::string exec_help() {
  std::string out = "usage: skeinexec -n N [options] PROGRAM [arguments]\n\n" + wrapped(kExecNotes, 0) + "\n";
  for (const ExecOption& option : exec_options()) {
    out += wrapped(spellings(option), 2);
    out += wrapped(effect_of(option), options::kHelpIndent);
  }
  append_help_option(out);
  return out;
}

std::string markdown(std::span<const Command> commands, std::string_view tools) {
  std::string out = "# The skein command\n\nMade by `skein help --markdown`; a test compares the two.\n\n";
  out += "| command | also installed as | |\n|---|---|---|\n";
  for (const Command& command : commands) {
    out.append("| `skein ").append(command.name);
    if (!command.usage.empty()) out.append(" ").append(cell(command.usage));
    out.append("` | ");
    if (!command.installed_name.empty()) out.append("`").append(command.installed_name).append("` ");
    out.append("| ").append(command.summary).append(" |\n");
  }
  out.append("\n## skein run\n\n").append(kRunNotes).append("\n");
  std::string_view group;
  for (const Option& option : run_options()) {
    if (option.group != group) {
      group = option.group;
      out.append("\n### ").append(group).append("\n\n| option | variable | default | |\n|---|---|---|---|\n");
    }
    out.append("| `").append(cell(flags_of(option))).append("` | `").append(option.variable).append("` | ");
    out += options::default_and_help(option);
  }
  out.append("\n### Starting the PEs\n\n").append(kLauncherNotes).append("\n");
  out.append("\n### Exit status\n\n").append(kStatusNotes).append("\n");
  out.append("\n## skein exec\n\n").append(kExecNotes).append("\n\n| option | |\n|---|---|\n");
  for (const ExecOption& option : exec_options())
    out.append("| `").append(cell(spellings(option))).append("` | ").append(effect_of(option)).append(" |\n");
  out.append("\n").append(kMpiHomeNotes).append("\n");
  out.append(tools).append("\n## skein cc, cxx, fc\n\n").append(kCompilerNotes).append("\n");
  out += "\n## Other variables\n\n| variable | default | |\n|---|---|---|\n";
  for (const Variable& variable : other_variables())
    out.append("| `")
        .append(variable.name)
        .append("` | ")
        .append(variable.default_text)
        .append(" | ")
        .append(variable.help)
        .append(" |\n");
  return out + "\nA variable whose name starts with `SKEIN_` and that is in neither table gets a warning.\n";
}

}  // namespace skein::launch
