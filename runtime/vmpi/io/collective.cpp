// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/collective.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "runtime/pe/location.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/io/access.hpp"
#include "runtime/vmpi/io/windows.hpp"
#include "runtime/vmpi/op/api_op.hpp"

namespace skein::vmpi {
namespace {

constexpr std::int64_t kDefaultWindow = std::int64_t{4} << 20;
/// Contiguous pieces of this size or more are large enough for themselves (bytes).
constexpr std::int64_t kLargePiece = 256 * 1024;
/// If less than one part in this number is accessed in a range, its windows would be mostly empty.
constexpr std::int64_t kSparse = 64;
constexpr std::int64_t kDomainUnit = 64 * 1024;

std::int64_t number_hint(const Info* info, const char* key, std::int64_t otherwise) {
  const std::pmr::string* const text = info ? info->find(key) : nullptr;
  std::int64_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{} ||
      value <= 0)
    return otherwise;
  return value;
}

CollectiveHints::Use use_hint(const Info* info, const char* key) {
  const std::pmr::string* const text = info ? info->find(key) : nullptr;
  if (text && *text == "enable") return CollectiveHints::Use::always;
  if (text && *text == "disable") return CollectiveHints::Use::never;
  return CollectiveHints::Use::automatic;
}

/// Returns the first member on each PE in the present placement.
void first_on_each_pe(const Comm& comm, std::pmr::vector<int>& out) {
  std::vector<bool> seen(pe::location->pe_of_rank.size());  // PEs are no more than ranks
  for (int member = 0; member < comm.size(); ++member) {
    const auto pe = static_cast<std::size_t>(pe::pe_of(comm.world_rank(member)));
    if (seen[pe]) continue;
    seen[pe] = true;
    out.push_back(member);
  }
}

/// The access of all members, as computed from the largest values over them.
struct Together {
  std::int64_t begin, end;  ///< of the file
  std::int64_t most_bytes;  ///< of a member
  bool pieces;              ///< some member's bytes are in several pieces
  bool ascending;           ///< offsets ascend with positions, as windows require
  bool in_one_generation;   ///< all members came in the same generation of the placement
  CollectiveHints hints;    ///< one set for all members, who should have given the same
};

Together look_at_all(File& file, int tag, const Access& access) {
  const bool any = access.data.bytes > 0;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  const std::int64_t begin = any ? access.view->offset_of(access.position) : 0;
  const std::int64_t end = any ? access.view->offset_of(access.end() - 1) + 1 : 0;
  const auto bytes = static_cast<std::int64_t>(access.data.bytes);
  const auto generation = static_cast<std::int64_t>(pe::location->placement_generation);
  const CollectiveHints own = collective_hints(file);
  const auto use = static_cast<std::int64_t>(access.way == Way::read ? own.for_reading : own.for_writing);
  std::int64_t values[] = {
      any ? -begin : none, any ? end : none,    bytes, end - begin != bytes,     generation, -generation,
      own.window_bytes,    own.most_collectors, use,   !access.view->ascending()};
  max_over_members(file.comm, tag, values, static_cast<int>(std::size(values)));
  const auto used = static_cast<CollectiveHints::Use>(values[8]);
  return {-values[0],
          values[1],
          values[2],
          values[3] != 0,
          values[9] == 0,
          values[4] == -values[5],
          {values[6], static_cast<int>(values[7]), used, used}};
}

bool by_collectors(const File& file, const Together& all) {
  if (file.atomic || !all.ascending || all.most_bytes == 0) return false;
  const CollectiveHints::Use use = all.hints.for_reading;
  if (use != CollectiveHints::Use::automatic) return use == CollectiveHints::Use::always;
  if (file.comm.size() == 1) return false;
  if (!all.pieces && all.most_bytes >= kLargePiece) return false;
  const std::int64_t most = std::max<std::int64_t>(all.most_bytes * file.comm.size(), kLargePiece);
  return (all.end - all.begin) / kSparse <= most;
}

}  // namespace

CollectiveHints collective_hints(const File& file) {
  CollectiveHints hints;
  hints.window_bytes = number_hint(file.info, "cb_buffer_size", kDefaultWindow);
  hints.most_collectors =
      static_cast<int>(std::min<std::int64_t>(number_hint(file.info, "cb_nodes", 0), INT32_MAX));
  hints.for_reading = use_hint(file.info, "romio_cb_read");
  hints.for_writing = use_hint(file.info, "romio_cb_write");
  return hints;
}

Outcome access_together(File& file, int tag, const Access& access) {
  std::pmr::vector<int> collectors(&file.state.memory);
  first_on_each_pe(file.comm, collectors);
  const Together all = look_at_all(file, tag, access);
  if (!by_collectors(file, all)) return access_alone(file, access);
  // Members that came in different generations know different placements, but must agree on the collectors.
  if (!all.in_one_generation) collectors.assign(1, 0);
  const CollectiveHints& hints = all.hints;
  if (hints.most_collectors > 0 && collectors.size() > static_cast<std::size_t>(hints.most_collectors))
    collectors.resize(static_cast<std::size_t>(hints.most_collectors));
  const Windows windows(all.begin, all.end, hints.window_bytes, kDomainUnit, collectors);
  return access_by_collectors(file, tag, access, windows);
}

void max_over_members(Comm& comm, int tag, std::int64_t* values, int count) {
  if (comm.size() == 1) return;
  const Scratch room(current_state(), 2 * sizeof(std::int64_t) * kMostValues);
  auto* const mine = reinterpret_cast<std::int64_t*>(room.data());
  std::int64_t* const all = mine + kMostValues;
  std::copy_n(values, count, mine);
  const Op& max = *predefined_op(MPI_MAX);
  const Datatype& number = *predefined_datatype(MPI_INT64_T);
  const Reduction reduction{&max, &number, MPI_INT64_T, kernel_of(max, number)};
  (void)run_allreduce(comm, tag, reduction, mine, all, count);
  std::copy_n(all, count, values);
}

void gather_from_members(Comm& comm, int tag, std::int64_t mine, std::int64_t* all) {
  const Datatype& number = *predefined_datatype(MPI_INT64_T);
  Blocks blocks;
  blocks.buffer = all;
  blocks.type = &number;
  blocks.count = 1;
  if (comm.size() == 1)
    *all = mine;
  else
    (void)run_allgather(comm, tag, make_data(&mine, 1, number), blocks, false);
}

void tell_members(Comm& comm, int tag, void* data, std::size_t bytes) {
  if (comm.size() > 1) (void)run_bcast(comm, tag, byte_data(data, bytes), 0);
}

}  // namespace skein::vmpi
