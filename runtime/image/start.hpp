// SPDX-License-Identifier: Apache-2.0
// How a rank's program begins and ends: constructors, main, and what runs when it is over.
//
// An executable is entered at its entry point with the stack that the kernel would have made, since main is
// no dynamic symbol as a rule; its start code then calls __libc_start_main, which is Skein's. A shared object
// must export main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/image/elf_file.hpp"
#include "runtime/libc/override.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::image {

/// Constructors and destructors of a file in memory: a value, so that who runs them may move meanwhile.
struct ImageFunctions {
  std::byte* bias = nullptr;  ///< what addresses of the file count from
  std::uint64_t init = 0, fini = 0;
  Table init_array, fini_array;
};
ImageFunctions functions_of(const ElfFile& file, std::byte* bias);
/// On the rank's stack, with the rank's heap. May switch, and the rank may have moved when it returns.
void construct(Rank& rank, ImageFunctions functions);
void destroy(ImageFunctions functions);

/// The entry of a rank's main fiber: runs the current program in the rank's slot, from its first constructor
/// to Upcalls::exit_program(main's result). Does not return.
void run_program(Fiber& fiber);

/// Runs the images' DT_FINI_ARRAY and DT_FINI functions, in reverse order of construction. To be called on
/// the rank's stack.
void run_destructors(Rank& rank);

/// Throws skein::Error if the program has neither an entry point nor main.
void check_startable(const class Program& program);

/// __libc_start_main.
std::span<const libc::Override> start_overrides();

}  // namespace skein::image
