// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/exec_options.hpp"

#include <algorithm>
#include <optional>

#include "runtime/base/error.hpp"
#include "runtime/launch/option_table.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/options/values.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::launch {
namespace {

using Effect = ExecOption::Effect;

/// Options in the manual pages of mpiexec: MPI 4.1, section 11.5; Open MPI 4 and 5; MPICH 4.
constexpr ExecOption kExecTable[] = {
    {"n np c", "N", Effect::ranks, "Sets the number of ranks. Default: SKEIN_RANKS, else one for each PE."},
    {"x", "VARIABLE[=VALUE]", Effect::assign, "Sets a variable. Ranks have the whole environment anyway."},
    {"env genv", "VARIABLE VALUE", Effect::set, "Sets a variable."},
    {"envall genvall", "", Effect::ignored, "Has no effect: ranks have the whole environment."},
    {"envlist genvlist", "VARIABLE,...", Effect::ignored, "Has no effect: ranks have the whole environment."},
    {"wdir wd", "DIR", Effect::directory, "Starts the job in the folder DIR."},
    {"path", "DIR", Effect::path, "Looks for the program in DIR first."},
    {"host H hosts", "HOST[:N],...", Effect::host_list,
     "Has no effect if every HOST is this machine. Otherwise the launcher of the MPI underneath gets the "
     "list, in its syntax; there are then as many PEs as ranks, or SKEIN_PES."},
    {"hostfile machinefile f default-hostfile", "FILE", Effect::hand_on,
     "Gives the file to the launcher of the MPI underneath, in its syntax; there are then as many PEs as "
     "ranks, or SKEIN_PES."},
    {"bind-to", "WHAT", Effect::bind,
     "Binds each PE to one core; none (the default) leaves PEs as they are."},
    {"q quiet", "", Effect::quiet, "Prints only errors."},
    {"oversubscribe nooversubscribe use-hwthread-cpus bynode byslot bycore nolocal bind-to-core "
     "bind-to-socket bind-to-none",
     "", Effect::ignored, "Has no effect: Skein decides where ranks run."},
    {"allow-run-as-root", "", Effect::ignored, "Has no effect: Skein runs for every user alike."},
    {"report-bindings display-map display-allocation display-devel-map verbose v", "", Effect::ignored,
     "Has no effect: Skein prints no map of ranks, since they move."},
    {"map-by rank-by ppn perhost npernode npersocket N cpus-per-proc cpus-per-rank cpu-set", "VALUE",
     Effect::ignored, "Has no effect: Skein decides where ranks run."},
    {"mca gmca omca prtemca pmixmca", "KEY VALUE", Effect::ignored,
     "Has no effect: these are parameters of another MPI. For the MPI underneath, set its variables "
     "(OMPI_MCA_...)."},
    {"iface prefix launcher bootstrap rmk tune am", "VALUE", Effect::ignored,
     "Has no effect: these options set how another MPI starts processes."},
    {"l prepend-rank tag-output timestamp-output noprefix", "", Effect::ignored,
     "Has no effect: Skein prints lines unchanged."},
    {"envnone genvnone", "", Effect::refused, "the environment cannot be left out; use env -i"},
    {"configfile app", "FILE", Effect::refused,
     "only one program is run; write its options on the command line"},
    {"output-filename outfile-pattern errfile-pattern", "NAME", Effect::refused,
     "ranks share standard output; redirect it"},
    {"timeout", "SECONDS", Effect::refused, "use timeout(1)"},
    {"stdin", "RANK", Effect::refused, "standard input is rank 0's"},
    {"gdb xterm debug", "", Effect::refused, "attach to a PE with GDB instead (docs/porting.md)"},
};

/// Returns what `skein run` has in place of an option of that effect; null: `help` says it.
const char* own_words(Effect effect) {
  switch (effect) {
    case Effect::ranks:
      return "the number of ranks is -n N, and that of processes -p P";
    case Effect::assign:
    case Effect::set:
      return "ranks have the environment of the command: VARIABLE=VALUE skein run ...";
    case Effect::directory:
      return "it starts in the current folder: cd there first";
    case Effect::path:
      return "name the program by its path";
    case Effect::host_list:
    case Effect::hand_on:
      return "on several machines the launcher of the MPI underneath starts it: mpiexec [its options] skein "
             "run ...";
    case Effect::bind:
      return "PEs keep to a core each, or with --bind none are left as they are";
    case Effect::quiet:
      return "it is -q";
    case Effect::ignored:
    case Effect::refused:
      break;
  }
  return nullptr;
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    parts.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

const ExecOption* find(std::string_view name) {
  for (const ExecOption& option : kExecTable)
    for (const std::string_view each : split(option.names))
      if (each == name) return &option;
  return nullptr;
}

[[noreturn]] void unknown(std::string_view word) {
  std::vector<std::string> spelled;
  for (const ExecOption& option : kExecTable)
    for (const std::string_view name : split(option.names))
      spelled.push_back((name.size() == 1 ? "-" : "--") + std::string(name));
  const std::vector<std::string_view> names(spelled.begin(), spelled.end());
  throw Error(
      "skeinexec: unknown option " + std::string(word) + lb::did_you_mean(word, names) +
      "; skeinexec --help lists those that it takes from mpiexec. Options of Skein are given by variables "
      "(SKEIN_LB=...)");
}

bool are_all_here(std::string_view hosts, const std::string& host) {
  for (const std::string& entry : options::parse_list(hosts, ',')) {
    const std::string name = entry.substr(0, entry.find(':'));
    if (name != "localhost" && name != "127.0.0.1" && name != host && name != host.substr(0, host.find('.')))
      return false;
  }
  return true;
}

class Reader {
 public:
  Reader(std::span<const char* const> words, const ExecSurroundings& around)
      : words_(words), around_(around) {}

  ExecPlan read() {
    while (!words_.empty() && words_[0][0] == '-' && words_[0][1] != '\0') {
      take_option();
      if (plan_.help) return plan_;
    }
    if (words_.empty())
      throw Error("skeinexec: no program given; usage: skeinexec -n N [options] PROGRAM [arguments]");
    for (const char* word : words_)
      if (std::string_view(word) == ":")
        throw Error(
            "skeinexec: ':' would start a second program beside the first; Skein runs one program a job");
    add_run_options();
    plan_.run_words.insert(plan_.run_words.end(), words_.begin(), words_.end());
    return std::move(plan_);
  }

 private:
  void take_option() {
    const std::string_view word = words_[0];
    words_ = words_.subspan(1);
    const std::size_t equals = word.find('=');
    std::string_view name = word.substr(word.starts_with("--") ? 2 : 1);
    name = name.substr(0, name.find('='));
    if (name == "h" || name == "help") {
      plan_.help = true;
      return;
    }
    const ExecOption* option = find(name);
    if (!option) unknown(word);
    std::vector<std::string> values;
    const std::size_t wanted = split(option->value).size();
    if (equals != std::string_view::npos && wanted == 1) values.emplace_back(word.substr(equals + 1));
    while (values.size() < wanted) {
      if (words_.empty())
        throw Error("skeinexec: " + std::string(word) + " needs a value: " + std::string(word) + " " +
                    std::string(option->value));
      values.emplace_back(words_[0]);
      words_ = words_.subspan(1);
    }
    apply(*option, word, values);
  }

  void apply(const ExecOption& option, std::string_view word, const std::vector<std::string>& values) {
    try {
      obey(option, word, values);
    } catch (const Error& error) {
      throw Error("skeinexec: " + std::string(word) + ": " + error.what());
    }
  }

  void obey(const ExecOption& option, std::string_view word, const std::vector<std::string>& values) {
    switch (option.effect) {
      case Effect::ranks:
        ranks_ = options::parse_count(values[0], 1, most_ranks);
        break;
      case Effect::assign:
        if (const std::size_t at = values[0].find('='); at != std::string::npos)
          plan_.variables.emplace_back(values[0].substr(0, at), values[0].substr(at + 1));
        break;
      case Effect::set:
        plan_.variables.emplace_back(values[0], values[1]);
        break;
      case Effect::directory:
        plan_.directory = values[0];
        break;
      case Effect::path:
        plan_.path.push_back(values[0]);
        break;
      case Effect::host_list:
        if (!are_all_here(values[0], around_.host)) hand_on(word, values[0]);
        break;
      case Effect::hand_on:
        hand_on(word, values[0]);
        break;
      case Effect::bind:
        binding_ = values[0] == "none" ? "none" : "core";
        break;
      case Effect::quiet:
        plan_.run_words.emplace_back("--quiet");
        break;
      case Effect::ignored:
        break;
      case Effect::refused:
        throw Error("not taken: " + std::string(option.help));
    }
  }

  void hand_on(std::string_view word, const std::string& value) {
    if (value.find(' ') != std::string::npos)
      throw Error("'" + value + "' has a blank, which cannot be handed on");
    plan_.launcher_options.emplace_back(word.substr(0, word.find('=')));
    plan_.launcher_options.push_back(value);
  }

  void add_run_options() {
    auto& words = plan_.run_words;
    if (!ranks_ && !around_.ranks.empty() && around_.ranks != "auto")
      ranks_ = options::parse_count(around_.ranks, 1, most_ranks);
    if (ranks_) words.insert(words.end(), {"-n", std::to_string(*ranks_)});
    // PEs without ranks would only wait.
    if (ranks_ && !around_.launched) {
      std::uint64_t pes =
          plan_.launcher_options.empty() ? static_cast<std::uint64_t>(around_.cores) : *ranks_;
      if (!around_.pes.empty() && around_.pes != "auto")
        pes = options::parse_count(around_.pes, 1, most_ranks);
      words.insert(words.end(), {"-p", std::to_string(std::min(pes, *ranks_))});
    }
    // Test suites run several jobs at a time, which would all be bound to the first cores.
    if (!binding_.empty() || !around_.binding_chosen)
      words.insert(words.end(), {"--bind", binding_.empty() ? "none" : binding_});
  }

  static constexpr std::uint64_t most_ranks = 1'000'000'000;

  std::span<const char* const> words_;
  const ExecSurroundings& around_;
  ExecPlan plan_;
  std::optional<std::uint64_t> ranks_;
  std::string binding_;
};

}  // namespace

std::span<const ExecOption> exec_options() { return kExecTable; }

std::string in_words_of_run(std::string_view word) {
  word = word.substr(0, word.find('='));
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  const ExecOption* const option = find(word.substr(dashes));
  if (!option) return {};
  for (const Option& own : run_options())
    if (word == own.name || (word.size() == 2 && word[1] == own.letter)) return {};
  if (const char* const own = own_words(option->effect)) return own;
  if (option->effect == Effect::refused) return std::string(option->help);
  constexpr std::string_view nothing = "Has no effect: ";
  std::string_view why = option->help.substr(0, option->help.size() - 1);
  if (why.starts_with(nothing)) why.remove_prefix(nothing.size());
  return "leave it out: " + std::string(why);
}

ExecPlan parse_exec(std::span<const char* const> words, const ExecSurroundings& around) {
  return Reader(words, around).read();
}

}  // namespace skein::launch
