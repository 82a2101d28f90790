// SPDX-License-Identifier: Apache-2.0
// A tool is a command of `skein` that needs no job, like `skein lb`. It declares where its options are
// stored, a table of them, and its subcommands, or one without a name. Parsing, help, docs/cli.md, messages
// about wrong words and the exit status follow from that.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/options/option_walk.hpp"

namespace skein::options {

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// A subcommand. `Target` has a member `std::vector<std::string> operands`: the words that are no options.
template <class Target>
struct SubcommandOf {
  std::string_view name;  ///< empty: the only one, whose words follow the tool's name
  std::string_view usage, summary;
  std::span<const std::string_view> options;  ///< long names; empty: the whole table
  std::size_t least_operands, most_operands;
  /// Runs it and returns the exit status. Throws any std::runtime_error or std::invalid_argument about its
  /// input; the text needs no name of the command.
  int (*run)(const Target& target);
};

enum class Form { text, markdown };

/// A tool's entry in the list of commands.
struct ToolName {
  std::string_view name, usage, summary;
};

template <class Target>
struct ToolOf : ToolName {
  std::string_view notes;                     ///< the text at the start of its help
  std::span<const OptionOf<Target>> options;  ///< of all subcommands, in the order of the documentation
  std::span<const SubcommandOf<Target>> subcommands;
  std::string (*appendix)(Form form) = nullptr;  ///< returns the text at the end of its help

  bool has_subcommands() const { return !subcommands.front().name.empty(); }
};

/// A tool, whatever its Target.
struct Tool : ToolName {
  struct Subcommand {
    std::string_view name, usage, summary;
    std::vector<const OptionText*> options;
    std::string command;  ///< "skein lb compare"
    /// Reads the words behind the tool's name and does what they say. Returns the exit status; nothing: the
    /// words ask for help.
    std::function<std::optional<int>(std::span<const char* const> words)> run;
  };
  std::string_view notes;
  std::vector<const OptionText*> options;
  std::vector<Subcommand> subcommands;
  std::string (*appendix)(Form form) = nullptr;

  bool has_subcommands() const { return !subcommands.front().name.empty(); }
};

/// Reads options and operands in any order. Returns nothing if the words ask for help. Throws skein::Error.
std::optional<std::vector<std::string>> read_words(const std::string& command, std::string_view usage,
                                                   std::size_t least_operands, std::size_t most_operands,
                                                   std::vector<BoundOption> bound,
                                                   std::span<const char* const> words);

std::string subcommand_help(const Tool::Subcommand& subcommand);
std::string tool_help(const Tool& tool);
/// Returns the tool's chapter of docs/cli.md.
std::string tool_markdown(const Tool& tool);

/// Runs the tool with the words behind its name. Returns the exit status. Throws skein::Error.
int run_tool(const Tool& tool, std::span<const char* const> words);

/// Returns a text like "skein lb compare".
std::string command_name(std::string_view tool, std::string_view subcommand);

/// Runs `body`; an exception about its input becomes a skein::Error that begins with the command's name.
int run_named(const std::string& command, const std::function<int()>& body);

/// Returns the options of a subcommand. Throws std::logic_error if the table lacks one.
template <class Target>
std::vector<const OptionOf<Target>*> options_of(const ToolOf<Target>& tool,
                                                const SubcommandOf<Target>& subcommand) {
  std::vector<const OptionOf<Target>*> chosen;
  for (const OptionOf<Target>& option : tool.options) {
    bool is_named = subcommand.options.empty();
    for (const std::string_view name : subcommand.options) is_named = is_named || name == option.name;
    if (is_named) chosen.push_back(&option);
  }
  if (!subcommand.options.empty() && chosen.size() != subcommand.options.size())
    throw std::logic_error("an option of " + command_name(tool.name, subcommand.name) + " is in no table");
  return chosen;
}

/// Parses the words. Returns nothing if they ask for help.
template <class Target>
std::optional<Target> parse(const ToolOf<Target>& tool, const SubcommandOf<Target>& subcommand,
                            std::span<const char* const> words) {
  Target target;
  std::vector<BoundOption> bound;
  for (const OptionOf<Target>* option : options_of(tool, subcommand))
    bound.push_back(bind_option(*option, target));
  auto operands = read_words(command_name(tool.name, subcommand.name), subcommand.usage,
                             subcommand.least_operands, subcommand.most_operands, std::move(bound), words);
  if (!operands) return std::nullopt;
  target.operands = std::move(*operands);
  return target;
}

/// Erases the Target of a tool. `tool` and what it refers to must outlast the result.
template <class Target>
Tool as_tool(const ToolOf<Target>& tool) {
  Tool result{tool, tool.notes, {}, {}, tool.appendix};
  for (const OptionOf<Target>& option : tool.options) result.options.push_back(&option);
  for (const SubcommandOf<Target>& subcommand : tool.subcommands) {
    Tool::Subcommand& made = result.subcommands.emplace_back();
    made.name = subcommand.name;
    made.usage = subcommand.usage;
    made.summary = subcommand.summary;
    made.command = command_name(tool.name, subcommand.name);
    for (const OptionOf<Target>* option : options_of(tool, subcommand)) made.options.push_back(option);
    made.run = [&tool, &subcommand,
                command = made.command](std::span<const char* const> words) -> std::optional<int> {
      const std::optional<Target> target = parse(tool, subcommand, words);
      if (!target) return std::nullopt;
      return run_named(command, [&] { return subcommand.run(*target); });
    };
  }
  return result;
}

}  // namespace skein::options
