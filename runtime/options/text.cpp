// SPDX-License-Identifier: Apache-2.0
#include "runtime/options/text.hpp"

#include <algorithm>

namespace skein::options {

constexpr std::size_t kLineWidth = 100;

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column != 0 && column + 1 + word.size() > kLineWidth) {
      out += '\n';
      column = 0;
    }
    out.append(column == 0 ? indent : 1, ' ').append(word);
    column += (column == 0 ? indent : 1) + word.size();
  }
  return out + "\n";
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(width, out.size()), ' ');
  return out;
}

std::string flags_of(const OptionText& option) {
  std::string text;
  if (option.letter) text.append("-").append(1, option.letter).append(", ");
  text.append(option.name);
  if (!option.is_switch()) text.append(" ").append(option.value);
  return text;
}

void append_help(std::string& out, const OptionText& option, std::string_view& group) {
  if (option.group != group) {
    group = option.group;
    out.append("\n").append(group).append("\n");
  }
  std::string line = "  " + flags_of(option);
  if (!option.variable.empty()) line = padded(line, 42).append("  ").append(option.variable);
  if (!option.default_text.empty() && !option.is_switch())
    line.append("  (").append(option.default_text).append(")");
  out.append(line).append("\n").append(wrapped(option.help, kHelpIndent));
}

void append_help_option(std::string& out) {
  out.append("  -h, --help\n").append(wrapped("Prints this.", kHelpIndent));
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string default_and_help(const OptionText& option) {
  std::string out;
  if (!option.default_text.empty()) out.append("`").append(option.default_text).append("` ");
  return out.append("| ").append(cell(option.help)).append(" |\n");
}

}  // namespace skein::options
