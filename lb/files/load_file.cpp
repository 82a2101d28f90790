// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lb/files/brotli_input.hpp"
#include "lb/files/phase_builder.hpp"
#include "lb/files/text_file.hpp"
#include "lb/files/vt_handler.hpp"
#include "lb/files/vt_shapes.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::lb {
namespace {

// Reads vt's load data, one or several files, into the phases of LoadData.

class VtReader {
 public:
  /// Adds a file. Throws FileError.
  void read(std::istream& in, const std::string& name);
  /// Returns the load data. Called once, after the last file.
  LoadData finish();

 private:
  void check_ranks() const;
  std::size_t count_pes();

  std::vector<std::string> names_;
  std::vector<VtFileFacts> facts_;  // of each file
  std::map<std::uint64_t, PhaseBuilder> phases_;
};

/// The limit of the speeds, background loads and nodes of all PEs in all phases: a small number, or this
/// factor times the number that the files list. So a few bytes of text cannot ask for gigabytes.
constexpr std::size_t kFreePes = 1 << 20, kPesPerRecord = 256;

/// Returns true for JSON's white space, and for the first byte of the mark that some editors put before
/// UTF-8.
bool may_come_first(int c) {
  return c == '{' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xef;
}

void check_start(std::istream& in, const std::string& name) {
  const int first = in.peek();
  if (first == std::istream::traits_type::eof()) throw FileError(name + ": the file is empty");
  if (!may_come_first(first)) throw FileError(name + ": this is no JSON object");
}

/// Returns true if the file may be brotli's, which has no mark: it begins like no JSON, or its name says so.
bool may_be_brotli(std::istream& in, const std::string& name) {
  const int first = in.peek();
  return first != std::istream::traits_type::eof() && (name.ends_with(".br") || !may_come_first(first));
}

void VtReader::read(std::istream& in, const std::string& name) {
  names_.push_back(name);
  check_start(in, name);
  VtHandler handler(static_cast<std::uint32_t>(names_.size() - 1),
                    [&](std::uint64_t id) -> PhaseBuilder& { return phases_[id]; });
  read_json(in, name, vt::kRootShape, handler);
  facts_.push_back(handler.facts());
}

/// Checks that no file is missing: files of one rank each belong together only if all are there.
void VtReader::check_ranks() const {
  if (names_.size() < 2) return;
  std::vector<bool> seen(names_.size(), false);
  for (std::size_t f = 0; f < names_.size(); ++f) {
    if (!facts_[f].rank) return;
    const std::uint64_t rank = *facts_[f].rank;
    if (rank >= names_.size())
      throw FileError(names_[f] + ": /metadata/rank is " + std::to_string(rank) + ", but there are only " +
                      std::to_string(names_.size()) + " files; one is missing");
    if (seen[rank])
      throw FileError(names_[f] + ": /metadata/rank is " + std::to_string(rank) +
                      ", as in another of the files");
    seen[rank] = true;
  }
}

std::size_t VtReader::count_pes() {
  std::size_t pes = 0, records = 0;
  for (std::size_t f = 0; f < facts_.size(); ++f)
    if (facts_[f].rank) pes = std::max<std::size_t>(pes, *facts_[f].rank + 1);
  for (const auto& [id, builder] : phases_) {
    pes = std::max<std::size_t>(pes, builder.pe_count());
    records += builder.records();
  }
  if (pes == 0) throw FileError(names_.front() + ": there is no task, so there is no PE");
  if (pes * phases_.size() > kFreePes + kPesPerRecord * records)
    throw FileError(names_.front() + ": the highest PE is " + std::to_string(pes - 1) +
                    ", which cannot be: there are " + std::to_string(records) + " tasks in " +
                    std::to_string(phases_.size()) + " phases");
  return pes;
}

LoadData VtReader::finish() {
  if (phases_.empty()) throw FileError(names_.front() + ": /phases is empty");
  check_ranks();
  const std::size_t pes = count_pes();
  LoadData data;
  for (const VtFileFacts& facts : facts_) {
    data.ignored_communications += facts.ignored_communications;
    data.identical.insert(data.identical.end(), facts.identical.begin(), facts.identical.end());
    if (!facts.rank || !facts.node) continue;
    for (auto& [id, builder] : phases_) builder.record_node(*facts.rank, *facts.node);
  }
  const auto fail = [&](const FilePlace& place, const char* array, const std::string& what) {
    throw FileError(names_[place.file] + ": /phases/" + std::to_string(place.phase) + "/" + array + "/" +
                    std::to_string(place.index) + " " + what);
  };
  for (auto& [id, builder] : phases_) {
    data.phases.push_back({id, builder.finish(pes, fail)});
    data.phases.back().snapshot.step = id;
    data.lost_communications += builder.lost_communications();
    try {
      data.phases.back().snapshot.validate();
    } catch (const SnapshotError& error) {
      throw FileError(names_.front() + ": phase " + std::to_string(id) + ": " + error.what());
    }
  }
  return data;
}

/// A stream that reads text in memory without a copy.
class TextView : public std::streambuf {
 public:
  explicit TextView(std::string_view text) {
    char* const start = const_cast<char*>(text.data());  // never written to
    setg(start, start, start + text.size());
  }
};

/// Makes errors while the text is produced reach the caller; otherwise they would end the text.
void throw_through(std::istream& in) { in.exceptions(std::ios::badbit); }

/// Returns the files that `name` stands for: itself, or those with 0, 1, 2 and so on in place of %p.
std::vector<std::string> numbered(const std::string& name) {
  const std::size_t mark = name.find("%p");
  if (mark == std::string::npos) return {name};
  const auto with = [&](std::size_t number) {
    return name.substr(0, mark) + std::to_string(number) + name.substr(mark + 2);
  };
  std::vector<std::string> names{with(0)};  // the first must exist: opening it fails otherwise
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
      std::optional<BrotliInput> compressed;
      if (may_be_brotli(in, name)) {
        in.rdbuf(&compressed.emplace(name));
        throw_through(in);
      }
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
    // A range of identical phases directly follows its original or another such range.
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
