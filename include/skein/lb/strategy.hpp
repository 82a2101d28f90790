// SPDX-License-Identifier: Apache-2.0
// Strategies: pure functions from a snapshot to an assignment, found by name in one table.
//
// Everything here may be called from any thread and neither keeps state (but libraries stay loaded) nor reads
// a clock, prints or sends. A strategy is deterministic: equal input gives the same assignment on every
// machine.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

struct LocalPe;
class PeProcess;
struct SnapshotPart;
class Team;

enum class KeyType : std::uint8_t { integer, real, choice, text, strategy };

/// One key of a strategy, declared once: parsing, help and documentation come from it.
struct Key {
  std::string_view name;
  KeyType type;
  std::string_view default_text;  // must itself be a valid value (a test checks it)
  double min = 0;                 // inclusive range of integer and real keys
  double max = 0;
  std::string_view choices;  // of a choice key: its values separated by '|'
  std::string_view help;
};

constexpr Key integer_key(std::string_view name, std::string_view default_text, double min, double max,
                          std::string_view help) {
  return {name, KeyType::integer, default_text, min, max, {}, help};
}
constexpr Key real_key(std::string_view name, std::string_view default_text, double min, double max,
                       std::string_view help) {
  return {name, KeyType::real, default_text, min, max, {}, help};
}
constexpr Key choice_key(std::string_view name, std::string_view default_text, std::string_view choices,
                         std::string_view help) {
  return {name, KeyType::choice, default_text, 0, 0, choices, help};
}

/// Values no and yes; a key's name alone means yes.
inline constexpr std::string_view kNoOrYes = "no|yes";
constexpr Key switch_key(std::string_view name, std::string_view help) {
  return {name, KeyType::choice, "no", 0, 0, kNoOrYes, help};
}

/// A strategy in the form of parse_strategy(), with at most one key, since a comma ends the value; a text in
/// Options.
constexpr Key strategy_key(std::string_view name, std::string_view default_text, std::string_view help) {
  return {name, KeyType::strategy, default_text, 0, 0, {}, help};
}

/// Any text without commas. A key with an empty default is required.
constexpr Key text_key(std::string_view name, std::string_view default_text, std::string_view help) {
  return {name, KeyType::text, default_text, 0, 0, {}, help};
}

/// The usual name of a real key: a strategy does nothing below this multiple of the perfect finish time. The
/// model of --lb auto, which itself decides when to balance, sets it to 1.
inline constexpr std::string_view kTriggerKey = "threshold";

/// The name of the switch that makes each sync point an LB step, whatever the period.
inline constexpr std::string_view kEveryStepKey = "every_step";

/// The values of a strategy's keys. Asking for an undeclared key, or for another type, is a defect of the
/// strategy and throws std::logic_error.
struct Options {
  std::span<const Key> keys;
  std::vector<std::variant<std::int64_t, double, std::string>> values;  // values[i] belongs to keys[i]

  std::int64_t integer(std::string_view key) const;
  double real(std::string_view key) const;
  const std::string& choice(std::string_view key) const;
  const std::string& text(std::string_view key) const;

  /// Returns true if a key of that name and type was declared.
  bool declares(std::string_view key, KeyType type) const;
  /// Sets a real key to a value, which must be in its range.
  void set(std::string_view key, double value);
};

/// The promises and needs of a strategy. Bits, to be or-ed.
enum Trait : std::uint32_t {
  plain = 0,
  /// The largest finish time never rises, unless a PE exceeds its memory limit in the snapshot.
  never_worse = 1,
  needs_graph = 2,      // throws MissingData if the snapshot has no communication graph
  needs_positions = 4,  // throws MissingData if its objects have no positions
  for_auto = 8,  // --lb auto may choose it; not set for baselines and strategies that ignore the snapshot
  /// Uses the graph if a key's value says so (`comm`, `known`, or a strategy that needs it). Without this
  /// trait and needs_graph, a strategy must decide alike with and without a graph.
  may_use_graph = 16,
  needs_interactions = 32,  // throws MissingData if the snapshot has neither hyperedges nor a graph
  afresh = 64,              // places all objects anew, and so moves nearly all of them
  for_tests = 128,          // a yardstick for tests: not meant to balance a job
  /// Needs that library's module; see why_unavailable().
  uses_scotch = 1u << 16,
  uses_metis = 1u << 17,
  uses_zoltan = 1u << 18,
  uses_ptscotch = 1u << 19,
  from_library = 1024,  // set by parse_strategy(): the strategy's result is checked
};

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const Key> keys;
  std::uint32_t traits;
  Assignment (*assign)(const Snapshot&, const Options&, std::uint64_t seed);
  /// Decides where objects may be split; null for strategies that never split any.
  Decision (*decide)(const Snapshot&, const Options&, std::uint64_t seed) = nullptr;
  /// Makes one PE's part of a distributed strategy (skein/lb/distributed.hpp); null for central ones.
  std::unique_ptr<PeProcess> (*begin)(LocalPe, const Options&, std::uint64_t seed) = nullptr;
  /// Decides for the objects of one process as part of a parallel strategy (skein/lb/parallel.hpp); null if
  /// one process decides alone. `parallel_library` is the library that it uses, if any (uses_...).
  Assignment (*assign_part)(const SnapshotPart&, const Options&, std::uint64_t seed, Team&) = nullptr;
  std::uint32_t parallel_library = plain;
  /// Decides for a strategy that goes on from its last step: assign() with Decision::cells, which the caller
  /// must give back in Pes::cells at the next step.
  Decision (*go_on)(const Snapshot&, const Options&, std::uint64_t seed) = nullptr;
};

