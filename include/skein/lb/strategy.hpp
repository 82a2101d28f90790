// SPDX-License-Identifier: Apache-2.0
// Strategies: pure functions from a snapshot to an assignment, found by name in one table.
//
// Everything here may be called from any thread; nothing keeps state (but libraries stay loaded), reads a
// clock, prints or sends. A strategy is deterministic: same snapshot, options and seed, same assignment, on
// every machine.
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

/// no or yes; the name alone means yes.
inline constexpr std::string_view kNoOrYes = "no|yes";
constexpr Key switch_key(std::string_view name, std::string_view help) {
  return {name, KeyType::choice, "no", 0, 0, kNoOrYes, help};
}

/// A strategy as parse_strategy() takes it, with at most one key, since a comma ends the value; a text in
/// Options.
constexpr Key strategy_key(std::string_view name, std::string_view default_text, std::string_view help) {
  return {name, KeyType::strategy, default_text, 0, 0, {}, help};
}

/// Any text without commas. One whose default is empty has to be given.
constexpr Key text_key(std::string_view name, std::string_view default_text, std::string_view help) {
  return {name, KeyType::text, default_text, 0, 0, {}, help};
}

/// How strategies call the key, a real one, below whose multiple of the perfect finish time they do nothing.
/// The model of --lb auto, which decides itself when to balance, has them act from 1 on.
inline constexpr std::string_view kTriggerKey = "threshold";

/// How strategies call the switch that has each sync point be an LB step, whatever period is asked for.
inline constexpr std::string_view kEveryStepKey = "every_step";

/// The values of a strategy's keys. Asking for a key that was not declared, or as another type, is a defect
/// of the strategy and throws std::logic_error.
struct Options {
  std::span<const Key> keys;
  std::vector<std::variant<std::int64_t, double, std::string>> values;  // values[i] belongs to keys[i]

  std::int64_t integer(std::string_view key) const;
  double real(std::string_view key) const;
  const std::string& choice(std::string_view key) const;
  const std::string& text(std::string_view key) const;

  /// Whether a key of that name and type was declared.
  bool declares(std::string_view key, KeyType type) const;
  /// Gives a real key another value, which must be in its range.
  void set(std::string_view key, double value);
};

/// What the table promises of a strategy, and what it cannot work without. Bits, to be or-ed.
enum Trait : std::uint32_t {
  plain = 0,
  never_worse = 1,  // the largest finish time is never above that of the snapshot, unless a PE is above its
                    /// memory limit there
  needs_graph = 2,  // throws MissingData when the snapshot has no communication graph
  needs_positions = 4,  // throws MissingData when its objects have no positions
  for_auto = 8,  // --lb auto may choose it. Without it: baselines, and what does not decide by the snapshot
  may_use_graph =
      16,  // looks at the graph where a key's value says so: `comm`, `known`, or a strategy that needs it;
           /// without this trait and needs_graph, it must decide alike with a graph and without
  needs_interactions = 32,  // throws MissingData when the snapshot has neither hyperedges nor a graph
  afresh = 64,              // places all objects anew, and so moves nearly all of them
  for_tests = 128,          // and as a yardstick: nobody would want it to balance a job
  /// Needs that library's module; see why_unavailable().
  uses_scotch = 1u << 16,
  uses_metis = 1u << 17,
  uses_zoltan = 1u << 18,
  uses_ptscotch = 1u << 19,
  from_library = 1024,  // set by parse_strategy(): what it returns is checked
};

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const Key> keys;
  std::uint32_t traits;
  Assignment (*assign)(const Snapshot&, const Options&, std::uint64_t seed);
  /// Decides where objects may be split; null for strategies that never split any.
  Decision (*decide)(const Snapshot&, const Options&, std::uint64_t seed) = nullptr;
  /// One PE's part of a distributed strategy (skein/lb/distributed.hpp); null for central ones.
  std::unique_ptr<PeProcess> (*begin)(LocalPe, const Options&, std::uint64_t seed) = nullptr;
  /// One process's part of deciding in parallel, for its own objects (skein/lb/parallel.hpp), and the library
  /// that does it, if one does (uses_...); null where one process decides alone.
  Assignment (*assign_part)(const SnapshotPart&, const Options&, std::uint64_t seed, Team&) = nullptr;
  std::uint32_t parallel_library = plain;
  /// For a strategy that goes on from where it was at the step before: assign() with Decision::cells, which
  /// it is to find in Pes::cells next time.
  Decision (*go_on)(const Snapshot&, const Options&, std::uint64_t seed) = nullptr;
};

