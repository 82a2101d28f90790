// SPDX-License-Identifier: Apache-2.0
// Synthetic snapshots of many kinds, found by name in one table: `skein lb generate KIND[:key=value,...]`.
//
// Pure and deterministic: same kind, size, options and seed, same snapshot, on every machine. What is drawn
// comes from lb/kernel/random.hpp alone.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// What every kind is asked for. Loads are seconds of the order of 1, unless a kind says otherwise.
struct GenerateSize {
  std::size_t objects = 0;       // at least 1; a kind that cannot make exactly so many says what it makes
  std::size_t pes = 0;           // at least 1
  std::size_t pes_per_node = 0;  // 0: one node holds all
  std::uint64_t seed = 1;
};

/// One kind. Keys are declared and parsed like those of a strategy.
struct GeneratorInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const Key> keys;
  /// Returns a snapshot that validate() accepts, with exactly size.pes PEs. Throws GenerateError when this
  /// kind has no snapshot of that size.
  Snapshot (*generate)(const GenerateSize& size, const Options& options);
};

/// Every kind, in the order of the documentation.
std::span<const GeneratorInfo> generators();

/// An unknown kind or key, a value out of range, or a size that the kind cannot have; the text lists what is
/// valid.
struct GenerateError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A kind with its options.
struct Generator {
  const GeneratorInfo* info;
  Options options;

  /// Checks the size, then makes the snapshot.
  Snapshot generate(const GenerateSize& size) const;
};

/// Parses KIND[:key=value,...]; throws GenerateError.
Generator parse_generator(std::string_view text);

}  // namespace skein::lb
