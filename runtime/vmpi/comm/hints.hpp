// SPDX-License-Identifier: Apache-2.0
// Hints (MPI 4.1, chapter 10): properties of an object that a program gives in an info object. For each kind
// of object there is a table of the hints that have an effect; others are dropped, so that a program that
// asks back sees the hints in force. Callable from a rank; nothing here switches.
#pragma once

#include <span>
#include <string_view>

#include "runtime/vmpi/comm/info.hpp"

namespace skein::vmpi {

struct Hint {
  enum class Values : std::uint8_t { truth, number, text, fixed };
  std::string_view key;
  Values values = Values::text;  ///< the values that may be given; fixed: none
  std::string_view otherwise{};  ///< the value if none was given; empty: none is told
};

/// Hints that all kinds of objects have (MPI 4.1, 11.4.3).
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

/// Returns true if a hint may have that value.
bool means_something(const Hint& hint, std::string_view value);

/// Adds to `own`, which is made if it is null, the hints of `given` that `known` has; others in `own` stay.
/// `given` may be MPI_INFO_NULL.
void take_hints(RankState& state, Info*& own, MPI_Info given, std::span<const Hint> known);

/// Makes an info object with the hints in force. `own` may be null.
Info& hints_in_force(RankState& state, const Info* own, std::span<const Hint> known);

}  // namespace skein::vmpi
