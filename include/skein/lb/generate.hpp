// SPDX-License-Identifier: Apache-2.0
// Synthetic snapshots of many kinds, found by name in one table: `skein lb generate KIND[:key=value,...]`.
//
// Pure and deterministic: the same kind, size, options and seed give the same snapshot on every machine.
// Random numbers come from lb/kernel/random.hpp alone.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// The size that every kind accepts. Loads are seconds of the order of 1, unless a kind says otherwise.
struct GenerateSize {
  std::size_t objects = 0;  // at least 1; a kind may be unable to make exactly this many, and then says so
  std::size_t pes = 0;      // at least 1
  std::size_t pes_per_node = 0;  // 0: one node holds all
  std::uint64_t seed = 1;
};

/// One kind. Its keys are declared and parsed like those of a strategy.
struct GeneratorInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const Key> keys;
  /// Returns a snapshot that validate() accepts, with exactly size.pes PEs. Throws GenerateError when this
  /// kind has no snapshot of that size.
  Snapshot (*generate)(const GenerateSize& size, const Options& options);
};

/// Returns every kind, in the order of the documentation.
std::span<const GeneratorInfo> generators();

/// Reports an unknown kind or key, or a value or size out of range; the text lists the valid ones.
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