/// Returns every strategy, in the order of the documentation.
std::span<const StrategyInfo> strategies();

/// Returns the strategy called `name`, or null. Loads nothing.
const StrategyInfo* find_strategy(std::string_view name);

/// Returns why this strategy cannot be used here and what would change that ("needs METIS, which this build
/// lacks; install libmetis-dev and build again"), or an empty text. May load the library's module.
std::string why_unavailable(const StrategyInfo& info);
/// Returns why the libraries that these traits name cannot be used, or an empty text if they can.
std::string why_unavailable(std::uint32_t traits);

/// Reports an unknown strategy or key, a value out of range (the text lists the valid ones), or an
/// unavailable strategy (the text is that of why_unavailable()).
struct StrategyError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Reports a name that is no strategy allowed in its place.
struct UnknownStrategy : StrategyError {
  using StrategyError::StrategyError;
};

/// Reports that the snapshot lacks what the strategy needs (StrategyInfo::traits), or a required key.
struct MissingData : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The inputs of strategies that were neither recorded nor given.
struct MissingInputs {
  bool graph = false, positions = false, hyperedges = false, levels = false;
};
MissingInputs lacking_in(const Snapshot& snapshot);

/// A strategy with its options, from `--lb NAME[:key=value,...]` or `--lb ./libmine.so:NAME[:...]`.
struct Selection {
  const StrategyInfo* info;
  Options options;
  /// by_level=1: applied on one PE to the objects of each level (Objects::level) as if there were no others.
  bool by_level = false;

  /// Checks the snapshot (throws SnapshotError, MissingData), then decides. A strategy of a user's library
  /// that throws or returns an assignment that does not fit the snapshot is reported as StrategyError. No PE
  /// then holds more than the greater of Pes::memory_bytes and what it holds now
  /// (lb/kernel/memory_limit.hpp).
  Assignment assign(const Snapshot& snapshot, std::uint64_t seed) const;
  /// Decides for callers that can split the objects that Objects::splittable names, and that give
  /// Decision::cells to the next step. Under a memory limit, parts that do not fit stay with their object.
  Decision decide(const Snapshot& snapshot, std::uint64_t seed) const;

  /// Throws MissingData if a required key was not given, or if this strategy, or one that a key names, needs
  /// a lacking input.
  void check_needs(const MissingInputs& lacking) const;

  /// Returns true if the communication graph can change the decision; if not, it need not be recorded. A
  /// strategy of a user's library is assumed to use every input.
  bool uses_graph() const;

  /// Returns true if each sync point is to be an LB step (kEveryStepKey), which rules out a period.
  bool acts_at_every_point() const;

  /// Returns the name of a required key that was not given (assign() then throws MissingData); else empty.
  std::string_view missing_key() const;
};

/// Returns the strategy with the defaults of its keys. Loads nothing, so it may be unavailable.
Selection with_defaults(const StrategyInfo& info);

/// Returns true if the text names a strategy of a shared library: LIBRARY:NAME[:key=value,...], where LIBRARY
/// has a slash or ends in .so.
bool names_library(std::string_view text);

/// Parses NAME[:key=value,...], or LIBRARY:NAME[:key=value,...], which loads the library
/// (skein/lb/plugin.hpp). Throws StrategyError.
Selection parse_strategy(std::string_view text);

/// Returns true if the strategy in `text`, in the form of parse_strategy(), decides or may decide by a
/// library that calls MPI: itself, by a strategy that a key's value names, or because `auto` may choose one.
bool may_call_mpi(std::string_view text);

/// Parses the text after a name, nothing or :key=value,..., into the values of `keys`; keys left out get
/// their defaults. `owner` names the owner of the keys in messages, as in "strategy 'refine'". Throws
/// StrategyError.
Options parse_keys(std::string_view owner, std::span<const Key> keys, std::string_view text);

}  // namespace skein::lb