/// Every strategy, in the order of the documentation.
std::span<const StrategyInfo> strategies();

/// That of the name, or null. Loads nothing.
const StrategyInfo* find_strategy(std::string_view name);

/// Why this strategy cannot be used here and what would bring it ("needs METIS, which this build lacks;
/// install libmetis-dev and build again"), or an empty text. Loads the library's module if it has one.
std::string why_unavailable(const StrategyInfo& info);
/// Why the libraries that these traits name cannot be used; empty: they can.
std::string why_unavailable(std::uint32_t traits);

/// An unknown strategy or key, a value out of range (the text lists what is valid), or a strategy that is
/// unavailable (the text is that of why_unavailable()).
struct StrategyError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The name is none of those that may be given there.
struct UnknownStrategy : StrategyError {
  using StrategyError::StrategyError;
};

/// The snapshot lacks what the strategy needs (StrategyInfo::traits), or a key that has to be given was not.
struct MissingData : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// What of the things that strategies may need was not recorded or given.
struct MissingInputs {
  bool graph = false, positions = false, hyperedges = false, levels = false;
};
MissingInputs lacking_in(const Snapshot& snapshot);

/// A strategy with its options: what `--lb NAME[:key=value,...]` and `--lb ./libmine.so:NAME[:...]` name.
struct Selection {
  const StrategyInfo* info;
  Options options;
  /// by_level=1: applied to the objects of each level (Objects::level) as if there were no others, on one PE.
  bool by_level = false;

  /// Checks the snapshot (throws SnapshotError, MissingData), then decides. A library's strategy that throws
  /// or returns no assignment of this snapshot is reported as StrategyError. No PE then holds more than the
  /// greater of Pes::memory_bytes and what it holds now (lb/kernel/memory_limit.hpp).
  Assignment assign(const Snapshot& snapshot, std::uint64_t seed) const;
  /// For callers that can split the objects which Objects::splittable names, and that bring
  /// Decision::cells to the next step. Under a memory limit, parts that do not fit stay with their object.
  Decision decide(const Snapshot& snapshot, std::uint64_t seed) const;

  /// Throws MissingData if a key has to be given and was not, or the strategy, or one that a key names, needs
  /// what is not there.
  void check_needs(const MissingInputs& lacking) const;

  /// Whether the communication graph can change what it decides: if not, nobody need record one for it. A
  /// strategy of a user's library is taken to look at all it is given.
  bool uses_graph() const;

  /// Whether each sync point is to be an LB step (kEveryStepKey): a period besides makes no sense.
  bool acts_at_every_point() const;

  /// The name of a key that has to be given and was not (assign() then throws MissingData); empty if none.
  std::string_view missing_key() const;
};

/// The strategy with the defaults of its keys. Loads nothing, so that it may be unavailable.
Selection with_defaults(const StrategyInfo& info);

/// Whether the text names a strategy of a shared library: LIBRARY:NAME[:key=value,...], where LIBRARY has a
/// slash in it or ends in .so.
bool names_library(std::string_view text);

/// Parses NAME[:key=value,...], or LIBRARY:NAME[:key=value,...], which loads the library
/// (skein/lb/plugin.hpp). Throws StrategyError.
Selection parse_strategy(std::string_view text);

/// Whether what parse_strategy() would take decides by a library that calls MPI, or may: itself, by a
/// strategy that a key's value names, or since `auto` may choose one.
bool may_call_mpi(std::string_view text);

/// Parses what follows a name, nothing or :key=value,..., into the values of `keys`; those left out have
/// their defaults. `owner` names whose keys they are in messages, as in "strategy 'refine'". Throws
/// StrategyError.
Options parse_keys(std::string_view owner, std::span<const Key> keys, std::string_view text);

}  // namespace skein::lb
