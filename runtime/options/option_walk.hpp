// SPDX-License-Identifier: Apache-2.0
// Declarations of a command's options, and the walk over words and variables that reads them. It knows no
// single option: each command's table describes its own.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::options {

/// The description of an option, independent of where its value is stored.
struct OptionText {
  std::string_view group;     ///< heading in the help
  char letter;                ///< short flag, or 0
  std::string_view name;      ///< long flag, with its dashes
  std::string_view variable;  ///< environment variable, or empty
  std::string_view
      value;  ///< placeholder; alternatives separated by '|' are the allowed words; empty: a switch
  std::string_view default_text;  ///< passed to set() before anything else; empty: nothing is preset
  std::string_view help;          ///< whole sentences

  bool is_switch() const { return value.empty(); }
};

/// One option of a command whose options are stored in a Target.
template <class Target>
struct OptionOf : OptionText {
  /// Checks the text and stores it; throws skein::Error (see values.hpp) or std::invalid_argument about it.
  void (*set)(const OptionOf& self, Target& target, std::string_view text);
  /// Returns true if the option has no effect under the present values of all options; null: it always has
  /// one. The user who gives it is told.
  bool (*is_idle)(const Target& target) = nullptr;
};

/// An option with the place where its value is stored.
struct BoundOption : OptionText {
  std::function<void(std::string_view text)> set;
};

template <class Target>
BoundOption bind_option(const OptionOf<Target>& option, Target& target) {
  return {option, [&](std::string_view text) { option.set(option, target, text); }};
}

/// The words still to be read.
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

class OptionWalk {
 public:
  /// `command` begins messages: "skein run". `unknown_hint` follows the message about an unknown option.
  OptionWalk(std::string command, std::vector<BoundOption> options, std::string unknown_hint)
      : command_(std::move(command)), unknown_hint_(std::move(unknown_hint)), options_(std::move(options)) {}

  /// Stores the defaults.
  void preset() const;
  /// Takes an entry NAME=value of the environment. Returns false if no option has that variable.
  bool take_variable(std::string_view entry) const;

  enum class Taken { option, help, end, operand };
  /// Reads the next option, with its value; returns `end` for "--". Leaves an operand, which is any other
  /// word, where it is. Precondition: there is a word. Throws skein::Error naming the option, the value, what
  /// is valid and the nearest valid name.
  Taken take(Words& words) const;

 private:
  void apply(const BoundOption& option, std::string_view text, const std::string& origin) const;
  const BoundOption* find_by_name(std::string_view name) const;
  const BoundOption* find_by_letter(char letter) const;
  [[noreturn]] void unknown_option(std::string_view word) const;
  std::string_view value_of(const BoundOption& option, std::string_view flag, Words& words) const;
  void take_long(std::string_view word, Words& words) const;
  void take_short(std::string_view word, Words& words) const;

  std::string command_, unknown_hint_;
  std::vector<BoundOption> options_;
};

}  // namespace skein::options
