// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/check/findings.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "runtime/base/error.hpp"
#include "runtime/base/text_of_ranks.hpp"

namespace skein::vmpi {
namespace {

bool belongs_to_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Writer {
 public:
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  void bytes(const void* data, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(data);
    out.insert(out.end(), first, first + count);
  }
  std::vector<std::byte> out;
};

/// Reads what a Writer wrote in a process of the same program.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : left_(in) {}
  bool empty() const { return left_.empty(); }
  std::uint64_t number() {
    std::uint64_t value;
    memcpy(&value, left_.data(), sizeof value);
    left_ = left_.subspan(sizeof value);
    return value;
  }
  std::string text(std::size_t size) {
    std::string result(reinterpret_cast<const char*>(left_.data()), size);
    left_ = left_.subspan(size);
    return result;
  }

 private:
  std::span<const std::byte> left_;
};

}  // namespace

std::string kind_of(std::string_view text) {
  std::string kind;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && belongs_to_word(text[end])) ++end;
    if (end == i)
      kind += text[i++];
    else if (std::all_of(&text[i], &text[i] + (end - i), is_digit))
      kind += '#', i = end;
    else
      kind.append(text.substr(i, end - i)), i = end;
  }
  return kind;
}

void Findings::merge(Weight weight, Finding finding) {
  const auto [place, is_new] = kinds_.try_emplace({weight, kind_of(finding.text)});
  Finding& known = place->second;
  if (is_new) {
    known = std::move(finding);
    return;
  }
  known.times += finding.times;
  known.alike &= finding.alike && finding.text == known.text;
  if (*finding.ranks.begin() < *known.ranks.begin()) known.text = std::move(finding.text);
  known.ranks.merge(finding.ranks);
}

bool Findings::add(Weight weight, int rank, const std::string& text) {
  const std::size_t before = kinds_.size();
  merge(weight, {text, 1, true, {rank}});
  return kinds_.size() > before;
}

bool Findings::any(Weight weight) const {
  return std::ranges::any_of(kinds_, [&](const auto& kind) { return kind.first.weight == weight; });
}

std::vector<std::byte> Findings::pack() const {
  Writer out;
  for (const auto& [kind, finding] : kinds_) {
    out.number(static_cast<std::uint64_t>(kind.weight));
    out.number(finding.times);
    out.number(finding.alike);
    out.number(finding.ranks.size());
    for (const int rank : finding.ranks) out.number(static_cast<std::uint64_t>(rank));
    out.number(finding.text.size());
    out.bytes(finding.text.data(), finding.text.size());
  }
  return std::move(out.out);
}

void Findings::add_packed(std::span<const std::byte> packed) {
  for (Reader in(packed); !in.empty();) {
    const auto weight = static_cast<Weight>(in.number());
    Finding finding;
    finding.times = in.number();
    finding.alike = in.number() != 0;
    for (std::uint64_t left = in.number(); left > 0; --left)
      finding.ranks.insert(static_cast<int>(in.number()));
    finding.text = in.text(in.number());
    merge(weight, std::move(finding));
  }
}

std::vector<std::string> Findings::lines() const {
  std::vector<std::string> lines;
  for (const auto& [kind, finding] : kinds_) {
    std::string line = text_of_ranks(finding.ranks);
    if (finding.times > finding.ranks.size())
      line += format(", %zu times", static_cast<std::size_t>(finding.times));
    if (!finding.alike) line += ", others with other numbers";
    if (kind.weight == Weight::leak) line.insert(0, "note: ");
    lines.push_back(line + ": " + finding.text);
  }
  return lines;
}

}  // namespace skein::vmpi
