// SPDX-License-Identifier: Apache-2.0
// Standard input, which is rank 0's, as under any MPI launcher; for the others it ends at once. Descriptor 0
// of all PEs of a node is the same open file (runtime/pe/output.hpp), so unread input stays readable wherever
// rank 0 goes there. What is read ahead lies in the slot: each rank has a `stdin` of its own, which moves
// with it like the streams that it opens (files.hpp). The program's variable is in the private library
// (private/variables.c); the shared C++ library, which knows the process's stream, is redirected to the
// rank's.
//
// A rank that waits for input lets the others of its PE run, unless it reads wide characters.
#pragma once

#include <cstdio>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// Returns descriptor 0, or empty_input() (file_table.hpp). It is the process's, and a rank must not close
/// it.
int input_number(const Rank& rank);

/// Returns the rank's `stdin`, made at the first call, in its heap, which must be in force.
FILE* standard_input(Rank& rank);

/// Returns true if the stream is the rank's standard input, and not (by freopen()) a file in its place.
bool is_standard_input(const Rank& rank, const FILE* stream);

/// Returns true if this rank's descriptor 0 is the job's.
bool has_standard_input(const Rank& rank);

/// Returns why rank 0 cannot leave the node (standard input has not ended there), or null. Costs a system
/// call.
const char* input_bound_to_node(const Rank& rank);

}  // namespace skein::libc
