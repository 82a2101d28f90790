// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/ti_files.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace skein::trace {
namespace {

namespace fs = std::filesystem;

/// More than any file has: a damaged number must not cost the memory of so many ranks.
constexpr std::uint32_t kMostRanks = 1 << 24;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) { return std::string("'").append(text.substr(0, 40)).append("'"); }

/// Takes the next line. A line with only a comment becomes an empty one.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = trimmed(text.substr(0, end));
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line.starts_with('#') ? std::string_view() : line;
}

std::string_view take_word(std::string_view& line) {
  const auto end = std::ranges::find_if(line, is_blank);
  const std::string_view word(line.begin(), end);
  line = trimmed(line.substr(word.size()));
  return word;
}

/// Reads "3", or "p3" as earlier versions wrote it.
std::optional<std::uint32_t> rank_in(std::string_view word) {
  if (word.starts_with('p')) word.remove_prefix(1);
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), rank);
  if (word.empty() || error != std::errc() || end != word.data() + word.size() || rank >= kMostRanks)
    return {};
  return rank;
}

std::string_view first_line(std::string_view text) {
  std::string_view line;
  while (line.empty() && !text.empty()) line = take_line(text);
  return line;
}

bool has_actions(std::string_view text) {
  std::string_view line = first_line(text);
  return rank_in(take_word(line)) && !line.empty() && std::isalpha(static_cast<unsigned char>(line[0]));
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw TraceError("cannot read " + path.string());
  return std::move(text).str();
}

/// Returns the file of an entry in a list: at its own path, or beside the list, with which it may have moved.
std::optional<fs::path> find_entry(const fs::path& list, std::string_view entry) {
  const fs::path named(entry);
  for (const fs::path& path : {named, list.parent_path() / named, list.parent_path() / named.filename()}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path;
  }
  return {};
}

std::deque<TiText> read_list(const fs::path& list, std::string_view text) {
  std::deque<TiText> texts;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::string_view entry = take_line(text);
    if (entry.empty()) continue;
    const auto path = find_entry(list, entry);
    if (!path)
      throw TraceError(list.string() + ":" + std::to_string(number) + ": there is no file '" +
                       std::string(entry.substr(0, 200)) +
                       "', neither as it is named nor beside the list. Is this a list of TI traces?");
    texts.push_back({path->string(), read_text(*path)});
    if (!has_actions(texts.back().text))
      throw TraceError(path->string() + " is no TI trace: its lines do not begin with a rank and an action");
  }
  return texts;
}

std::deque<TiText> read_folder(const fs::path& folder) {
  std::vector<fs::path> lists, traces;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_text(entry.path());
    const std::string_view first = first_line(text);
    if (has_actions(text))
      traces.push_back(entry.path());
    else if (!first.empty() && find_entry(entry.path(), first))
      lists.push_back(entry.path());
  }
  if (lists.size() > 1) {
    std::string names;
    for (const fs::path& list : lists) names += (names.empty() ? "" : ", ") + list.filename().string();
    throw TraceError(folder.string() + " has several lists of traces; name one of " + names);
  }
  if (lists.size() == 1) return read_list(lists[0], read_text(lists[0]));
  if (traces.empty()) throw TraceError(folder.string() + " has no TI traces in it");
  std::ranges::sort(traces);
  std::deque<TiText> texts;
  for (const fs::path& path : traces) texts.push_back({path.string(), read_text(path)});
  return texts;
}

}  // namespace

std::deque<TiText> read_ti_files(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return read_folder(path);
  std::string text = read_text(path);
  if (!has_actions(text)) {
    std::deque<TiText> texts = read_list(path, text);
    if (texts.empty()) throw TraceError(path + " is empty");
    return texts;
  }
  std::deque<TiText> texts;
  texts.push_back({path, std::move(text)});
  return texts;
}

TiLines::TiLines(std::deque<TiText> texts) : texts_(std::move(texts)) {
  std::map<std::uint32_t, std::vector<TiLine>> by_rank;
  for (const TiText& file : texts_) {
    std::string_view text = file.text;
    for (std::uint32_t number = 1; !text.empty(); ++number) {
      std::string_view line = take_line(text);
      if (line.empty()) continue;
      const std::string_view word = take_word(line);
      const auto rank = rank_in(word);
      if (!rank)
        throw TraceError(file.name + ":" + std::to_string(number) + ": '" + std::string(word.substr(0, 40)) +
                         "' is no rank: a line is `rank action arguments`");
      std::vector<TiLine>& lines = by_rank[*rank];
      if (!lines.empty() && lines.back().file != &file)
        throw TraceError(file.name + ":" + std::to_string(number) + ": rank " + std::to_string(*rank) +
                         " has actions in " + lines.back().file->name +
                         ", too: are these files of different runs?");
      lines.push_back({&file, number, line});
    }
  }
  if (by_rank.empty()) throw TraceError((texts_.empty() ? "the list" : texts_[0].name) + " has no actions");
  for (auto& [rank, lines] : by_rank) {
    if (rank != lines_.size())
      throw TraceError(lines[0].file->name + ":" + std::to_string(lines[0].number) + ": an action of rank " +
                       std::to_string(rank) + ", but there is none of rank " + std::to_string(lines_.size()) +
                       ": is a file missing?");
    lines_.push_back(std::move(lines));
  }
}

TiWords::TiWords(const TiLine& line) : line_(line) {
  for (std::string_view left = line.text; !left.empty();) words_.push_back(take_word(left));
}

void TiWords::fail(const std::string& what) const {
  throw TraceError(line_.file->name + ":" + std::to_string(line_.number) + ": " + what);
}

void TiWords::need(std::size_t least) const {
  if (count() < least)
    fail(std::string(action().substr(0, 40)) + " has " + std::to_string(count()) + " arguments and needs " +
         std::to_string(least) + ": is the file truncated?");
}

double TiWords::number(std::size_t index) const {
  need(index + 1);
  const std::string_view text = word(index);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    fail(quoted(text) + " is no number");
  return value;
}

double TiWords::real(std::size_t index) const {
  const double value = number(index);
  if (value < 0) fail(quoted(word(index)) + " is negative");
  return value;
}

std::uint64_t TiWords::amount(std::size_t index) const {
  const double value = std::trunc(real(index));
  if (value > 0x1p53) fail(quoted(word(index)) + " is more than 2^53");
  return static_cast<std::uint64_t>(value);
}

std::int32_t TiWords::integer(std::size_t index) const {
  need(index + 1);
  const std::string_view text = word(index);
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(quoted(text) + " is no integer of 32 bits");
  return value;
}

std::uint32_t TiWords::rank(std::size_t index, std::size_t ranks) const {
  const std::int32_t value = integer(index);
  if (value < 0)
    fail("rank " + std::to_string(value) +
         ": a receive from any rank does not tell which message it got, and so cannot be imported");
  if (static_cast<std::size_t>(value) >= ranks)
    fail("rank " + std::to_string(value) + ", but there are actions of " + std::to_string(ranks) +
         " ranks only: is a file missing?");
  return static_cast<std::uint32_t>(value);
}

}  // namespace skein::trace
