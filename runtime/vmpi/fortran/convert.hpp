// SPDX-License-Identifier: Apache-2.0
// What Fortran passes, as C wants it. Handles are 31-bit numbers in both languages
// (runtime/vmpi/handles.hpp), so converting one is a cast; arrays of them differ in width and are copied.
// gfortran's conventions: strings without terminator, blank padded, their lengths by value behind all other
// arguments.
//
// A converted array or string lives as long as the call: what a nonblocking call needs longer (the datatypes
// of MPI_Ialltoallw, say) its implementation must have taken over when it returns. Memory comes from the
// rank's heap or stack, since a rank may move while its call blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi::fortran {

/// A handle from its Fortran INTEGER, and back.
template <class Handle>
Handle handle_of(MPI_Fint number) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(static_cast<std::uint32_t>(number)));
}
template <class Handle>
MPI_Fint number_of(Handle handle) {
  return static_cast<MPI_Fint>(reinterpret_cast<std::uintptr_t>(handle));
}

/// Where an error code goes: Fortran's last argument, which mpi_f08 has as an optional one. Passed as its
/// address is.
class ErrorOut {
 public:
  void operator=(int code) const {
    if (place_) *place_ = code;
  }

 private:
  MPI_Fint* place_;
};

/// An array of handles, widened for C. A negative count is taken as 0: the C function is the one to complain.
template <class Handle>
class Handles {
 public:
  Handles(const MPI_Fint* numbers, std::int64_t count) : count_(std::max<std::int64_t>(count, 0)) {
    if (count_ > few) {
      many_ = std::make_unique<Handle[]>(static_cast<std::size_t>(count_));
      data_ = many_.get();
    }
    for (std::int64_t i = 0; i < count_; ++i) data_[i] = handle_of<Handle>(numbers[i]);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  Handle* data() { return data_; }
  void write_back(MPI_Fint* numbers) const {
    for (std::int64_t i = 0; i < count_; ++i) numbers[i] = number_of(data_[i]);
  }

 private:
  static constexpr int few = 32;
  std::int64_t count_;
  Handle few_[few];
  std::unique_ptr<Handle[]> many_;
  Handle* data_ = few_;
};

/// An array of default INTEGERs that the C function takes as MPI_Aint (the calls of MPI-1).
inline std::vector<MPI_Aint> widen(const MPI_Fint* numbers, int count) {
  return {numbers, numbers + std::max(count, 0)};
}

enum class Trim { trailing, both };

/// A string that Fortran passes. Trailing blanks go; keys and values of info objects lose leading ones too
/// (MPI 4.1, section 10.1).
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
  std::vector<char> bytes_;  // zeroes: terminated whatever the C function does
};

/// How many ranks a rank exchanges data with in a collective call on `comm`: the remote group's size on an
/// intercommunicator. 0, the error being raised, if `comm` is none.
int peers(MPI_Fint comm);

/// The number of elements in arrays of neighbourhood collectives: degrees of the topology, 0 if there is
/// none.
struct Degrees {
  int in = 0;
  int out = 0;
};
Degrees neighbours(MPI_Fint comm);

/// The index of a request, counted from 1.
inline MPI_Fint from_one(int index) { return index == MPI_UNDEFINED ? index : index + 1; }

}  // namespace skein::vmpi::fortran
