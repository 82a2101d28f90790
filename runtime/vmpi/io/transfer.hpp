// SPDX-License-Identifier: Apache-2.0
// The functions that read and write, of which MPI has over a hundred, as one: what they differ in is a shape.
#pragma once

#include "runtime/vmpi/io/access.hpp"

namespace skein::vmpi {

struct Shape {
  enum class Pointer : std::uint8_t { given, individual, shared };
  enum class Form : std::uint8_t { blocking, nonblocking, split };
  const char* function;  ///< of split ones: without _begin
  Way way;
  Pointer pointer;
  bool collective = false;
  Form form = Form::blocking;
};

/// What a program passes, as far as the function has it.
struct TransferArguments {
  MPI_File file = MPI_FILE_NULL;
  MPI_Offset offset = 0;
  const void* buffer = nullptr;
  MPI_Count count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Status* status = MPI_STATUS_IGNORE;
  MPI_Request* request = nullptr;
};

/// From the rank. May switch.
int transfer(const char* function, const Shape& shape, const TransferArguments& arguments);
/// The end of a split collective.
int end_split(const char* function, const char* begun, MPI_File file, MPI_Status* status);

}  // namespace skein::vmpi
