// SPDX-License-Identifier: Apache-2.0
// The walk over words and variables. It knows no option: whatever is said of one is in the table.
#include "runtime/launch/options.hpp"

#include "runtime/base/error.hpp"
#include "runtime/launch/nearest.hpp"
#include "runtime/launch/option_table.hpp"

namespace skein::launch {
namespace {

/// `origin` is what the user wrote: "--pes 0", "SKEIN_PES=0".
void apply(const Option& option, RunOptions& run, std::string_view text, const std::string& origin) {
  try {
    option.set(option, run, text);
  } catch (const Error& error) {
    std::string knob =
        origin.starts_with("SKEIN_") ? "change or unset the variable" : "skein run --help explains it";
    throw Error("skein run: " + origin + ": " + error.what() + " (" + std::string(option.name) +
                (option.is_switch() ? "" : " " + std::string(option.value)) + "; " + knob + ")");
  }
}

const Option* find_by_name(std::string_view name) {
  for (const Option& option : run_options())
    if (option.name == name) return &option;
  return nullptr;
}

const Option* find_by_letter(char letter) {
  for (const Option& option : run_options())
    if (option.letter == letter) return &option;
  return nullptr;
}

[[noreturn]] void unknown_option(std::string_view word) {
  std::vector<std::string_view> names{"--help"};
  for (const Option& option : run_options()) names.push_back(option.name);
  throw Error("skein run: unknown option " + std::string(word) + did_you_mean(word, names) +
              "; skein run --help lists all. Options of the program go behind its name.");
}

/// Words still to be read.
class Words {
 public:
  explicit Words(std::span<const char* const> words) : left_(words) {}
  bool empty() const { return left_.empty(); }
  std::string_view peek() const { return left_.front(); }
  std::string_view take() {
    const std::string_view word = left_.front();
    left_ = left_.subspan(1);
    return word;
  }

 private:
  std::span<const char* const> left_;
};

std::string_view value_of(const Option& option, std::string_view flag, Words& words) {
  if (words.empty())
    throw Error("skein run: " + std::string(flag) + " needs a value: " + std::string(flag) + " " +
                std::string(option.value));
  return words.take();
}

/// --name, --name=value, --name value.
void take_long(std::string_view word, Words& words, RunOptions& run) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const Option* option = find_by_name(name);
  if (!option) unknown_option(name);
  if (equals != std::string_view::npos)
    apply(*option, run, word.substr(equals + 1), std::string(word));
  else if (option->is_switch())
    apply(*option, run, "yes", std::string(word));
  else {
    const std::string_view value = value_of(*option, name, words);
    apply(*option, run, value, std::string(name) + " " + std::string(value));
  }
}

/// -x, -xy for two switches, -xVALUE, -x VALUE.
void take_short(std::string_view word, Words& words, RunOptions& run) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Option* option = find_by_letter(word[i]);
    if (!option) unknown_option(word);
    if (option->is_switch()) {
      apply(*option, run, "yes", std::string(word));
      continue;
    }
    const std::string flag{'-', word[i]};
    const std::string_view attached = word.substr(i + 1);
    const std::string_view value = attached.empty() ? value_of(*option, flag, words) : attached;
    apply(*option, run, value, flag + " " + std::string(value));
    return;
  }
}

void take_variable(std::string_view entry, RunOptions& run) {
  const std::size_t equals = entry.find('=');
  const std::string_view name = entry.substr(0, equals);
  if (!name.starts_with("SKEIN_") || equals == std::string_view::npos) return;
  std::vector<std::string_view> names;
  for (const Option& option : run_options()) {
    const std::string_view value = entry.substr(equals + 1);
    if (option.variable == name) {
      if (!value.empty()) apply(option, run, value, std::string(entry));
      return;
    }
    names.push_back(option.variable);
  }
  for (const Variable& variable : other_variables()) {
    if (variable.name == name) return;
    names.push_back(variable.name);
  }
  std::string known;
  for (std::string_view each : names) known.append(" ").append(each);
  run.warnings.push_back("the environment variable " + std::string(name) + " means nothing to Skein" +
                         did_you_mean(name, names) + "; known are" + known);
}

}  // namespace

RunOptions parse_run(std::span<const char* const> words, std::span<const char* const> environment) {
  RunOptions run;
  for (const Option& option : run_options())
    if (!option.default_text.empty()) option.set(option, run, option.default_text);
  for (const char* entry : environment) take_variable(entry, run);

  Words left(words);
  while (!left.empty() && left.peek().size() > 1 && left.peek()[0] == '-') {
    const std::string_view word = left.take();
    if (word == "--") break;
    if (word == "--help" || word == "-h") {
      run.help = true;
      return run;
    }
    if (word.starts_with("--"))
      take_long(word, left, run);
    else
      take_short(word, left, run);
  }
  if (left.empty())
    throw Error(
        "skein run: no program given; usage: skein run [options] PROGRAM [arguments], for example skein run "
        "-p 2 -n 16 ./app");
  run.program = left.take();
  while (!left.empty()) run.args.emplace_back(left.take());
  return run;
}

}  // namespace skein::launch
