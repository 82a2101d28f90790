// SPDX-License-Identifier: Apache-2.0
// TI traces as lines of their ranks, and the import of them.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/trace_formats.hpp"

namespace skein::trace {

/// A file that was read, or a test's text.
struct TiText {
  std::string name;
  std::string text;
};

struct TiLine {
  const TiText* file = nullptr;
  std::uint32_t number = 0;  // from 1
  std::string_view text;     // from the action on, without the rank
};

class TiLines {
 public:
  /// Sorts the lines by rank. Throws TraceError, with file and line.
  explicit TiLines(std::deque<TiText> texts);
  TiLines(TiLines&&) = default;
  std::size_t ranks() const { return lines_.size(); }
  const std::vector<TiLine>& of(std::size_t rank) const { return lines_[rank]; }

 private:
  std::deque<TiText> texts_;  // lines_ refer to them
  std::vector<std::vector<TiLine>> lines_;
};

/// Reads a list of files, a file, or a folder with either. Throws TraceError.
std::deque<TiText> read_ti_files(const std::string& path);

/// Imports texts as import_ti() does with files; for tests without files.
Trace import_ti_texts(std::deque<TiText> texts, const TiOptions& options, Remarks* remarks);

/// The words of a line; errors name the line.
class TiWords {
 public:
  explicit TiWords(const TiLine& line);
  std::string_view action() const { return words_.empty() ? std::string_view() : words_[0]; }
  /// Returns how many words are behind the action.
  std::size_t count() const { return words_.empty() ? 0 : words_.size() - 1; }
  bool has(std::size_t index) const { return index < count(); }
  void need(std::size_t least) const;
  /// Returns a whole number, not negative: what follows the point is dropped, as in SimGrid. 1e6 is one.
  std::uint64_t amount(std::size_t index) const;
  double real(std::size_t index) const;  // finite, not negative
  std::int32_t integer(std::size_t index) const;
  /// Returns a rank. Refuses negative numbers, which mean any rank: a trace says from which one it received.
  std::uint32_t rank(std::size_t index, std::size_t ranks) const;
  std::string_view word(std::size_t index) const { return words_[index + 1]; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  double number(std::size_t index) const;
  const TiLine& line_;
  std::vector<std::string_view> words_;
};

}  // namespace skein::trace
