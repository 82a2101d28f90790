// SPDX-License-Identifier: Apache-2.0
// The interface between the advisor in a program and libskein_mpmd.so, which are built and loaded apart.
#pragma once
#include <mpi.h>

namespace skein::advisor {

/// The version of this struct and of the messages (wire.hpp). Both sides must have the same.
inline constexpr int kVirtualWorldVersion = 2;

struct VirtualWorld {
  int version;
  MPI_Comm job;      // all processes: those of the application first
  int decider;       // rank in `job` of this process's decider
  const char* mode;  // for parse_mode(): decoupled or lazy
  /// Serves deciders of the application: a process calls it again and again while it waits. It decides for an
  /// advisor of all of them, and for no other. Null if the application has no deciders.
  void (*serve)();
};

/// Returns the world that libskein_mpmd.so made; null if there is none. Throws std::runtime_error if it is of
/// another version of Skein than this advisor. Called after MPI_Init.
const VirtualWorld* virtual_world();

/// The name of the function that the library exports. It returns null if nothing is replaced.
inline constexpr const char* kVirtualWorldSymbol = "skein_mpmd_virtual_world";
using VirtualWorldFunction = const VirtualWorld*();

}  // namespace skein::advisor
