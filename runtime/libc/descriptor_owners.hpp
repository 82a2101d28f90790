// SPDX-License-Identifier: Apache-2.0
// The owners of a process's descriptors. Programs close numbers that they never opened (all above 2, before
// they start a child, say); natively those are closed or their own. Here others live in the same process: the
// MPI underneath, the runtime and the other ranks. For a rank their descriptors do not exist: EBADF.
//
//   in the window of a rank (file_table.hpp)   that rank's
//   below the windows                          its opener's, as noted here
//   not noted                                  no known owner's: the system says whether it is open
//
// Any thread may make notes; the rest is for the PE's.
#pragma once

#include <array>
#include <atomic>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// The largest number of descriptors below the windows.
inline constexpr int kNumbersForTheProcess = 1024;

struct DescriptorNumbers {
  int first = 0;  ///< of the windows, which are in the order of ranks
  int width = 0;  ///< of each window; 0: there are none yet
  int ranks = 0;
  /// Owners of the numbers below. Relaxed: a thread that closes a number which another has just been given
  /// has no right to either answer.
  std::array<std::atomic<int>, kNumbersForTheProcess> owners{};
};
extern DescriptorNumbers descriptor_numbers;

/// Notes that all open descriptors are the process's. Once, before any rank runs; until then none is noted
/// so.
void note_open_descriptors();

/// Notes a descriptor of the process. Not called by a child that a rank forked off: its numbers are its own,
/// and it may share this memory.
void note_descriptor_of_process(int number);
void note_descriptor_of(const Rank& rank, int number);
void note_closed_descriptor(int number);

/// Returns true for 0, 1, 2, and the descriptor below the rank's `stdin`: the PE's, which its ranks may use.
bool is_standard_number(const Rank& rank, int number);

/// Returns true if `number` is open, has another known owner, and is no standard one.
bool is_foreign(const Rank& rank, int number);

/// Returns true, with errno EBADF, if the number is another owner's.
bool refuse_foreign(const Rank& rank, int number);

}  // namespace skein::libc
