// SPDX-License-Identifier: Apache-2.0
// How choice buffers of mpi_f08 that are not in one piece are passed, by the way that a function uses them:
//
//   typed         messages, one-sided operations, files: by a datatype that reaches the elements in place.
//                 MPI keeps it until the operation is complete
//   partitioned   by a datatype of all partitions together
//   copied        collectives, whose buffers have a place for each member, and reductions, which need the
//                 elements of an operation side by side; the packed side of MPI_Pack: by a contiguous copy,
//                 changes of which are written back when the operation is complete
//   element       of MPI_Fetch_and_op: by the first one, in place
//   in_one_piece  memory as such (windows, attached buffers): refused
//
// A copy by the compiler (descriptor.hpp) is copied again if the data only goes out and a request tells when;
// otherwise it is refused, as the operation would not end in the program's own memory.
#pragma once

#include "runtime/vmpi/fortran/convert.hpp"
#include "runtime/vmpi/fortran/descriptor.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"

namespace skein::vmpi::fortran {

struct SectionCopies;

/// How long a function uses its buffers: until it returns, until its request is complete, in each start of
/// its request, or until another call ends the use.
enum class Use : std::uint8_t { call, request, persistent, beyond };
/// The direction in which the function uses the buffer: it reads it (in) or writes it (out).
enum class Side : std::uint8_t { in, out };

/// (buffer, count, datatype) for C.
struct TypedBuffer {
  void* buffer;
  MPI_Count count;
  MPI_Datatype type;
};

/// Makes the request of MPI_Psend_init or MPI_Precv_init for all partitions together.
int init_partitioned(const char* function, Side side, int partitions, const TypedBuffer& all, int peer,
                     int tag, MPI_Comm comm, MPI_Request* request);

/// The buffers of one call. Used from a rank, outside of other calls of MPI; the C function reports errors of
/// the arguments themselves.
class Sections {
 public:
  explicit Sections(Use use) : use_(use) {}
  /// Frees the datatypes, and the copies unless a request has them.
  ~Sections();
  Sections(const Sections&) = delete;
  Sections& operator=(const Sections&) = delete;

  TypedBuffer typed(const Descriptor& buffer, Side side, MPI_Count count, MPI_Fint datatype);
  TypedBuffer partitioned(const Descriptor& buffer, Side side, int partitions, MPI_Count count,
                          MPI_Fint datatype);
  void* element(const Descriptor& buffer, MPI_Fint datatype);
  void* copied(const Descriptor& buffer, Side side);
  void* in_one_piece(const Descriptor& buffer, Side side);

  /// Returns the reason that the call must not be made, or null.
  const char* why_not() const { return why_not_; }
  /// Writes the copies back after the call has succeeded; or lets `request`, which is replaced by another, do
  /// so when it is complete. May switch.
  void finish(MPI_Request* request = nullptr);

 private:
  bool is_refused(const Descriptor& buffer, Side side);

  Use use_;
  const char* why_not_ = nullptr;
  int types_made_ = 0;
  MPI_Datatype types_[2];
  SectionCopies* copies_ = nullptr;
};

}  // namespace skein::vmpi::fortran
