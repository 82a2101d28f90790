// SPDX-License-Identifier: Apache-2.0
// The interface between an export to OTF2 and the module around libotf2: a shared library
// libskein_trace_otf2.so, which is loaded when an export needs it (docs/decisions/partitioner-modules.md). It
// uses plain numbers and texts only: the module knows no trace.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skein::trace {

using RegionIndex = std::uint32_t;
using CommIndex = std::uint32_t;

enum class Role : std::uint8_t {
  function,
  barrier,
  one_to_all,
  all_to_one,
  all_to_all,
  other_collective,
  message,
  file
};

struct Otf2Region {
  std::string name;
  Role role = Role::function;
  bool of_mpi = false;
};

struct Otf2Definitions {
  struct Place {
    std::string name;
    std::uint32_t pe = 0;
  };
  struct Comm {
    std::string name;
    std::vector<std::uint64_t> members, others;  // locations; others: of an intercommunicator
  };
  std::string machine;
  std::uint32_t pes = 1;
  std::vector<Place> places;  // locations, by object
  std::vector<Comm> comms;    // the first one has all objects
  std::vector<Otf2Region> regions;
  std::vector<std::string> counters;  // of bursts
  std::uint64_t end_ns = 0;
};

/// A collective in OTF2's terms; kinds are in the order of trace::Collective.
struct Otf2Collective {
  std::uint8_t kind = 0;
  CommIndex comm = 0;
  std::int64_t root = -1;  // in the communicator; -1: none
  std::uint64_t sent = 0;
};

/// An archive that is being written: the events of one location after the other, then the definitions that
/// they refer to. Times never go back within a location. Ranks are those in the communicator.
class Otf2Output {
 public:
  virtual ~Otf2Output() = default;
  virtual void begin(std::uint64_t location) = 0;
  virtual void enter(std::uint64_t ns, RegionIndex region) = 0;
  virtual void leave(std::uint64_t ns, RegionIndex region) = 0;
  struct SendRecord {
    std::uint32_t rank;
    CommIndex comm;
    std::uint32_t tag;
    std::uint64_t bytes;
  };
  virtual void send(std::uint64_t ns, const SendRecord& message) = 0;
  virtual void receive(std::uint64_t ns, const SendRecord& message) = 0;
  virtual void start_send(std::uint64_t ns, const SendRecord& message, std::uint64_t request) = 0;
  virtual void end_send(std::uint64_t ns, std::uint64_t request) = 0;
  virtual void start_receive(std::uint64_t ns, std::uint64_t request) = 0;
  virtual void end_receive(std::uint64_t ns, const SendRecord& message, std::uint64_t request) = 0;
  virtual void cancel(std::uint64_t ns, std::uint64_t request) = 0;
  virtual void begin_collective(std::uint64_t ns) = 0;
  virtual void end_collective(std::uint64_t ns, const Otf2Collective& call) = 0;
  virtual void start_collective(std::uint64_t ns, std::uint64_t request) = 0;
  virtual void complete_collective(std::uint64_t ns, const Otf2Collective& call, std::uint64_t request) = 0;
  virtual void memory(std::uint64_t ns, std::uint64_t bytes) = 0;
  virtual void counters(std::uint64_t ns, std::span<const std::int64_t> values) = 0;
  virtual void end() = 0;
  virtual void define(const Otf2Definitions& definitions) = 0;
  /// Returns the first error of any call, in the words of the library, or an empty text.
  virtual const std::string& error() const = 0;
};

/// Opens a new archive in this folder; deleting it closes it.
using Otf2Open = Otf2Output* (*)(const char* folder);

}  // namespace skein::trace

// The function that the module exports; its number changes with the interface.
#define SKEIN_TRACE_OTF2 skein_trace_otf2_1
extern "C" __attribute__((visibility("default"))) skein::trace::Otf2Output* SKEIN_TRACE_OTF2(
    const char* folder);
