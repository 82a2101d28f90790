// SPDX-License-Identifier: Apache-2.0
// The skein command: one table of subcommands.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/compiler.hpp"
#include "runtime/launch/exec_options.hpp"
#include "runtime/launch/files.hpp"
#include "runtime/launch/help.hpp"
#include "runtime/launch/info.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/native_program.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/launch/script.hpp"
#include "runtime/launch/spawn.hpp"
#include "runtime/launch/survival.hpp"
#include "runtime/launch/topology.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/starter_link.hpp"
#include "runtime/options/values.hpp"
#include "runtime/tools/names.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::launch {
namespace {

using Words = std::span<const char* const>;

constexpr std::uint64_t kMostPes = 65536;

Words environment() {
  std::size_t count = 0;
  while (environ[count]) ++count;
  return {environ, count};
}

std::vector<std::string> started_again(Words words) {
  std::vector<std::string> started{own_path(), "run"};
  started.insert(started.end(), words.begin(), words.end());
  return started;
}

/// Starts the job again as long as it goes on.
[[noreturn]] void run_surviving(const RunOptions& options, std::span<const std::string> started, int cores) {
  Survival survival(options.pes, options.survive, chosen_launcher());
  spawn(options.pes, started, cores, &survival);
}

/// Becomes the native program, which contains the runtime, or the launcher that starts it.
[[noreturn]] void run_native(const RunOptions& options, bool launched, int cores) {
  refuse_ranks(options);
  const std::vector<std::string> command = native_command(options);
  if (!launched && options.survive.on) run_surviving(options, command, cores);
  if (!launched && options.pes > 1) spawn(options.pes, command, cores);
  replace_process(command);
  throw Error("skein run: cannot start " + options.program + ": " + strerror(errno));
}

/// Runs the settled job. `space`: settled before, so that processes spawned by this one inherit it. `argv`:
/// main()'s, to start the launcher again.
int run_settled(Words words, const image::AddressSpaceState& space, char** argv) {
  RunOptions options = parse_run(words, environment());
  if (options.help) {
    fputs(run_help().c_str(), stdout);
    return 0;
  }
  log_level = options.log_level;
  const std::optional<Launcher> launcher = find_launcher(environment());
  const int cores = available_cores();
  if (launcher && options.survive.on) options.pes = 0;  // the job may have been resized
  settle_counts(options, launcher, cores);
  options.program = resolve_program(options.program);
  follow_script(options);
  if (!launcher || launcher->rank == 0) check_files(options);
  (void)net::asked_pes_per_node();
  if (is_native_program(options.program)) run_native(options, launcher.has_value(), cores);
  if (!launcher && options.survive.on) run_surviving(options, started_again(words), cores);
  if (!launcher && options.pes > 1) spawn(options.pes, started_again(words), cores);
  if (!launcher) prepare_single_pe();
  if (!launcher || launcher->rank == 0)
    for (const std::string& warning : options.warnings) SKEIN_WARN("skein: %s", warning.c_str());
  run_job(options, space, argv);
}

int run(Words words, char** argv) { return run_settled(words, image::settle_address_space(argv), argv); }

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string variable(const char* name) {
  const char* const value = getenv(name);
  return value ? value : "";
}

void obey(const ExecPlan& plan) {
  for (const auto& [name, value] : plan.variables) setenv(name.c_str(), value.c_str(), 1);
  for (const std::string& folder : plan.path) setenv("PATH", (folder + ":" + variable("PATH")).c_str(), 1);
  if (!plan.launcher_options.empty()) {
    const std::string chosen = variable("SKEIN_MPIEXEC");
    setenv(
        "SKEIN_MPIEXEC",
        ((chosen.empty() ? build_info::kMpiexec : chosen) + " " + join_words(plan.launcher_options)).c_str(),
        1);
  }
  if (!plan.directory.empty() && chdir(plan.directory.c_str()) != 0)
    throw Error("skeinexec: -wdir " + plan.directory + ": " + strerror(errno));
}

int exec(Words words, char** argv) {
  const image::AddressSpaceState space = image::settle_address_space(argv);
  if (getenv(net::kStarterVariable))
    throw Error(
        "skeinexec: SKEIN_MPIEXEC, or what PATH has under its name, is skeinexec itself; it must be the "
        "mpiexec of " +
        std::string(build_info::kMpiName));
  const ExecPlan plan = parse_exec(words, {.cores = available_cores(),
                                           .host = host_name(),
                                           .pes = variable("SKEIN_PES"),
                                           .ranks = variable("SKEIN_RANKS"),
                                           .binding_chosen = !variable("SKEIN_BIND").empty(),
                                           .launched = find_launcher(environment()).has_value()});
  if (plan.help) {
    fputs(exec_help().c_str(), stdout);
    return 0;
  }
  obey(plan);
  std::vector<const char*> run_words;
  for (const std::string& word : plan.run_words) run_words.push_back(word.c_str());
  return run_settled(run_words, space, argv);
}

int resize_job(Words words) {
  if (words.size() != 3 || std::string_view(words[1]) != "-p")
    throw Error("skein resize: usage: skein resize JOB -p N, JOB being the number of the process skein run");
  const auto number = [](const char* what, const char* text, std::uint64_t most) {
    try {
      return static_cast<int>(options::parse_count(text, 1, most));
    } catch (const Error& error) {
      throw Error(format("skein resize: %s: %s", what, error.what()));
    }
  };
  const int job = number("JOB", words[0], INT_MAX), pes = number("-p", words[2], kMostPes);
  (void)spawn_command(chosen_launcher(), pes, {}, available_cores(), !variable("SKEIN_MPIEXEC").empty());
  resize(job, pes);
  return 0;
}

int version(Words) {
  printf("skein %s (MPI underneath: %s)\n", build_info::kVersion, build_info::kMpiName);
  return 0;
}

std::string tools_path() {
  const std::string self = own_path();
  return self.substr(0, self.rfind('/') + 1) + build_info::kLibexecDir + "/skein-tools";
}

Error cannot_start(const std::string& path) {
  return Error("skein: cannot start " + path + ": " + strerror(errno) +
               "; is the installation whole? Of packages it is skein-tools");
}

/// Becomes `skein-tools TOOL WORDS...`, the program with the commands that need no job
/// (runtime/tools/main.cpp). Throws skein::Error if it is not installed.
[[noreturn]] void become_tool(std::string_view tool, Words words) {
  std::vector<std::string> command{tools_path(), std::string(tool)};
  command.insert(command.end(), words.begin(), words.end());
  replace_process(command);
  throw cannot_start(command.front());
}

/// Returns the tools' chapters of docs/cli.md, as that program prints them. Throws skein::Error.
std::string tools_markdown() {
  const std::string path = tools_path();
  FILE* const printed = popen(("'" + path + "' --markdown").c_str(), "r");
  if (!printed) throw cannot_start(path);
  std::string text;
  char part[4096];
  for (std::size_t length; (length = fread(part, 1, sizeof part, printed)) > 0;) text.append(part, length);
  if (pclose(printed) != 0) throw Error("skein: " + path + " --markdown failed; is the installation whole?");
  return text;
}

int help(Words words, const std::vector<Command>& commands);

/// Returns the commands. `argv`: main()'s.
std::vector<Command> make_commands(char** argv) {
  std::vector<Command> commands = {
      {"run", "", "", "[options] PROGRAM [arguments]", "Runs an MPI program as virtual ranks.",
       [argv](Words words) { return run(words, argv); }, true},
      {"exec", "skeinexec", "mpiexec mpirun", "-n N [options] PROGRAM [arguments]",
       "Does the same with the options of mpiexec, for scripts and test suites.",
       [argv](Words words) { return exec(words, argv); }, true},
      {"cc", "skeincc", "mpicc", "ARGUMENTS", "Compiles and links C, as mpicc does.",
       [](Words words) { return run_compiler(Language::c, words); }},
      {"cxx", "skeincxx", "mpicxx mpic++ mpiCC", "ARGUMENTS", "Compiles and links C++, as mpicxx does.",
       [](Words words) { return run_compiler(Language::cxx, words); }},
      {"fc", "skeinfc", "mpifort mpif90 mpif77", "ARGUMENTS", "Compiles and links Fortran, as mpifort does.",
       [](Words words) { return run_compiler(Language::fortran, words); }},
  };
  commands.push_back({"resize", "", "", "JOB -p N",
                      "Makes a job that runs with --survive continue on N PEs from its next sync point; JOB "
                      "is the process number of its skein run.",
                      resize_job});
  for (const options::ToolName& tool : tools::names::kAll)
    commands.push_back({tool.name, "", "", tool.usage, tool.summary,
                        [&tool](Words words) -> int { become_tool(tool.name, words); }, true});
  commands.push_back({"info", "", "", "[PROGRAM]",
                      "Prints the PEs, topology, MPI, memory and PAPI events of this machine; for a program "
                      "also the MPI that it was built for, and the libraries and memory of a rank.",
                      info});
  commands.push_back({"help", "", "", "[COMMAND|--markdown]",
                      "Lists the commands; --markdown prints docs/cli.md.",
                      [argv](Words words) { return help(words, make_commands(argv)); }});
  commands.push_back(
      {"version", "", "", "", "Prints the versions of Skein and of the MPI underneath.", version});
  return commands;
}

int help(Words words, const std::vector<Command>& commands) {
  const std::string_view subject = words.empty() ? "" : words[0];
  const bool as_markdown = subject == "--markdown";
  if (words.size() > 1)
    throw Error("skein help: unknown argument '" + std::string(words.back()) +
                "'; it takes the name of a command, --markdown, or nothing");
  if (!subject.empty() && !as_markdown) {
    static const char* const help_option = "--help";
    for (const Command& command : commands) {
      if (command.name != subject) continue;
      if (command.has_help) return command.run({&help_option, 1});
      printf("usage: skein %s %s\n\n%s\n", std::string(command.name).c_str(),
             std::string(command.usage).c_str(), std::string(command.summary).c_str());
      return 0;
    }
    std::vector<std::string_view> names{"--markdown"};
    for (const Command& command : commands) names.push_back(command.name);
    throw Error("skein help: no command '" + std::string(subject) + "'" + lb::did_you_mean(subject, names) +
                "; skein help lists them");
  }
  fputs((as_markdown ? markdown(commands, tools_markdown()) : commands_help(commands)).c_str(), stdout);
  return 0;
}

bool is_called(const Command& command, std::string_view name) {
  if (!name.empty() && command.installed_name == name) return true;
  for (std::string_view left = command.mpi_names; !left.empty();) {
    const std::size_t end = std::min(left.find(' '), left.size());
    if (left.substr(0, end) == name) return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

int dispatch(std::string_view called_as, Words words, const std::vector<Command>& commands) {
  called_as.remove_prefix(called_as.rfind('/') + 1);
  for (const Command& command : commands)
    if (is_called(command, called_as)) return command.run(words);
  if (words.empty()) {
    fputs(commands_help(commands).c_str(), stderr);
    return kDidNotStart;
  }
  std::string_view name = words[0];
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version") name = "version";
  std::vector<std::string_view> names;
  for (const Command& command : commands) {
    if (command.name == name) return command.run(words.subspan(1));
    names.push_back(command.name);
  }
  throw Error("skein: unknown command '" + std::string(name) + "'" + lb::did_you_mean(name, names) +
              "; skein help lists them, and skein run PROGRAM runs a program");
}

/// Returns the status, or failure if the output could not be written: printing is part of a command's task.
int with_output_written(int status) {
  return finish_standard_output() || status != 0 ? status : EXIT_FAILURE;
}

}  // namespace
}  // namespace skein::launch

int main(int argc, char** argv) {
  skein::launch::open_closed_input();
  try {
    const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
    return skein::launch::with_output_written(
        skein::launch::dispatch(words[0], words.subspan(1), skein::launch::make_commands(argv)));
  } catch (const skein::Error& error) {
    fprintf(stderr, "%s\n", error.what());
    return skein::launch::kDidNotStart;
  }
}
