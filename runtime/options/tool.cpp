// SPDX-License-Identifier: Apache-2.0
#include "runtime/options/tool.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

#include "runtime/base/error.hpp"
#include "runtime/options/text.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::options {
namespace {

using View = std::string_view;

constexpr int kDidNotStart = 2;

/// Returns the subcommands that take the option, or "all".
std::string users_of(const OptionText& option, const Tool& tool) {
  std::string users;
  std::size_t count = 0;
  for (const Tool::Subcommand& subcommand : tool.subcommands) {
    if (std::ranges::find(subcommand.options, &option) == subcommand.options.end()) continue;
    users.append(users.empty() ? "" : ", ").append(subcommand.name);
    ++count;
  }
  return count == tool.subcommands.size() ? "all" : users;
}

const Tool::Subcommand& find_subcommand(const Tool& tool, View name) {
  if (const auto* const known = lb::find_named(tool.subcommands, name)) return *known;
  throw Error(command_name(tool.name, "") + ": unknown subcommand " + lb::quoted(name) +
              lb::valid_names(name, lb::names_of(tool.subcommands)));
}

}  // namespace

std::string command_name(View tool, View subcommand) {
  std::string name("skein ");
  name.append(tool);
  return subcommand.empty() ? name : name.append(" ").append(subcommand);
}

std::optional<std::vector<std::string>> read_words(const std::string& command, View usage,
                                                   std::size_t least_operands, std::size_t most_operands,
                                                   std::vector<BoundOption> bound,
                                                   std::span<const char* const> words) {
  std::vector<std::string> operands;
  const OptionWalk walk(command, std::move(bound), "");
  walk.preset();
  bool only_operands = false;
  for (Words left(words); !left.empty();) {
    const OptionWalk::Taken taken = only_operands ? OptionWalk::Taken::operand : walk.take(left);
    if (taken == OptionWalk::Taken::help) return std::nullopt;
    if (taken == OptionWalk::Taken::end) only_operands = true;
    if (taken == OptionWalk::Taken::operand) operands.emplace_back(left.take());
  }
  const std::string told = ("; usage: " + command).append(" ").append(usage);
  if (operands.size() < least_operands) throw Error(command + ": too few words" + told);
  if (operands.size() > most_operands)
    throw Error(command + ": one word too many, '" + operands[most_operands] + "'" + told);
  return operands;
}

int run_named(const std::string& command, const std::function<int()>& body) {
  try {
    return body();
  } catch (const std::runtime_error& error) {  // Error, and errors of files, traces, simulations
    throw Error(command + ": " + error.what());
  } catch (const std::invalid_argument& error) {  // of parsers of strategies, platforms, kinds to generate
    throw Error(command + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw Error(command + ": there is not enough memory for this");
  }
}

std::string subcommand_help(const Tool::Subcommand& subcommand) {
  std::string out("usage: ");
  out.append(subcommand.command).append(" ").append(subcommand.usage).append("\n\n");
  out += wrapped(subcommand.summary, 0);
  View group;
  for (const OptionText* option : subcommand.options) append_help(out, *option, group);
  append_help_option(out);
  return out;
}

std::string tool_help(const Tool& tool) {
  const std::string command = command_name(tool.name, "");
  std::string out = "usage: " + command;
  if (tool.has_subcommands()) {
    out += " SUBCOMMAND ...\n\n" + wrapped(tool.notes, 0) + "\n";
    for (const Tool::Subcommand& subcommand : tool.subcommands)
      out.append("  ")
          .append(subcommand.command)
          .append(" ")
          .append(subcommand.usage)
          .append("\n")
          .append(wrapped(subcommand.summary, kHelpIndent));
  } else {
    out.append(" ").append(tool.usage).append("\n\n").append(wrapped(tool.notes, 0));
    View group;
    for (const OptionText* option : tool.options) append_help(out, *option, group);
    append_help_option(out);
  }
  if (tool.appendix) out += tool.appendix(Form::text);
  return tool.has_subcommands() ? out + "\n" + command + " SUBCOMMAND --help lists the options of one.\n"
                                : out;
}

std::string tool_markdown(const Tool& tool) {
  std::string out("\n## ");
  out.append(command_name(tool.name, "")).append("\n\n").append(tool.notes).append("\n");
  if (tool.has_subcommands()) {
    out += "\n| subcommand | |\n|---|---|\n";
    for (const Tool::Subcommand& subcommand : tool.subcommands)
      out.append("| `")
          .append(subcommand.name)
          .append(" ")
          .append(cell(subcommand.usage))
          .append("` | ")
          .append(subcommand.summary)
          .append(" |\n");
  }
  View group;
  for (const OptionText* option : tool.options) {
    if (option->group != group) {
      group = option->group;
      out.append("\n### ").append(group).append(tool.has_subcommands()
                                                    ? "\n\n| option | of | default | |\n|---|---|---|---|\n"
                                                    : "\n\n| option | default | |\n|---|---|---|\n");
    }
    out.append("| `").append(cell(flags_of(*option))).append("` | ");
    if (tool.has_subcommands()) out.append(users_of(*option, tool)).append(" | ");
    out += default_and_help(*option);
  }
  return tool.appendix ? out + tool.appendix(Form::markdown) : out;
}

int run_tool(const Tool& tool, std::span<const char* const> words) {
  const View first = words.empty() ? "" : words[0];
  if (first == "--help" || first == "-h") {
    fputs(tool_help(tool).c_str(), stdout);
    return 0;
  }
  if (tool.has_subcommands() && words.empty()) {
    fputs(tool_help(tool).c_str(), stderr);
    return kDidNotStart;
  }
  const bool is_named = tool.has_subcommands();
  const Tool::Subcommand& subcommand = is_named ? find_subcommand(tool, first) : tool.subcommands.front();
  if (const std::optional<int> status = subcommand.run(words.subspan(is_named ? 1 : 0))) return *status;
  fputs((is_named ? subcommand_help(subcommand) : tool_help(tool)).c_str(), stdout);
  return 0;
}

}  // namespace skein::options
