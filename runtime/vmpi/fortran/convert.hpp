// SPDX-License-Identifier: Apache-2.0
// Conversion of Fortran's arguments for C. Handles are 31-bit numbers in both languages
// (runtime/vmpi/handles.hpp), so converting one is a cast; arrays of them differ in width and are copied.
// gfortran's conventions: strings have no terminator and are padded with blanks; their lengths follow all
// other arguments by value.
//
// A converted array or string lives as long as the call: the implementation of a nonblocking call must have
// copied what it needs longer (the datatypes of MPI_Ialltoallw, for example) when it returns. Memory comes
// from the rank's heap or stack, since a rank may move while its call blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/foreign/fortran_arguments.hpp"
#include "runtime/vmpi/api.hpp"

namespace skein::vmpi::fortran {

/// Convert a Fortran INTEGER to a handle, and back.
template <class Handle>
Handle handle_of(MPI_Fint number) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(static_cast<std::uint32_t>(number)));
}
template <class Handle>
MPI_Fint number_of(Handle handle) {
  return static_cast<MPI_Fint>(reinterpret_cast<std::uintptr_t>(handle));
}

using skein::ErrorOut;
template <class Handle>
using Handles = HandleArray<Handle, handle_of<Handle>, number_of<Handle>>;

/// Returns the elements of an array of default INTEGERs, which the C function takes as MPI_Aint (the calls of
/// MPI-1).
inline std::vector<MPI_Aint> widen(const MPI_Fint* numbers, int count) {
  return {numbers, numbers + std::max(count, 0)};
}

enum class Trim { trailing, both };

/// Returns a string that Fortran passes, without trailing blanks; keys and values of info objects lose
/// leading blanks, too (MPI 4.1, section 10.1).
std::string in_string(const char* text, std::size_t length, Trim trim = Trim::trailing);

/// Copies `value` into a Fortran string, cut or padded with blanks to its length.
void out_string(std::string_view value, char* text, std::size_t length);

/// Room for a string that a C function hands out.
class StringRoom {
 public:
  explicit StringRoom(std::size_t bytes) : bytes_(bytes + 1) {}
  char* data() { return bytes_.data(); }
  void write_back(char* text, std::size_t length) const { out_string(bytes_.data(), text, length); }

 private:
  std::vector<char> bytes_;  // zeroes: terminated whatever the C function writes
};

/// Returns the number of ranks with which a rank exchanges data in a collective call on `comm`: the remote
/// group's size on an intercommunicator. Raises an error and returns 0 if `comm` is invalid.
int peers(MPI_Fint comm);

/// The numbers of elements in arrays of neighbourhood collectives: degrees of the topology, 0 if there is
/// none.
struct Degrees {
  int in = 0;
  int out = 0;
};
Degrees neighbours(MPI_Fint comm);

/// Returns the index of a request, counted from 1.
inline MPI_Fint from_one(int index) { return index == MPI_UNDEFINED ? index : index + 1; }

}  // namespace skein::vmpi::fortran
