// SPDX-License-Identifier: Apache-2.0
// GDB and private images. GDB learns of libraries from lists that the dynamic linker keeps for each of its
// namespaces (struct r_debug, link.h); the images of ranks are listed as one namespace more. Breakpoints,
// backtraces and variables in a rank's code then work as they do for libraries.
//
// The list is kept whether or not a debugger is there, so that one that attaches later finds it; GDB is told
// of a change only if it is attached at that time. GDB reads the symbols of each image of each rank, so it
// stops being usable at some thousand of them: the caller chooses what to list. gdb.py, beside this file,
// adds what GDB's look-up by name lacks: the instance of a global that belongs to the rank at hand.
#pragma once

#include <cstddef>
#include <span>

namespace skein::image {

/// Lists the current program's images in these slots, and no others. Called from the PE's own stack when
/// ranks were created or have moved. Takes some 10 ns an image, and at most each 10 ms 10 us for looking
/// whether a debugger is attached. No effect on C libraries before 2.35, whose lists have no further
/// namespaces.
void publish_to_debugger(std::span<const std::size_t> slots);
/// Publishes the slots again, after a rank has loaded or unloaded a library.
void publish_to_debugger_again();

}  // namespace skein::image
