// SPDX-License-Identifier: Apache-2.0
// What the advisor in a program and libskein_mpmd.so, which are built and loaded apart, know of each other.
#pragma once
#include <mpi.h>

namespace skein::advisor {

/// The version of this struct and of the messages (wire.hpp). Both sides must have one.
inline constexpr int kVirtualWorldVersion = 2;

struct VirtualWorld {
  int version;
  MPI_Comm job;      // all processes: those of the application first
  int decider;       // the rank in `job` of the one that this process asks
  const char* mode;  // for parse_mode(): decoupled or lazy
  /// To be called again and again while a process waits, where those that decide are of the application: then
  /// an advisor of all of them can be decided for, and no other. Null where none is.
  void (*serve)();
};

/// The world that libskein_mpmd.so made; null where there is none. Throws std::runtime_error if it is of
/// another version of Skein than this advisor. After MPI_Init.
const VirtualWorld* virtual_world();

/// What the library exports, under this name. Null where it replaces nothing.
inline constexpr const char* kVirtualWorldSymbol = "skein_mpmd_virtual_world";
using VirtualWorldFunction = const VirtualWorld*();

}  // namespace skein::advisor
