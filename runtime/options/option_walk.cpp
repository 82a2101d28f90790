// SPDX-License-Identifier: Apache-2.0
#include "runtime/options/option_walk.hpp"

#include "runtime/base/error.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::options {

void OptionWalk::preset() const {
  for (const BoundOption& option : options_)
    if (!option.default_text.empty()) option.set(option.default_text);
}

bool OptionWalk::take_variable(std::string_view entry) const {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return false;
  for (const BoundOption& option : options_) {
    if (option.variable.empty() || option.variable != entry.substr(0, equals)) continue;
    const std::string_view value = entry.substr(equals + 1);
    if (!value.empty()) apply(option, value, std::string(entry));
    return true;
  }
  return false;
}

OptionWalk::Taken OptionWalk::take(Words& words) const {
  if (words.peek().size() < 2 || words.peek()[0] != '-') return Taken::operand;
  const std::string_view word = words.take();
  if (word == "--") return Taken::end;
  if (word == "--help" || word == "-h") return Taken::help;
  if (word.starts_with("--help="))
    throw Error(command_ + ": " + std::string(word) + ": --help takes no value");
  if (word.starts_with("--"))
    take_long(word, words);
  else
    take_short(word, words);
  return Taken::option;
}

/// Applies an option. `origin` is what the user wrote: "--pes 0", "SKEIN_PES=0".
void OptionWalk::apply(const BoundOption& option, std::string_view text, const std::string& origin) const {
  const auto refuse = [&](const std::exception& error) {
    const std::string knob =
        origin.starts_with("SKEIN_") ? "change or unset the variable" : command_ + " --help explains it";
    std::string usage(option.name);
    if (!option.is_switch()) usage.append(" ").append(option.value);
    throw Error(command_ + ": " + origin + ": " + error.what() + " (" + usage + "; " + knob + ")");
  };
  try {
    option.set(text);
  } catch (const Error& error) {
    refuse(error);
  } catch (const std::invalid_argument& error) {  // of parsers of strategies, load models, modes
    refuse(error);
  }
}

const BoundOption* OptionWalk::find_by_name(std::string_view name) const {
  for (const BoundOption& option : options_)
    if (option.name == name) return &option;
  return nullptr;
}

const BoundOption* OptionWalk::find_by_letter(char letter) const {
  for (const BoundOption& option : options_)
    if (option.letter == letter) return &option;
  return nullptr;
}

void OptionWalk::unknown_option(std::string_view word) const {
  std::vector<std::string_view> names{"--help"};
  for (const BoundOption& option : options_) names.push_back(option.name);
  throw Error(command_ + ": unknown option " + std::string(word) + lb::did_you_mean(word, names) + "; " +
              command_ + " --help lists all." + unknown_hint_);
}

std::string_view OptionWalk::value_of(const BoundOption& option, std::string_view flag, Words& words) const {
  if (words.empty())
    throw Error(command_ + ": " + std::string(flag) + " needs a value: " + std::string(flag) + " " +
                std::string(option.value));
  return words.take();
}

/// Takes --name, --name=value, --name value.
void OptionWalk::take_long(std::string_view word, Words& words) const {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const BoundOption* option = find_by_name(name);
  if (!option) unknown_option(name);
  if (equals != std::string_view::npos)
    apply(*option, word.substr(equals + 1), std::string(word));
  else if (option->is_switch())
    apply(*option, "yes", std::string(word));
  else {
    const std::string_view value = value_of(*option, name, words);
    apply(*option, value, std::string(name) + " " + std::string(value));
  }
}

/// Takes -x, -xy for two switches, -xVALUE, -x VALUE.
void OptionWalk::take_short(std::string_view word, Words& words) const {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const BoundOption* option = find_by_letter(word[i]);
    if (!option) unknown_option(word);
    if (option->is_switch()) {
      apply(*option, "yes", std::string(word));
      continue;
    }
    const std::string flag{'-', word[i]};
    const std::string_view attached = word.substr(i + 1);
    const std::string_view value = attached.empty() ? value_of(*option, flag, words) : attached;
    apply(*option, value, flag + " " + std::string(value));
    return;
  }
}

}  // namespace skein::options
