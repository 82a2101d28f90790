// SPDX-License-Identifier: Apache-2.0
// Settings of the job that calls of its ranks read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::vmpi {

/// Settings that are equal on all PEs, and constant once the first rank is made.
struct Settings {
  /// Set by --check. Checks are in check/, and cost a load and a branch if this is false.
  bool checking = false;
  /// Set by --deterministic: ranks and sizes alone decide the order in which reductions combine, so that
  /// results are bitwise the same wherever ranks are.
  bool deterministic = false;
  /// Set by --eager-memory: bytes of unexpected messages that a rank keeps before senders are told to wait
  /// (p2p/flow_control.hpp).
  std::uint64_t eager_memory = ~std::uint64_t{0};
  /// Called with each handle that is given out (check/); null unless it is needed.
  void (*note_made_handle)(std::uintptr_t handle) = nullptr;
  /// The place of the block of Fortran's special arguments (fortran/sentinels.hpp): at offset `sentinels` in
  /// the slot's contents, or else the launcher's own.
  bool sentinels_in_slot = false;
  std::size_t sentinels = 0;
};
inline Settings settings;

}  // namespace skein::vmpi
