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

/// The number of a communicator's contexts. They are for point-to-point calls; collectives; calls with a tag
/// by some members only, which must not meet the collectives (MPI_Comm_create_group); MPI_Intercomm_create,
/// in the communicator between the leaders; and openings of partitioned sends and receives.
inline constexpr int kContextsPerComm = 5;
constexpr bool is_collective_context(std::int64_t context) { return context % kContextsPerComm == 1; }

/// The number of a communicator in a recording, and the PE whose file defines it.
struct RecordedId {
  std::uint32_t id = 0;
  std::int32_t pe = -1;
};

/// One rank's end of a communicator; comm/inter.hpp has more about intercommunicators. Lives in the rank's
/// slot.
///
/// Messages are told apart by context, which follows from the id. All members have the same id; communicators
/// with a member in common have different ids.
struct Comm {
  MPI_Comm handle = MPI_COMM_NULL;
  std::int64_t id = 0;
  int rank = 0;            ///< this rank's rank in `group`
  int references = 1;      ///< its handle, and operations under way
  Group* group = nullptr;  ///< the group of this rank; in an intercommunicator the local one
  /// The ranks that messages go to, read for each message: those of the group, or of the remote one.
  Members members;
  std::uint32_t collectives = 0;  ///< number begun: their messages' tag, so that several may be under way
  std::uint32_t persistent_collectives = 0;  ///< number of persistent collectives made
  /// The number of blocking collectives that this rank has left and whose members may assemble, and the
  /// number up to which they do (coll/meeting/unmet.hpp).
  std::uint64_t left_collectives = 0, most_assembled = ~std::uint64_t{0};
  /// The assembly of the members on this PE, and this rank's index there (coll/meeting/assembly.hpp); valid
  /// in this generation of the placement only.
  struct {
    std::uint64_t generation = 0;
    std::uint32_t index = 0;
    std::uint32_t member = 0;
  } assembly;
  /// The communicator's number in a recording, and that of the messages of its partitioned transfers.
  RecordedId recorded;
  RecordedId recorded_partitioned;
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  std::pmr::string name;
  Topology* topology = nullptr;
  AttributeSet* attributes = nullptr;
  Info* info = nullptr;
  MPI_Session session = MPI_SESSION_NULL;  ///< session that it comes from
  BufferPool* buffers = nullptr;           ///< MPI_Comm_attach_buffer; null if nothing is attached
  /// In the communicator between the leaders of PEs that a collective uses: the communicator that the program
  /// knows.
  const Comm* leaders_of = nullptr;
  Group* remote = nullptr;  ///< in an intercommunicator the remote group, else null
  /// In an intercommunicator a communicator of the local group alone, without a handle.
  Comm* local = nullptr;

  explicit Comm(std::pmr::memory_resource* memory) : name(memory) {}

  /// Returns the number of ranks that messages can go to and that array arguments have entries for: those of
  /// the group, or of the remote group.
  int size() const { return members.size; }
  std::int64_t p2p_context() const { return kContextsPerComm * id; }
  std::int64_t collective_context() const { return kContextsPerComm * id + 1; }
  std::int64_t creation_context() const { return kContextsPerComm * id + 2; }
  std::int64_t bridge_context() const { return kContextsPerComm * id + 3; }
  std::int64_t partitioned_context() const { return kContextsPerComm * id + 4; }
  int world_rank(int comm_rank) const { return members.world_rank(comm_rank); }
};

/// Returns the communicator of a handle, or null if it is invalid (the caller raises MPI_ERR_COMM).
inline Comm* find_comm(RankState& state, MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD) return state.world;
  if (handle == MPI_COMM_SELF) return state.self;
  return state.comms.find(handle);
}

/// Makes a communicator over `group` (whose reference it takes) with an agreed id. Does not communicate.
Comm* make_comm(RankState& state, Group* group, std::int64_t id);
/// Drops a reference; the last one frees it.
void free_comm(RankState& state, Comm* comm);
/// Frees the assembly of a communicator that is being freed, if no other communicator refers to it. Defined
/// in coll/meeting/assembly.cpp.
void forget_assembly(Comm& comm);
inline void release_comm(RankState& state, Comm* comm) {
  if (--comm->references == 0) free_comm(state, comm);
}

/// Returns the first of `count` consecutive ids that no other rank has.
std::int64_t take_ids(RankState& state, int count);

}  // namespace skein::vmpi
