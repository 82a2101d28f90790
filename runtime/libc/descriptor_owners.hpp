// SPDX-License-Identifier: Apache-2.0
// Whose the descriptors of a process are. Programs close numbers that they never opened (all above 2, before
// they start a child, say); natively those are closed or their own. Here others live in the same process: the
// MPI underneath, the runtime and the other ranks. Theirs are not there for a rank: EBADF.
//
//   in the window of a rank (file_table.hpp)   that rank's
//   below the windows                          whoever opened it, as noted here
//   not noted                                  nobody's that we know: the system says whether it is open
//
// Notes may be made on any thread; the rest is for the PE's.
#pragma once

#include <array>
#include <atomic>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// The numbers below the windows, at most.
inline constexpr int kNumbersForTheProcess = 1024;

struct DescriptorNumbers {
  int first = 0;  ///< of the windows, one behind the other by rank
  int width = 0;  ///< of each; 0: there are none yet
  int ranks = 0;
  /// Of numbers below. Relaxed: who closes a number that another thread has just been given has no right to
  /// either answer.
  std::array<std::atomic<int>, kNumbersForTheProcess> owners{};
};
extern DescriptorNumbers descriptor_numbers;

/// All that are open now are the process's. Once, before any rank runs; until then none is noted as such.
void note_open_descriptors();

/// By whoever is no rank: a child that a rank forked off has numbers of its own, and perhaps this memory.
void note_descriptor_of_process(int number);
void note_descriptor_of(const Rank& rank, int number);
void note_closed_descriptor(int number);

/// 0, 1, 2, and what is below the rank's `stdin`: the PE's, for its ranks to use.
bool is_standard_number(const Rank& rank, int number);

/// Whether `number` is open and known to be somebody else's. Standard ones are not.
bool is_foreign(const Rank& rank, int number);

/// Whether the number is another's; sets errno to EBADF if it is.
bool refuse_foreign(const Rank& rank, int number);

}  // namespace skein::libc
