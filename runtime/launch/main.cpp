// SPDX-License-Identifier: Apache-2.0
// The skein command: one table of subcommands.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/launch/build_info.hpp"
#include "runtime/launch/compiler.hpp"
#include "runtime/launch/files.hpp"
#include "runtime/launch/help.hpp"
#include "runtime/launch/info.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/launch/lb_command.hpp"
#include "runtime/launch/native_program.hpp"
#include "runtime/launch/nearest.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/launch/spawn.hpp"
#include "runtime/launch/topology.hpp"

namespace skein::launch {
namespace {

using Words = std::span<const char* const>;

char** own_argv = nullptr;  // main()'s, to start the launcher again

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

/// Becomes the program, which has the runtime in it, or the launcher that starts it.
[[noreturn]] void run_native(const RunOptions& options, bool launched, int cores) {
  const std::vector<std::string> command = native_command(options);
  if (!launched && options.pes > 1) spawn(options.pes, command, cores);
  replace_process(command);
  throw Error("skein run: cannot start " + options.program + ": " + strerror(errno));
}

int run(Words words) {
  // The processes that this one may spawn inherit what it has settled.
  const image::AddressSpaceState space = image::settle_address_space(own_argv);
  RunOptions options = parse_run(words, environment());
  if (options.help) {
    fputs(run_help().c_str(), stdout);
    return 0;
  }
  log_level = options.log_level;
  const std::optional<Launcher> launcher = find_launcher(environment());
  const int cores = available_cores();
  settle_counts(options, launcher, cores);
  options.program = resolve_program(options.program);
  if (!launcher || launcher->rank == 0) check_files(options);
  if (is_native_program(options.program)) run_native(options, launcher.has_value(), cores);
  if (!launcher && options.pes > 1) spawn(options.pes, started_again(words), cores);
  if (!launcher) prepare_single_pe();
  if (!launcher || launcher->rank == 0)
    for (const std::string& warning : options.warnings) SKEIN_WARN("skein: %s", warning.c_str());
  run_job(options, space, own_argv);
}

int version(Words) {
  printf("skein %s (MPI underneath: %s)\n", build_info::version, build_info::mpi_name);
  return 0;
}

int help(Words words);

constexpr Command commands[] = {
    {"run", "", "[options] PROGRAM [arguments]", "Runs an MPI program as virtual ranks.", run},
    {"cc", "skeincc", "ARGUMENTS", "Compiles and links C, as mpicc does.",
     [](Words words) { return run_compiler(Language::c, words); }},
    {"cxx", "skeincxx", "ARGUMENTS", "Compiles and links C++, as mpicxx does.",
     [](Words words) { return run_compiler(Language::cxx, words); }},
    {"fc", "skeinfc", "ARGUMENTS", "Compiles and links Fortran, as mpifort does.",
     [](Words words) { return run_compiler(Language::fortran, words); }},
    {"lb", "", "compare|metrics|apply|convert|generate ...",
     "Tries strategies on files that skein run --lb-dump wrote; skein lb --help says more.", run_lb},
    {"info", "", "", "Says what this machine offers: PEs, topology, MPI, memory, PAPI events.", info},
    {"help", "", "[--markdown]", "Lists the commands; --markdown prints docs/cli.md.", help},
    {"version", "", "", "Prints the versions of Skein and of the MPI underneath.", version},
};

int help(Words words) {
  const bool as_markdown = !words.empty() && std::string_view(words[0]) == "--markdown";
  if (words.size() > (as_markdown ? 1 : 0))
    throw Error("skein help: unknown argument '" + std::string(words.back()) +
                "'; it takes --markdown or nothing");
  fputs((as_markdown ? markdown(commands, lb_subcommands()) : commands_help(commands)).c_str(), stdout);
  return 0;
}

int dispatch(std::string_view called_as, Words words) {
  called_as.remove_prefix(called_as.rfind('/') + 1);
  for (const Command& command : commands)
    if (!command.installed_name.empty() && command.installed_name == called_as) return command.run(words);
  if (words.empty()) {
    fputs(commands_help(commands).c_str(), stderr);
    return did_not_start;
  }
  std::string_view name = words[0];
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version") name = "version";
  std::vector<std::string_view> names;
  for (const Command& command : commands) {
    if (command.name == name) return command.run(words.subspan(1));
    names.push_back(command.name);
  }
  throw Error("skein: unknown command '" + std::string(name) + "'" + did_you_mean(name, names) +
              "; skein help lists them, and skein run PROGRAM runs a program");
}

/// What a command has said is part of what it was to do: a full disk makes it fail.
int with_output_written(int status) {
  return finish_standard_output() || status != 0 ? status : EXIT_FAILURE;
}

}  // namespace
}  // namespace skein::launch

int main(int argc, char** argv) {
  skein::launch::own_argv = argv;
  skein::launch::open_closed_input();
  try {
    const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
    return skein::launch::with_output_written(skein::launch::dispatch(words[0], words.subspan(1)));
  } catch (const skein::Error& error) {
    fprintf(stderr, "%s\n", error.what());
    return skein::launch::did_not_start;
  }
}
