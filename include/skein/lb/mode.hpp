// SPDX-License-Identifier: Apache-2.0
// Modes, `--lb-mode NAME[:key=value,...]`: which PEs decide at LB steps, and which objects wait for it.
//
// After O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato, "MPMD framework for offloading load
// balance computation": all PEs decide while all wait (inline, Algorithm 1); some computing PEs decide while
// all wait (decoupled, Algorithm 2); reserved PEs decide while the others go on, and the decision is applied
// late (lazy, Algorithm 3). Not in the paper: reserved PEs decide while all wait (decoupled:reserved), if no
// computing PE is to hold the snapshot.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skein::lb {

/// How many sync points after asking a lazy job waits for the answer; without a value it never waits.
using Wait = std::optional<std::uint64_t>;

struct Mode {
  enum class Kind : std::uint8_t { inline_all, decoupled, lazy };
  Kind kind = Kind::inline_all;
  int deciding_pes = 0;  // the last PEs of the job; 0: all (inline), or the thread
  bool reserved =
      false;            // these only decide: they have no objects. Always in lazy jobs, unless a thread does
  Wait wait = {};       // of lazy
  bool thread = false;  // of lazy: a thread beside PE 0 decides
  /// Silence of a reserved PE, or in lazy jobs of a strategy, is reported after this time,
  double patience_s = 60;
  bool ends_if_silent = false;  // and the job then ends; else it goes on unchanged

  bool is_lazy() const { return kind == Kind::lazy; }
  int reserved_pes() const { return reserved ? deciding_pes : 0; }
  friend bool operator==(const Mode&, const Mode&) = default;
};

/// Parses NAME[:key=value,...]. Throws StrategyError, whose text lists the valid modes and keys.
Mode parse_mode(std::string_view text);
/// Returns the mode as text, with pes and all non-default keys: "inline", "lazy:pes=1,wait=10".
std::string to_string(const Mode& mode);

}  // namespace skein::lb
