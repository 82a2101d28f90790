// SPDX-License-Identifier: Apache-2.0
#include "lb/files/vt_reader.hpp"

#include <algorithm>

#include "lb/files/vt_shapes.hpp"

namespace skein::lb {
namespace {

/// Speeds, background loads and nodes of all PEs in all phases may be more than what the files list only by
/// this factor beyond a small number, so that a few bytes of text cannot ask for gigabytes.
constexpr std::size_t kFreePes = 1 << 20, kPesPerRecord = 256;

/// JSON's white space, and the first byte of the mark that some editors put before UTF-8.
bool may_come_first(int c) {
  return c == '{' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xef;
}

void check_start(std::istream& in, const std::string& name) {
  const int first = in.peek();
  if (first == std::istream::traits_type::eof()) throw FileError(name + ": the file is empty");
  if (may_come_first(first)) return;
  throw FileError(name +
                  ": this is no JSON object. vt compresses its files with brotli unless told "
                  "--vt_lb_data_compress=false: if this is one, brotli -d makes it readable");
}

}  // namespace

void VtReader::read(std::istream& in, const std::string& name) {
  names_.push_back(name);
  check_start(in, name);
  VtHandler handler(static_cast<std::uint32_t>(names_.size() - 1),
                    [&](std::uint64_t id) -> PhaseBuilder& { return phases_[id]; });
  read_json(in, name, vt::root_shape, handler);
  facts_.push_back(handler.facts());
}

/// Files of one rank each belong together only if none is missing.
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
    for (auto& [id, builder] : phases_) builder.note_node(*facts.rank, *facts.node);
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

}  // namespace skein::lb
