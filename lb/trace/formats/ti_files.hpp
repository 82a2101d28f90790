// SPDX-License-Identifier: Apache-2.0
// TI traces as lines of their ranks, and what is imported of them.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/trace_formats.hpp"

namespace skein::trace {

/// A file as it was read, or text that a test has.
struct TiText {
  std::string name;
  std::string text;
};

struct TiLine {
  const TiText* file = nullptr;
  std::uint32_t number = 0;  // from 1
  std::string_view text;     // without its rank: from the action on
};

class TiLines {
 public:
  /// Throws TraceError, with file and line.
  explicit TiLines(std::deque<TiText> texts);
  TiLines(TiLines&&) = default;
  std::size_t ranks() const { return lines_.size(); }
  const std::vector<TiLine>& of(std::size_t rank) const { return lines_[rank]; }

 private:
  std::deque<TiText> texts_;  // lines_ refer to them
  std::vector<std::vector<TiLine>> lines_;
};

/// A list of files, a file, or a folder with either. Throws TraceError.
std::deque<TiText> read_ti_files(const std::string& path);

/// What import_ti() does with what it has read: for tests that need no files.
Trace import_ti_texts(std::deque<TiText> texts, const TiOptions& options, Remarks* remarks);

/// The words of a line, with what is wrong with one.
class TiWords {
 public:
  explicit TiWords(const TiLine& line);
  std::string_view action() const { return words_.empty() ? std::string_view() : words_[0]; }
  /// How many words are behind the action.
  std::size_t count() const { return words_.empty() ? 0 : words_.size() - 1; }
  bool has(std::size_t index) const { return index < count(); }
  void need(std::size_t least) const;
  /// Not negative, whole: what is behind the point is dropped, as SimGrid does. 1e6 is one.
  std::uint64_t amount(std::size_t index) const;
  double real(std::size_t index) const;  // finite, not negative
  std::int32_t integer(std::size_t index) const;
  /// Negative ones, which stand for any, are refused: a trace says what was received.
  std::uint32_t rank(std::size_t index, std::size_t ranks) const;
  std::string_view word(std::size_t index) const { return words_[index + 1]; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  double number(std::size_t index) const;
  const TiLine& line_;
  std::vector<std::string_view> words_;
};

}  // namespace skein::trace
