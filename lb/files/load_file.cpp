// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/load_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <istream>

#include "lb/files/text_file.hpp"
#include "lb/files/vt_reader.hpp"

namespace skein::lb {
namespace {

/// Text in memory as a stream, without a copy.
class TextView : public std::streambuf {
 public:
  explicit TextView(std::string_view text) {
    char* const start = const_cast<char*>(text.data());  // never written to
    setg(start, start, start + text.size());
  }
};

/// An error while the text is produced must reach the caller, not end the text.
void throw_through(std::istream& in) { in.exceptions(std::ios::badbit); }

/// The names that `name` stands for: itself, or with 0, 1, 2 and so on in place of %p.
std::vector<std::string> numbered(const std::string& name) {
  const std::size_t mark = name.find("%p");
  if (mark == std::string::npos) return {name};
  const auto with = [&](std::size_t number) {
    return name.substr(0, mark) + std::to_string(number) + name.substr(mark + 2);
  };
  std::vector<std::string> names{with(0)};  // the first must exist: opening it says so
  while (access(with(names.size()).c_str(), F_OK) == 0) names.push_back(with(names.size()));
  return names;
}

}  // namespace

LoadData read_load_data(std::span<const std::string> names) {
  VtReader reader;
  for (const std::string& pattern : names) {
    for (const std::string& name : numbered(pattern)) {
      TextInput input(name);
      std::istream in(&input);
      throw_through(in);
      reader.read(in, name);
    }
  }
  return reader.finish();
}

LoadData read_load_text(std::string_view text, const std::string& name) {
  VtReader reader;
  TextView view(text);
  std::istream in(&view);
  reader.read(in, name);
  return reader.finish();
}

const LoadPhase& LoadData::find(std::uint64_t id) const {
  const auto after = std::ranges::upper_bound(phases, id, {}, &LoadPhase::id);
  if (after != phases.begin()) {
    const LoadPhase& before = *std::prev(after);
    const auto covers = [&](const auto& range) { return range.first <= id && id <= range.second; };
    // A range of identical phases follows its original at once, or another such range.
    if (before.id == id || std::ranges::any_of(identical, covers)) return before;
  }
  std::string present;
  constexpr std::size_t kShown = 20;
  for (std::size_t k = 0; k < std::min(phases.size(), kShown); ++k)
    present.append(k ? ", " : "").append(std::to_string(phases[k].id));
  if (phases.size() > kShown) present += ", ... " + std::to_string(phases.back().id);
  throw FileError("there is no phase " + std::to_string(id) + "; there are " + present);
}

}  // namespace skein::lb
