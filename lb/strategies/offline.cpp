// SPDX-License-Identifier: Apache-2.0
// offline: an assignment that was computed elsewhere, read from a file at every LB step. Each line has an
// object's id (the rank; for an element the id in --lb-dump) and its PE, separated by blanks. # begins a
// comment. Objects that the file does not name, and pinned objects, stay where they are.
//
// The only strategy that looks at something other than the snapshot. O(lines + n log n). Wins if the load is
// known before the run; also for tests and for replaying other strategies' decisions.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <utility>

#include "lb/strategies/define.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::lb {
namespace {

class AssignmentFile {
 public:
  AssignmentFile(const Snapshot& snapshot, const std::string& path) : snapshot_(snapshot), path_(path) {
    for (ObjectIndex i = 0; i < snapshot.object_count(); ++i) by_id_.emplace_back(snapshot.objects.id[i], i);
    std::ranges::sort(by_id_);
  }

  Assignment read() {
    std::ifstream file(path_);
    if (!file) throw StrategyError("strategy 'offline': " + path_ + ": " + std::strerror(errno));
    Assignment pe_of = snapshot_.objects.pe;
    std::vector<bool> named(pe_of.size(), false);
    for (std::string line; std::getline(file, line);) {
      ++line_;
      std::string_view rest(line);
      rest = rest.substr(0, rest.find('#'));
      if (skip_blanks(rest); rest.empty()) continue;
      const std::uint64_t id = number(rest, "an object"), pe = number(rest, "a PE");
      if (skip_blanks(rest); !rest.empty()) fail(quoted(rest) + " is left over behind object and PE");
      const ObjectIndex i = find(id);
      if (named[i]) fail("object " + std::to_string(id) + " stands here for the second time");
      if (pe >= snapshot_.pe_count()) {
        fail("PE " + std::to_string(pe) + " does not exist; there are " +
             std::to_string(snapshot_.pe_count()));
      }
      named[i] = true;
      if (snapshot_.objects.migratable[i]) pe_of[i] = static_cast<PeIndex>(pe);
    }
    if (file.bad()) fail("cannot be read further");
    return pe_of;
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw StrategyError("strategy 'offline': " + path_ + ":" + std::to_string(line_) + ": " + text);
  }

  static void skip_blanks(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \t\r")));
  }

  std::uint64_t number(std::string_view& rest, const char* what) const {
    skip_blanks(rest);
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const bool whole =
        code == std::errc() && (end == rest.data() + rest.size() || std::strchr(" \t\r", *end));
    if (!whole) {
      fail(quoted(rest) + " does not begin with the number of " + what +
           "; a line is an object's id and its PE");
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
  }

  ObjectIndex find(std::uint64_t id) const {
    const auto found = std::ranges::lower_bound(by_id_, std::pair{id, ObjectIndex{0}});
    if (found == by_id_.end() || found->first != id) fail("there is no object " + std::to_string(id));
    return found->second;
  }

  const Snapshot& snapshot_;
  const std::string& path_;
  std::vector<std::pair<std::uint64_t, ObjectIndex>> by_id_;
  std::size_t line_ = 0;
};

}  // namespace

std::span<const Key> offline_keys() {
  static constexpr Key keys[] = {
      text_key("file", "", "the file to read: an object's id and its PE on each line"),
  };
  return keys;
}

Assignment assign_offline(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return AssignmentFile(snapshot, options.text("file")).read();
}

}  // namespace skein::lb
