// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/help.hpp"

#include <algorithm>

#include "runtime/launch/exec_options.hpp"
#include "runtime/launch/option_table.hpp"
#include "skein/lb/generate.hpp"

namespace skein::launch {
namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t option_indent = 6;

/// `text` in lines of at most line_width, each indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column != 0 && column + 1 + word.size() > line_width) {
      out += '\n';
      column = 0;
    }
    out.append(column == 0 ? indent : 1, ' ').append(word);
    column += (column == 0 ? indent : 1) + word.size();
  }
  return out + "\n";
}

/// "-p, --pes P"
template <class Target>
std::string flags_of(const OptionOf<Target>& option) {
  std::string text;
  if (option.letter) text.append("-").append(1, option.letter).append(", ");
  text.append(option.name);
  if (!option.is_switch()) text.append(" ").append(option.value);
  return text;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(width, out.size()), ' ');
  return out;
}

/// The option in the help; under a heading if its group is another than `group`, which becomes it.
template <class Target>
void append_help(std::string& out, const OptionOf<Target>& option, std::string_view& group) {
  if (option.group != group) {
    group = option.group;
    out.append("\n").append(group).append("\n");
  }
  std::string line = "  " + flags_of(option);
  if (!option.variable.empty()) line = padded(line, 42).append("  ").append(option.variable);
  if (!option.default_text.empty() && !option.is_switch())
    line.append("  (").append(option.default_text).append(")");
  out.append(line).append("\n").append(wrapped(option.help, option_indent));
}

void append_help_option(std::string& out) {
  out.append("  -h, --help\n").append(wrapped("Prints this.", option_indent));
}

/// For a table cell: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

template <class Target>
void append_default_and_help(std::string& out, const OptionOf<Target>& option) {
  if (!option.default_text.empty()) out.append("`").append(option.default_text).append("` ");
  out.append("| ").append(cell(option.help)).append(" |\n");
}

/// The subcommands that take the option, or "all".
std::string users_of(const LbOption& option, std::span<const LbSubcommand> subcommands) {
  std::string users;
  std::size_t count = 0;
  for (const LbSubcommand& subcommand : subcommands) {
    if (std::ranges::find(subcommand.options, option.name) == subcommand.options.end()) continue;
    users.append(users.empty() ? "" : ", ").append(subcommand.name);
    ++count;
  }
  return count == subcommands.size() ? "all" : users;
}

constexpr std::string_view run_notes =
    "Options come before PROGRAM; all that follows it belongs to the program. A variable holds what the flag "
    "would "
    "take (a switch takes 1 or 0); flags win over variables.";

constexpr std::string_view status_notes =
    "The exit status of skein run is that of the first rank that ends with another than 0, and 128 + n when "
    "signal n "
    "ended a rank. 2 means that the job did not start; a message says why. A job that is interrupted has the "
    "status "
    "that the MPI launcher gives it.";

constexpr std::string_view launcher_notes =
    "Under mpirun, mpiexec or srun nothing is spawned: each process that the launcher started becomes one "
    "PE. "
    "Otherwise skein run starts the PEs itself, on this node, through the mpiexec of the MPI underneath; "
    "with "
    "SKEIN_MPIEXEC, through another one, which may carry options and so reach other nodes "
    "(SKEIN_MPIEXEC=\"mpirun --hostfile hosts\"). What the PEs that skein run starts itself print goes "
    "straight to its standard output and error; with SKEIN_MPIEXEC, by way of the launcher.";

constexpr std::string_view exec_notes =
    "For command lines that were written for another MPI's mpiexec. Options have one dash or two. N ranks "
    "run on as "
    "many PEs as SKEIN_PES says, else as there are cores, but on no more than N; so what skein run has "
    "options for is "
    "chosen by variables, as in SKEIN_PES=2 SKEIN_LB=greedy-refine SKEIN_SYNC_AT=MPI_Allreduce. PEs are not "
    "bound to "
    "cores unless --bind-to or SKEIN_BIND says so, because test suites run several jobs at a time.";

constexpr std::string_view mpi_home_notes =
    "The folder skein/mpi beside Skein's libraries has skeinexec and the compilers under the names that "
    "other MPIs "
    "give theirs, in bin: it is what MPI_HOME is to CMake's FindMPI (cmake -DMPI_HOME=PREFIX/lib/skein/mpi), "
    "and "
    "bin can go in front of PATH.";

/// "-n, -np, -c N"
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

constexpr std::string_view lb_notes =
    "Reads load data that `skein run --lb-dump` or DARMA vt wrote, tries strategies on it, and makes up such "
    "data. Several files are read as one, a file for each PE; %p in a name stands for the numbers 0, 1, 2 "
    "and "
    "so on. No program runs, and no MPI is needed.";

