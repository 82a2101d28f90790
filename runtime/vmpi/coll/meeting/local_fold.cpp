// SPDX-License-Identifier: Apache-2.0
// Reductions by operations of the program, of members that assemble. These operations need not commute, and
// the members on a PE need not be neighbours in rank. So each PE that wants a result gets the elements of all
// members, and one of its members, whose function runs, combines them in the order of ranks. It does so in
// place, so that every prefix is there in the end, and scans are reductions like others:
//
//     element k of rank r becomes  element k of rank 0  op  ...  op  element k of rank r
#include <algorithm>

#include "runtime/vmpi/coll/meeting/local.hpp"
#include "runtime/vmpi/coll/meeting/operands.hpp"
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInFold =
    "in a reduction by an operation of the program%b, for the other ranks of its communicator";
constexpr const char* kInFoldAtRoot =
    "in MPI_Reduce to root %d by an operation of the program%b, for the other ranks of its communicator";
constexpr std::size_t kMostBytes = 8192;  // of all members' elements
static_assert(kMostBytes <= net::Exchange::longest_block);

/// The work of the member that combines for all on this PE.
class Fold {
 public:
  Fold(Assembly& assembly, Comm& comm, const Reduction& reduction, std::int64_t count)
      : assembly_(assembly),
        comm_(comm),
        places_(*assembly.places),
        reduction_(reduction),
        count_(count),
        piece_(reduction.bytes(count)),
        state_(current_state()),
        memory_(state_, piece_ * static_cast<std::size_t>(comm.size()) +
                            places_.members_of.size() * sizeof(std::byte*)),
        packed_of_(reinterpret_cast<std::byte**>(memory_.data())),
        packed_(memory_.data() + places_.members_of.size() * sizeof(std::byte*)) {
    std::byte* at = packed_;
    for (int leader = 0; leader < assembly.leader_group.size; at += bytes_of(leader++))
      packed_of_[leader] = at;
  }

  /// Runs the fold. `exchange`: null if there is none. Returns an MPI error class.
  int run(PeExchange* exchange, int tag, int root) {
    const Direction direction =
        root == kNoRoot ? Direction::among_all() : Direction::to(leader_of(assembly_, comm_, root));
    const int own = assembly_.leaders.rank;
    for (std::size_t i = 0; i < assembly_.members.size(); ++i)
      reduction_.elements(assembly_.operands[i].input, 0, count_).pack(0, packed(own) + i * piece_, piece_);
    int error = MPI_SUCCESS;
    if (exchange)
      exchange_packed(*exchange, direction);
    else if (!assembly_.alone())
      error = send_packed(tag);
    tell_error(assembly_, error);
    if (error != MPI_SUCCESS || (!assembly_.alone() && !direction.takes(own))) return error;
    combine();
    return error;
  }

 private:
  std::size_t bytes_of(int leader) const {
    return piece_ * places_.members_of[static_cast<std::size_t>(leader)].size();
  }
  /// Returns the packed data of the members of a leader's PE, in their order.
  std::byte* packed(int leader) const { return packed_of_[leader]; }

  void exchange_packed(PeExchange& exchange, Direction direction) {
    const int own = assembly_.leaders.rank;
    exchange_round(
        exchange, direction, piece_ * places_.most_members, bytes_of(own), assembly_.reason(),
        [&](std::byte* block) { memcpy(block, packed(own), bytes_of(own)); },
        [&](const auto& block_of) {
          for (int leader = 0; leader < assembly_.leader_group.size; ++leader) {
            if (leader == own) continue;
            const std::span<const std::byte> block = block_of(leader);
            if (block.size() != bytes_of(leader)) report_mismatch(comm_);
            memcpy(packed(leader), block.data(), block.size());
          }
        });
  }

  int send_packed(int tag) {
    const auto leaders = static_cast<std::size_t>(assembly_.leader_group.size);
    const Scratch memory(state_, 2 * leaders * sizeof(std::int64_t));
    auto* const counts = reinterpret_cast<std::int64_t*>(memory.data());
    for (std::size_t i = 0; i < leaders; ++i) {
      counts[i] = static_cast<std::int64_t>(bytes_of(static_cast<int>(i)));
      counts[leaders + i] = packed(static_cast<int>(i)) - packed_;
    }
    Blocks all;
    all.buffer = packed_;
    all.type = predefined_datatype(MPI_BYTE);
    all.counts = static_cast<const std::int64_t*>(counts);
    all.displacements = static_cast<const std::int64_t*>(counts + leaders);
    return run_allgather(leaders_of(assembly_, comm_), tag, {}, all, true, assembly_.reason());
  }

  void combine() {
    const Vector one(state_, reduction_, count_), other(state_, reduction_, count_);
    void *value = one.base(), *next = other.base();
    for (const MemberPlaces::Run& run : places_.runs) {
      std::byte*& at = packed_of_[run.leader];
      for (int rank = run.first; rank < run.first + run.length; ++rank, at += piece_) {
        reduction_.elements(next, 0, count_).unpack(0, at, piece_);
        if (rank > 0) reduction_.combine(state_, value, next, 0, count_);
        std::swap(value, next);
        hand_out_prefix(rank, value);
      }
    }
  }

  /// Gives the prefix of ranks 0 to `last` to the members on this PE that want it. Members are in ascending
  /// order, so later ones want no earlier prefix.
  void hand_out_prefix(int last, const void* value) {
    const std::vector<Operand>& operands = assembly_.operands;
    const std::int64_t begin = count_ * last;
    for (; handed_out_ < operands.size(); ++handed_out_) {
      const Operand& to = operands[handed_out_];
      if (to.count == 0) continue;
      if (to.first >= begin + count_) return;
      const Data wanted = reduction_.elements(value, to.first - begin, to.count);
      copy(wanted, reduction_.elements(to.result, 0, to.count), wanted.bytes);
    }
  }

  Assembly& assembly_;
  Comm& comm_;
  const MemberPlaces& places_;
  const Reduction& reduction_;
  const std::int64_t count_;
  const std::size_t piece_;
  RankState& state_;
  const Scratch memory_;
  std::byte** const packed_of_;  // by leader; combine() advances each
  std::byte* const packed_;      // by leader, then by rank
  std::size_t handed_out_ = 0;   // number of members
};

}  // namespace

bool folds(const Comm& comm, const Reduction& reduction, std::int64_t count) {
  const std::size_t bytes = reduction.bytes(count);
  return !settings.deterministic && !reduction.kernel && bytes > 0 &&
         bytes <= kMostBytes / static_cast<std::size_t>(comm.size());
}

int fold_at(Assembly& assembly, Comm& comm, int tag, const Reduction& reduction, const Operand& own,
            std::int64_t count, int root) {
  const std::size_t bytes = reduction.bytes(count), longest = bytes * places_of(assembly, comm).most_members;
  const AmongPes way = way_of(assembly, longest, RoundKind::blocks);
  int error = MPI_SUCCESS;
  if (root != kNoRoot) agree_on_root(assembly, comm, root);
  if (!assemble_operand(assembly, comm, reduction, own, bytes, root == kNoRoot ? kInFold : kInFoldAtRoot, way,
                        root, error))
    return error;
  PeExchange* const exchange = exchange_of(assembly, comm, tag, {root, bytes}, way);
  error = Fold(assembly, comm, reduction, count).run(exchange, tag, root);
  dismiss(assembly);
  return error;
}

}  // namespace skein::vmpi
