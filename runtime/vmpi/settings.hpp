// SPDX-License-Identifier: Apache-2.0
// How a job runs, where calls of its ranks ask for it on their way.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::vmpi {

/// Every PE has the same, and nothing changes it once the first rank is made.
struct Settings {
  /// --check was given. Everything behind it is in check/ and costs a load and a branch where it is not.
  bool checking = false;
  /// --deterministic: reductions combine in an order that follows from ranks and sizes alone, so that results
  /// are bitwise the same however ranks are placed.
  bool deterministic = false;
  /// --eager-memory: so many bytes of messages that came unexpectedly a rank keeps before those who send are
  /// told to wait (p2p/flow_control.hpp).
  std::uint64_t eager_memory = ~std::uint64_t{0};
  /// Hears of each handle that is given out (check/); null unless anybody wants to.
  void (*note_made_handle)(std::uintptr_t handle) = nullptr;
  /// Where the block of Fortran's special arguments is (fortran/sentinels.hpp): at `sentinels` in the slot's
  /// contents, or the launcher's own is used.
  bool sentinels_in_slot = false;
  std::size_t sentinels = 0;
};
inline Settings settings;

}  // namespace skein::vmpi
