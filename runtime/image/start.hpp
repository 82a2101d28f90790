// SPDX-License-Identifier: Apache-2.0
// The begin and end of a rank's program: constructors, main, and what runs when it is over.
//
// An executable is entered at its entry point with the stack that the kernel would have made, since main is
// mostly no dynamic symbol; its start code then calls __libc_start_main, which is Skein's. A shared object
// must export main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/image/elf_file.hpp"
#include "runtime/libc/override.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::image {

/// Constructors and destructors of a file in memory: a value, so that the rank that runs them may move
/// meanwhile.
struct ImageFunctions {
  std::byte* bias = nullptr;  ///< the base of the file's addresses
  std::uint64_t init = 0, fini = 0;
  Table init_array, fini_array;
};
ImageFunctions functions_of(const ElfFile& file, std::byte* bias);
/// Runs the constructors on the rank's stack, with the rank's heap. May switch, and the rank may have moved
/// when it returns.
void construct(Rank& rank, ImageFunctions functions);
void destroy(ImageFunctions functions);

/// Runs the current program in the rank's slot, from its first constructor to Upcalls::exit_program(main's
/// result); the entry of a rank's main fiber. Does not return.
void run_program(Fiber& fiber);

/// Runs the images' DT_FINI_ARRAY and DT_FINI functions, in reverse order of construction. Called on the
/// rank's stack.
void run_destructors(Rank& rank);

/// Throws skein::Error if the program has neither an entry point nor main.
void check_startable(const class Program& program);

/// Returns the override of __libc_start_main().
std::span<const libc::Override> start_overrides();

}  // namespace skein::image
