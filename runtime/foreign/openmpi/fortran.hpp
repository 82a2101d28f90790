// SPDX-License-Identifier: Apache-2.0
// Arguments of an Open MPI Fortran program in the form that its C functions take. A status is six INTEGERs
// that are C's structure, constants have the values of C's; special arguments are the addresses of COMMON
// blocks, which the program defines and the loader binds. No C++ library: each rank has a copy of this one.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
extern "C" {
#include <mpi-ext.h>
}
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/foreign/fortran_arguments.hpp"

#define PROCEDURE(name, of) extern decltype(of) name __attribute__((weak, alias(#of)));
/// Defines pmpi_x_ under the names that programs use, and Open MPI's library for mpi_f08, which lies on top
/// of this one.
#define PROCEDURES(x)                \
  PROCEDURE(mpi_##x##_, pmpi_##x##_) \
  PROCEDURE(ompi_##x##_f, pmpi_##x##_)

extern "C" {
extern const MPI_Fint mpi_fortran_bottom_[1], mpi_fortran_in_place_[1], mpi_fortran_unweighted_[1],
    mpi_fortran_weights_empty_[1], mpi_fortran_status_ignore_[6], mpi_fortran_statuses_ignore_[6],
    mpi_fortran_errcodes_ignore_[1];
extern const char mpi_fortran_argv_null_[1], mpi_fortran_argvs_null_[1];
// In the stand-in for C (convert.h):
int members_of(std::uintptr_t comm);
int sources_of(std::uintptr_t comm);
int destinations_of(std::uintptr_t comm);
}

/// C's predefined handles, by their INTEGERs. All others are Skein's: above these, and below 2^31.
template <class Handle>
struct Predefined {
  static const Handle of[];
  static const int count;
};

template <class Handle>
Handle handle_of(MPI_Fint number) {
  if (number >= 0 && number < Predefined<Handle>::count) return Predefined<Handle>::of[number];
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(static_cast<std::uint32_t>(number)));
}
template <class Handle>
MPI_Fint number_of(Handle handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  for (int i = 0; value >> 31 != 0 && i < Predefined<Handle>::count; ++i)
    if (Predefined<Handle>::of[i] == handle) return i;
  return static_cast<MPI_Fint>(value);
}

using skein::ErrorOut;
template <class Handle>
using Handles = skein::HandleArray<Handle, handle_of<Handle>, number_of<Handle>>;

inline bool is_in_place(const void* argument) { return argument == mpi_fortran_in_place_; }
inline void* buffer_of(const void* argument) {
  if (argument == mpi_fortran_bottom_) return MPI_BOTTOM;
  return is_in_place(argument) ? MPI_IN_PLACE : const_cast<void*>(argument);
}
inline MPI_Status* status_of(MPI_Fint* argument) {
  const bool ignore = argument == mpi_fortran_status_ignore_ || argument == mpi_fortran_statuses_ignore_;
  return ignore ? MPI_STATUS_IGNORE : reinterpret_cast<MPI_Status*>(argument);
}
inline int* weights_of(MPI_Fint* argument) {
  if (argument == mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
  return argument == mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : argument;
}

enum class Trim { trailing, both };

/// A string for C, during a call.
class String {
 public:
  String(const char* text, std::size_t length, Trim trim) {
    while (length > 0 && text[length - 1] == ' ') --length;
    for (; trim == Trim::both && length > 0 && *text == ' '; --length) ++text;
    text_ = static_cast<char*>(std::malloc(length + 1));
    std::memcpy(text_, text, length);
    text_[length] = '\0';
  }
  String(const String&) = delete;
  String& operator=(const String&) = delete;
  ~String() { std::free(text_); }
  const char* c_str() const { return text_; }

 private:
  char* text_;
};
inline String in_string(const char* text, std::size_t length, Trim trim = Trim::trailing) {
  return String(text, length, trim);
}

class StringRoom {
 public:
  explicit StringRoom(std::size_t bytes) : text_(static_cast<char*>(std::calloc(bytes + 1, 1))) {}
  StringRoom(const StringRoom&) = delete;
  StringRoom& operator=(const StringRoom&) = delete;
  ~StringRoom() { std::free(text_); }
  char* data() { return text_; }
  void write_back(char* text, std::size_t length) const {
    const std::size_t whole = std::strlen(text_), kept = whole < length ? whole : length;
    std::memcpy(text, text_, kept);
    std::memset(text + kept, ' ', length - kept);
  }

 private:
  char* text_;
};

inline std::uintptr_t address_of(MPI_Fint comm) {
  return reinterpret_cast<std::uintptr_t>(handle_of<MPI_Comm>(comm));
}
inline int peers(MPI_Fint comm) { return members_of(address_of(comm)); }
struct Degrees {
  int in, out;
};
inline Degrees neighbours(MPI_Fint comm) {
  return {sources_of(address_of(comm)), destinations_of(address_of(comm))};
}
inline MPI_Fint from_one(int index) { return index == MPI_UNDEFINED ? index : index + 1; }
