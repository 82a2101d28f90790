// SPDX-License-Identifier: Apache-2.0
// Traces in other formats; docs/simulation.md lists what each format holds and loses.
//
// - TI: the time-independent traces of SimGrid's SMPI, a text file for each rank and a list of them, which
//   `smpirun -replay LIST` plays. As of SimGrid 3.32 (src/smpi/internals/smpi_replay.cpp there). MPI programs
//   only.
// - OTF2: the Open Trace Format of Score-P, which Vampir and others show. By libotf2, in a module that is
// loaded on demand.
// - Perfetto's own format, which ui.perfetto.dev shows.
//
// Data that a format cannot hold is left out and reported: every export returns its remarks, one sentence
// each, with a count. A loss that would make the result wrong is a TraceError.
#pragma once
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

using Remarks = std::vector<std::string>;

struct TiOptions {
  /// Flop/s of the recording PE, which converts processor time to amounts of computing and back. With 1e9,
  /// amounts are nanoseconds, and a host of 1 Gf computes as fast as the recording PE.
  double flops = 1e9;
  /// Writes collectives of the world as point-to-point messages, by the algorithms of Skein's MPI on one rank
  /// a PE instead of SimGrid's. Nonblocking collectives, and those of other communicators, which TI does not
  /// know, are written so in any case (lb/trace/formats/collective_messages.hpp).
  bool messages = false;
  /// Writes sync points as `migrate BYTES`, which SMPI's replay of AMPI programs knows and smpirun -replay
  /// does not.
  bool migrate = false;
};

/// Writes FOLDER/rank-N.txt for each rank, and FOLDER/traces.txt, the list of them. Throws TraceError.
Remarks export_ti(const Trace& trace, const std::string& folder, const TiOptions& options = {});

/// Reads a TI trace. `path`: a list of files, a single file with the actions of all ranks, or a folder with
/// either. Old spellings (SimGrid 3.19 and before: capitals, no tags, waits that name nothing) are
/// understood, too. Throws TraceError with file and line.
Trace import_ti(const std::string& path, const TiOptions& options = {}, Remarks* remarks = nullptr);

/// Writes a file for ui.perfetto.dev. Throws TraceError.
Remarks export_perfetto(const Trace& trace, const std::string& path);

/// Writes an archive: FOLDER/traces.otf2 and its other files. The folder must not have one yet. Throws
/// TraceError.
Remarks export_otf2(const Trace& trace, const std::string& folder);

}  // namespace skein::trace
