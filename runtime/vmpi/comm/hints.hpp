// SPDX-License-Identifier: Apache-2.0
// Hints (MPI 4.1, chapter 10): what a program says of an object in an info object. Of each kind of object
// there is a table of those that mean something; others are dropped, so that a program that asks back sees
// what is in force. Callable from a rank; nothing here switches.
#pragma once

#include <span>
#include <string_view>

#include "runtime/vmpi/comm/info.hpp"

namespace skein::vmpi {

struct Hint {
  enum class Values : std::uint8_t { truth, number, text, fixed };
  std::string_view key;
  Values values = Values::text;  ///< what may be given; fixed: nothing
  std::string_view otherwise{};  ///< what holds where nothing was given; empty: that is not told
};

/// What is the same for all kinds of objects (MPI 4.1, 11.4.3).
inline constexpr Hint kMemoryKinds{"mpi_memory_alloc_kinds", Hint::Values::fixed, "mpi,system"};
inline constexpr Hint kAssertMemoryKinds{"mpi_assert_memory_alloc_kinds"};

/// The hints of communicators (7.4.4).
inline constexpr Hint kCommHints[] = {
    {"mpi_assert_no_any_tag", Hint::Values::truth, "false"},
    {"mpi_assert_no_any_source", Hint::Values::truth, "false"},
    {"mpi_assert_exact_length", Hint::Values::truth, "false"},
    {"mpi_assert_allow_overtaking", Hint::Values::truth, "false"},
    {"mpi_assert_strict_persistent_collective_ordering", Hint::Values::truth, "false"},
    kMemoryKinds,
    kAssertMemoryKinds,
};

/// Whether a hint may have that value.
bool means_something(const Hint& hint, std::string_view value);

/// Adds to `own`, which is made where it is null, what `given` says and `known` knows; what it does not say
/// stays. `given` may be MPI_INFO_NULL.
void take_hints(RankState& state, Info*& own, MPI_Info given, std::span<const Hint> known);

/// A new info object with the hints in force. `own` may be null.
Info& hints_in_force(RankState& state, const Info* own, std::span<const Hint> known);

}  // namespace skein::vmpi
