// SPDX-License-Identifier: Apache-2.0
// Open files move with their rank: stdio streams, and through them C++ and Fortran files, and raw
// descriptors. Program and libraries keep the numbers and FILE pointers they have, and buffered data travels
// in the slot.
//
// Inside a node the descriptors themselves are handed over, so offset, flags and deleted files stay
// unchanged. Between nodes each file is opened again by its absolute path, never truncated, at the same
// offset.
//
//   old PE:  numbers = files_leave(rank, route)         the rank does not run, its slot is still here
//            send_descriptors(socket, numbers)          only for FileRoute::hand_over
//            close_descriptors(numbers)                 after that the slot may go
//   new PE:  receive_descriptors(socket, received)      only for FileRoute::hand_over
//            files_arrive(rank, received)               before the rank runs
//
// A rank that is saved in a file (runtime/checkpoint/) leaves by FileRoute::save and goes on with
// files_stay(); where it is brought back, files_arrive() opens its files by their names and cuts off what was
// appended since.
//
// runtime/base/descriptor_passing.hpp passes descriptors. Call all functions from the PE's own stack. A rank
// without files costs one test.
//
// Standard output and error belong to the PE. Ranks share them: a rank that closes one only flushes it, and
// redirecting one fails with ENOTSUP and a warning. Standard input: standard_input.hpp.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace skein {
struct Rank;
}

namespace skein::libc {

enum class FileRoute {
  hand_over,  ///< to a PE of this node
  reopen,     ///< to another node
  save        ///< into a file
};

/// Removes the rank's streams from this process's list of streams, and writes into its slot what
/// files_arrive() needs. Returns the descriptors to pass on, in the order of the table. Precondition: the
/// rank is not pinned, and files_bound_to_node() is null unless the route is hand_over.
std::vector<int> files_leave(Rank& rank, FileRoute route);

/// Returns why the rank's files cannot be opened on another node (a deleted or unnamed file, a lock, the
/// job's standard input), or null.
const char* files_bound_to_node(const Rank& rank);

/// Restores the files under their numbers. `received` are the descriptors that came, in the order of
/// files_leave(), which this function takes over; none if files are opened by name. Ends the job, with a
/// message that names the file, if one cannot be opened, or is another one than on the node the rank comes
/// from. Makes standard output unbuffered here if the rank asked for that.
void files_arrive(Rank& rank, std::span<const int> received);

/// Lets a saved rank go on here with the descriptors that it has.
void files_stay(Rank& rank);

/// Returns how many descriptors files_arrive() expects from a hand-over; reads the slot.
std::size_t descriptors_under_way(const Rank& rank);

/// Returns true if the stream is one of the process's three.
inline bool is_standard_stream(const FILE* stream) {
  return stream == stdin || stream == stdout || stream == stderr;
}

/// Gives a stream that is to be closed a copy of its descriptor, if that is the process's: a standard one.
void spare_process_descriptor(const Rank& rank, FILE* stream);

/// Flushes the rank's streams and closes all its files, at its end. Reports a write error in one line,
/// because the program can no longer see it.
void close_files(Rank& rank);
/// Drops the files at _exit(): buffered data is lost, as the program asked.
void abandon_files(Rank& rank);

/// Returns true if the C library's private functions that files_leave() needs exist and work as expected.
/// Otherwise ranks with open streams are pinned. Tested once, in a few microseconds.
bool streams_can_move();

}  // namespace skein::libc
