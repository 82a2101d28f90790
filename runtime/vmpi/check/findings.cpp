// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/check/findings.hpp"

#include <algorithm>
#include <cctype>

#include "runtime/base/bytes.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"

namespace skein::vmpi {
namespace {

bool belongs_to_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

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
  BytePacker out;
  for (const auto& [kind, finding] : kinds_) {
    out(kind.weight);
    out(finding.times);
    out(finding.alike);
    out(std::vector<int>(finding.ranks.begin(), finding.ranks.end()));
    out(finding.text);
  }
  return std::move(out.bytes);
}

void Findings::add_packed(std::span<const std::byte> packed) {
  for (ByteUnpacker in(packed); !in.empty();) {
    Weight weight{};
    Finding finding;
    std::vector<int> ranks;
    in(weight);
    in(finding.times);
    in(finding.alike);
    in(ranks);
    in(finding.text);
    finding.ranks.insert(ranks.begin(), ranks.end());
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
