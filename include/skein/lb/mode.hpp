// SPDX-License-Identifier: Apache-2.0
// Who decides at LB steps, and who waits for it: what `--lb-mode NAME[:key=value,...]` means.
//
// After O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato, "MPMD framework for offloading load
// balance computation": all decide while all wait (inline, Algorithm 1); some of the PEs that compute decide
// while all wait (decoupled, Algorithm 2); some that do not compute decide while the others go on, and what
// they decided is applied late (lazy, Algorithm 3). Not theirs: PEs that do not compute decide while all wait
// (decoupled:reserved), where the snapshot is to be on none of those that do.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skein::lb {

/// At which sync point behind the one at which it has asked a lazy job waits for the answer: 0, at that one.
/// None: it never waits.
using Wait = std::optional<std::uint64_t>;

struct Mode {
  enum class Kind : std::uint8_t { inline_all, decoupled, lazy };
  Kind kind = Kind::inline_all;
  int deciding_pes = 0;  // the last PEs of the job; 0: all (inline), or the thread
  bool reserved =
      false;            // these only decide: they have no objects. Always in lazy jobs, unless a thread does
  Wait wait = {};       // of lazy
  bool thread = false;  // of lazy: a thread beside PE 0 decides
  /// Where a reserved PE, or in lazy jobs a strategy, has not answered for so long, that is told,
  double patience_s = 60;
  bool ends_if_silent = false;  // and the job ends; else it goes on as it is

  bool is_lazy() const { return kind == Kind::lazy; }
  int reserved_pes() const { return reserved ? deciding_pes : 0; }
  friend bool operator==(const Mode&, const Mode&) = default;
};

/// Throws StrategyError, whose text lists what is valid.
Mode parse_mode(std::string_view text);
/// The mode as text: what differs from the defaults, and pes. "inline", "lazy:pes=1,wait=10"
std::string to_string(const Mode& mode);

}  // namespace skein::lb