constexpr std::string_view compiler_notes =
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
  std::string out = "usage: skein run [options] PROGRAM [arguments]\n\n" + wrapped(run_notes, 0);
  std::string_view group;
  for (const Option& option : run_options()) append_help(out, option, group);
  append_help_option(out);
  return out + "\n" + wrapped(launcher_notes, 0) + "\n" + wrapped(status_notes, 0);
}

std::string exec_help() {
  std::string out = "usage: skeinexec -n N [options] PROGRAM [arguments]\n\n" + wrapped(exec_notes, 0) + "\n";
  for (const ExecOption& option : exec_options()) {
    out += wrapped(spellings(option), 2);
    out += wrapped(effect_of(option), option_indent);
  }
  append_help_option(out);
  return out;
}

std::string lb_help(std::span<const LbSubcommand> subcommands) {
  std::string out = "usage: skein lb SUBCOMMAND ...\n\n" + wrapped(lb_notes, 0) + "\n";
  for (const LbSubcommand& subcommand : subcommands) {
    out.append("  skein lb ").append(subcommand.name).append(" ").append(subcommand.usage).append("\n");
    out += wrapped(subcommand.summary, option_indent);
  }
  out += "\nKinds to generate, with their keys\n";
  for (const lb::GeneratorInfo& kind : lb::generators()) {
    out.append("  ").append(kind.name).append("\n").append(wrapped(kind.summary, option_indent));
    for (const lb::Key& key : kind.keys)
      out += wrapped(
          std::string(key.name) + " (" + std::string(key.default_text) + "): " + std::string(key.help),
          option_indent + 2);
  }
  return out + "\nskein lb SUBCOMMAND --help lists the options of one.\n";
}

std::string lb_subcommand_help(const LbSubcommand& subcommand) {
  std::string out = "usage: skein lb ";
  out.append(subcommand.name).append(" ").append(subcommand.usage).append("\n\n");
  out += wrapped(subcommand.summary, 0);
  std::string_view group;
  for (const LbOption& option : lb_options())
    if (std::ranges::find(subcommand.options, option.name) != subcommand.options.end())
      append_help(out, option, group);
  append_help_option(out);
  return out;
}

std::string markdown(std::span<const Command> commands, std::span<const LbSubcommand> subcommands) {
  std::string out = "# The skein command\n\nMade by `skein help --markdown`; a test compares the two.\n\n";
  out += "| command | also installed as | |\n|---|---|---|\n";
  for (const Command& command : commands) {
    out.append("| `skein ").append(command.name);
    if (!command.usage.empty()) out.append(" ").append(cell(command.usage));
    out.append("` | ");
    if (!command.installed_name.empty()) out.append("`").append(command.installed_name).append("` ");
    out.append("| ").append(command.summary).append(" |\n");
  }
  out.append("\n## skein run\n\n").append(run_notes).append("\n");
  std::string_view group;
  for (const Option& option : run_options()) {
    if (option.group != group) {
      group = option.group;
      out.append("\n### ").append(group).append("\n\n| option | variable | default | |\n|---|---|---|---|\n");
    }
    out.append("| `").append(cell(flags_of(option))).append("` | `").append(option.variable).append("` | ");
    append_default_and_help(out, option);
  }
  out.append("\n### Starting the PEs\n\n").append(launcher_notes).append("\n");
  out.append("\n### Exit status\n\n").append(status_notes).append("\n");
  out.append("\n## skein exec\n\n").append(exec_notes).append("\n\n| option | |\n|---|---|\n");
  for (const ExecOption& option : exec_options())
    out.append("| `").append(cell(spellings(option))).append("` | ").append(effect_of(option)).append(" |\n");
  out.append("\n").append(mpi_home_notes).append("\n");
  out.append("\n## skein lb\n\n").append(lb_notes).append("\n\n| subcommand | |\n|---|---|\n");
  for (const LbSubcommand& subcommand : subcommands)
    out.append("| `")
        .append(subcommand.name)
        .append(" ")
        .append(cell(subcommand.usage))
        .append("` | ")
        .append(subcommand.summary)
        .append(" |\n");
  group = "";
  for (const LbOption& option : lb_options()) {
    if (option.group != group) {
      group = option.group;
      out.append("\n### ").append(group).append("\n\n| option | of | default | |\n|---|---|---|---|\n");
    }
    out.append("| `")
        .append(cell(flags_of(option)))
        .append("` | ")
        .append(users_of(option, subcommands))
        .append(" | ");
    append_default_and_help(out, option);
  }
  out.append("\n### Kinds to generate\n\n| kind | keys (defaults) | |\n|---|---|---|\n");
  for (const lb::GeneratorInfo& kind : lb::generators()) {
    out.append("| `").append(kind.name).append("` |");
    for (const lb::Key& key : kind.keys)
      out.append(" `").append(key.name).append("` (").append(key.default_text).append(")");
    out.append(" | ").append(kind.summary).append(" |\n");
  }
  out.append("\n## skein cc, cxx, fc\n\n").append(compiler_notes).append("\n");
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
