// SPDX-License-Identifier: Apache-2.0
// The functions that read and write (MPI 4.1, 14.4), each with int and with MPI_Count: all are transfer().
#include "runtime/vmpi/io/transfer.hpp"

using namespace skein::vmpi;

namespace {
using Pointer = Shape::Pointer;
using Form = Shape::Form;
}  // namespace

// What follows a function's name in its C parameters and in TransferArguments.
#define SKEIN_DATA(Buffer, Count) Buffer buf, Count count, MPI_Datatype datatype

#define SKEIN_BLOCKING(name, verb, pointer, collective, Buffer, Count)                               \
  int MPI_File_##name(MPI_File fh, SKEIN_DATA(Buffer, Count), MPI_Status* status) {                  \
    return transfer("MPI_File_" #name, {"MPI_File_" #name, Way::verb, Pointer::pointer, collective}, \
                    {fh, 0, buf, count, datatype, status, nullptr});                                 \
  }
#define SKEIN_BLOCKING_AT(name, verb, collective, Buffer, Count)                                       \
  int MPI_File_##name(MPI_File fh, MPI_Offset offset, SKEIN_DATA(Buffer, Count), MPI_Status* status) { \
    return transfer("MPI_File_" #name, {"MPI_File_" #name, Way::verb, Pointer::given, collective},     \
                    {fh, offset, buf, count, datatype, status, nullptr});                              \
  }
#define SKEIN_NONBLOCKING(name, verb, pointer, collective, Buffer, Count)                             \
  int MPI_File_i##name(MPI_File fh, SKEIN_DATA(Buffer, Count), MPI_Request* request) {                \
    return transfer("MPI_File_i" #name,                                                               \
                    {"MPI_File_i" #name, Way::verb, Pointer::pointer, collective, Form::nonblocking}, \
                    {fh, 0, buf, count, datatype, MPI_STATUS_IGNORE, request});                       \
  }
#define SKEIN_NONBLOCKING_AT(name, verb, collective, Buffer, Count)                                       \
  int MPI_File_i##name(MPI_File fh, MPI_Offset offset, SKEIN_DATA(Buffer, Count), MPI_Request* request) { \
    return transfer("MPI_File_i" #name,                                                                   \
                    {"MPI_File_i" #name, Way::verb, Pointer::given, collective, Form::nonblocking},       \
                    {fh, offset, buf, count, datatype, MPI_STATUS_IGNORE, request});                      \
  }
#define SKEIN_BEGIN(name, suffix, verb, pointer, Buffer, Count)                          \
  int MPI_File_##name##_begin##suffix(MPI_File fh, SKEIN_DATA(Buffer, Count)) {          \
    return transfer("MPI_File_" #name "_begin" #suffix,                                  \
                    {"MPI_File_" #name, Way::verb, Pointer::pointer, true, Form::split}, \
                    {fh, 0, buf, count, datatype, MPI_STATUS_IGNORE, nullptr});          \
  }
#define SKEIN_BEGIN_AT(name, suffix, verb, Buffer, Count)                                          \
  int MPI_File_##name##_begin##suffix(MPI_File fh, MPI_Offset offset, SKEIN_DATA(Buffer, Count)) { \
    return transfer("MPI_File_" #name "_begin" #suffix,                                            \
                    {"MPI_File_" #name, Way::verb, Pointer::given, true, Form::split},             \
                    {fh, offset, buf, count, datatype, MPI_STATUS_IGNORE, nullptr});               \
  }

#define SKEIN_WIDTH(verb, suffix, Buffer, Count)                               \
  SKEIN_BLOCKING_AT(verb##_at##suffix, verb, false, Buffer, Count)             \
  SKEIN_BLOCKING_AT(verb##_at_all##suffix, verb, true, Buffer, Count)          \
  SKEIN_BLOCKING(verb##suffix, verb, individual, false, Buffer, Count)         \
  SKEIN_BLOCKING(verb##_all##suffix, verb, individual, true, Buffer, Count)    \
  SKEIN_BLOCKING(verb##_shared##suffix, verb, shared, false, Buffer, Count)    \
  SKEIN_BLOCKING(verb##_ordered##suffix, verb, shared, true, Buffer, Count)    \
  SKEIN_NONBLOCKING_AT(verb##_at##suffix, verb, false, Buffer, Count)          \
  SKEIN_NONBLOCKING_AT(verb##_at_all##suffix, verb, true, Buffer, Count)       \
  SKEIN_NONBLOCKING(verb##suffix, verb, individual, false, Buffer, Count)      \
  SKEIN_NONBLOCKING(verb##_all##suffix, verb, individual, true, Buffer, Count) \
  SKEIN_NONBLOCKING(verb##_shared##suffix, verb, shared, false, Buffer, Count) \
  SKEIN_BEGIN_AT(verb##_at_all, suffix, verb, Buffer, Count)                   \
  SKEIN_BEGIN(verb##_all, suffix, verb, individual, Buffer, Count)             \
  SKEIN_BEGIN(verb##_ordered, suffix, verb, shared, Buffer, Count)

#define SKEIN_END(name, Buffer)                                                \
  int MPI_File_##name##_end(MPI_File fh, Buffer, MPI_Status* status) {         \
    return end_split("MPI_File_" #name "_end", "MPI_File_" #name, fh, status); \
  }

extern "C" {

SKEIN_WIDTH(read, , void*, int)
SKEIN_WIDTH(read, _c, void*, MPI_Count)
SKEIN_WIDTH(write, , const void*, int)
SKEIN_WIDTH(write, _c, const void*, MPI_Count)

SKEIN_END(read_at_all, void*)
SKEIN_END(read_all, void*)
SKEIN_END(read_ordered, void*)
SKEIN_END(write_at_all, const void*)
SKEIN_END(write_all, const void*)
SKEIN_END(write_ordered, const void*)

}  // extern "C"
