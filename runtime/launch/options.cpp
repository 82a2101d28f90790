// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/options.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/launch/exec_options.hpp"
#include "runtime/launch/option_table.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::launch {
namespace {

/// Returns the walk over the options. With `given`, every option that is taken is noted there, as
/// --name=value.
options::OptionWalk walk_into(RunOptions& run, std::vector<std::string>* given) {
  std::vector<options::BoundOption> bound_options;
  for (const Option& option : run_options()) {
    options::BoundOption& bound = bound_options.emplace_back(options::bind_option(option, run));
    if (!given) continue;
    bound.set = [set = std::move(bound.set), &option, given](std::string_view text) {
      set(text);
      given->emplace_back(option.name).append("=").append(text);
    };
  }
  return options::OptionWalk("skein run", std::move(bound_options),
                             " Options of the program go behind its name.");
}

/// Warns of a variable that no option has.
void warn_if_unknown(std::string_view entry, RunOptions& run) {
  const std::size_t equals = entry.find('=');
  const std::string_view name = entry.substr(0, equals);
  if (!name.starts_with("SKEIN_") || equals == std::string_view::npos) return;
  std::vector<std::string_view> names;
  for (const Option& option : run_options()) names.push_back(option.variable);
  for (const Variable& variable : other_variables()) {
    if (variable.name == name) return;
    names.push_back(variable.name);
  }
  std::string known;
  for (std::string_view each : names) known.append(" ").append(each);
  run.warnings.push_back("the environment variable " + std::string(name) + " means nothing to Skein" +
                         lb::did_you_mean(name, names) + "; known are" + known);
}

/// Refuses mpiexec's options that would parse differently: -np 2 would be -n, of 'p'.
void refuse_words_of_mpiexec(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return;
  if (const std::string own = in_words_of_run(word); !own.empty())
    throw Error("skein run: unknown option " + std::string(word) + ", which is mpiexec's. Here " + own +
                ". skeinexec takes the options of mpiexec as they are: skeinexec " + std::string(word) +
                " ... PROGRAM");
}

/// Warns of options about balancing if nothing is balanced, unless the user said --lb none.
void warn_if_idle(RunOptions& run) {
  std::vector<std::string_view> given;
  for (std::string_view option : run.given) given.push_back(option.substr(0, option.find('=')));
  if (std::ranges::count(given, "--lb") > 0) return;
  for (const std::string_view name : given) {
    const auto option = std::ranges::find(run_options(), name, &Option::name);
    if (option->is_idle && option->is_idle(run))
      run.warnings.push_back(std::string(name) + " does nothing without a strategy: add --lb NAME");
  }
}

}  // namespace

std::string named_by(const RunOptions& run, std::string_view option) {
  for (const std::string& given : run.given)
    if (std::string_view(given).substr(0, given.find('=')) == option) return std::string(option);
  for (const Option& each : run_options())
    if (each.name == option) return std::string(each.variable);
  return std::string(option);
}

RunOptions parse_run(std::span<const char* const> words, std::span<const char* const> environment) {
  RunOptions run;
  const options::OptionWalk defaults = walk_into(run, nullptr);
  defaults.preset();
  for (const char* entry : environment)
    if (!defaults.take_variable(entry)) warn_if_unknown(entry, run);

  const options::OptionWalk walk = walk_into(run, &run.given);
  options::Words left(words);
  while (!left.empty()) {
    refuse_words_of_mpiexec(left.peek());
    const options::OptionWalk::Taken taken = walk.take(left);
    if (taken == options::OptionWalk::Taken::help) {
      run.help = true;
      return run;
    }
    if (taken != options::OptionWalk::Taken::option) break;
  }
  if (left.empty())
    throw Error(
        "skein run: no program given; usage: skein run [options] PROGRAM [arguments], for example skein run "
        "-p 2 -n 16 ./app");
  run.program = left.take();
  while (!left.empty()) run.args.emplace_back(left.take());
  warn_if_idle(run);
  return run;
}

}  // namespace skein::launch
