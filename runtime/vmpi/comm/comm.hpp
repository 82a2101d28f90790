// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>

#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/comm/group.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

struct Topology;
struct AttributeSet;
class Info;

/// The contexts of a communicator. Point-to-point calls, collectives, and what is called with a tag by some
/// members only and must not meet the collectives: MPI_Comm_create_group, and MPI_Intercomm_create, for which
/// this is the communicator between the leaders; and how partitioned sends and receives find each other.
inline constexpr int kContextsPerComm = 5;
constexpr bool is_collective_context(std::int64_t context) { return context % kContextsPerComm == 1; }

/// The number of a communicator in a recording, and the PE whose file says so.
struct RecordedId {
  std::uint32_t id = 0;
  std::int32_t pe = -1;
};

/// One rank's end of a communicator; of intercommunicators, comm/inter.hpp tells more. Lives in the rank's
/// slot.
///
/// Messages are told apart by context, which follows from the id. All members have the same id; communicators
/// with a member in common have different ones.
struct Comm {
  MPI_Comm handle = MPI_COMM_NULL;
  std::int64_t id = 0;
  int rank = 0;            ///< this rank's own, in `group`
  int references = 1;      ///< its handle, and operations under way
  Group* group = nullptr;  ///< whose rank this is: of an intercommunicator, the local one
  Members members;  ///< whom messages go to, which every message looks at: the group's, or the remote one's
  std::uint32_t collectives =
      0;  ///< how many were begun: their messages' tag, so that several may be under way
  std::uint32_t persistent_collectives = 0;  ///< how many were made
  /// How many this rank has left of those that are blocking and may assemble members, and for how many they
  /// do (coll/meeting/unmet.hpp).
  std::uint64_t left_collectives = 0, most_assembled = ~std::uint64_t{0};
  /// The assembly of its members on this PE, and this rank's index there (coll/meeting/assembly.hpp); holds
  /// in that generation of the placement only.
  struct {
    std::uint64_t generation = 0;
    std::uint32_t index = 0;
    std::uint32_t member = 0;
  } assembly;
  /// What it is in a recording, and what the messages of partitioned transfers on it are.
  RecordedId recorded;
  RecordedId recorded_partitioned;
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  std::pmr::string name;
  Topology* topology = nullptr;
  AttributeSet* attributes = nullptr;
  Info* info = nullptr;
  MPI_Session session = MPI_SESSION_NULL;  ///< that it comes from
  BufferPool* buffers = nullptr;           ///< MPI_Comm_attach_buffer; null where nothing is attached
  /// If this is the communicator of PEs' leaders that a collective uses: the one that the program knows.
  const Comm* leaders_of = nullptr;
  Group* remote = nullptr;  ///< of an intercommunicator: the remote group; null for all others
  Comm* local = nullptr;    ///< of an intercommunicator: one of the local group alone, which no handle names

  explicit Comm(std::pmr::memory_resource* memory) : name(memory) {}

  /// How many ranks messages can go to, and array arguments name: the group's, or the remote group's.
  int size() const { return members.size; }
  std::int64_t p2p_context() const { return kContextsPerComm * id; }
  std::int64_t collective_context() const { return kContextsPerComm * id + 1; }
  std::int64_t creation_context() const { return kContextsPerComm * id + 2; }
  std::int64_t bridge_context() const { return kContextsPerComm * id + 3; }
  std::int64_t partitioned_context() const { return kContextsPerComm * id + 4; }
  int world_rank(int comm_rank) const { return members.world_rank(comm_rank); }
};

/// The communicator of a handle, or null when it is none (the caller raises MPI_ERR_COMM).
inline Comm* find_comm(RankState& state, MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD) return state.world;
  if (handle == MPI_COMM_SELF) return state.self;
  return state.comms.find(handle);
}

/// A communicator over `group` (whose reference it takes) with an agreed id. Does not communicate.
Comm* make_comm(RankState& state, Group* group, std::int64_t id);
/// Drops a reference; the last one frees it.
void free_comm(RankState& state, Comm* comm);
/// When a communicator is freed: the last one that refers to an assembly takes it along. In
/// coll/meeting/assembly.cpp.
void forget_assembly(Comm& comm);
inline void release_comm(RankState& state, Comm* comm) {
  if (--comm->references == 0) free_comm(state, comm);
}

/// The first of `count` ids in a row that nobody else has.
std::int64_t take_ids(RankState& state, int count);

}  // namespace skein::vmpi
