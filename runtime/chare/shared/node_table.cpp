// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/shared/node_table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "runtime/balance/roles.hpp"
#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/chare/shared/shared_state.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/node_memory.hpp"
#include "skein/job.hpp"
#include "skein/node_table.hpp"

namespace skein::chare {
namespace {

/// Announces a piece of a table, which follows, or a table to be built.
struct PieceHeader {
  std::uint32_t tables_set, number, order, builder;
  std::uint64_t count, offset;
};
/// The place of a table, for the other PEs of a node.
struct TablePlace {
  std::uint64_t place, count;
};

constexpr std::size_t kLongestPiece = std::size_t{16} << 20;
constexpr std::uint64_t kPageBytes = 4096, kLeastAllocated = 64 * 1024;  // larger ones take whole pages

// ---- the PEs that hold tables for others

int holders() { return node_memory.shared ? node_count() : pe_count(); }
int holder(int number) { return node_memory.shared ? first_pe_of_node(number) : number; }
int own_number() { return node_memory.shared ? this_node() : this_pe(); }

void send_on(const PieceHeader& header, Bytes piece) {
  for (int child = 2 * own_number() + 1; child <= 2 * own_number() + 2 && child < holders(); ++child) {
    if (piece.size() < pup::kLeastBlock) {
      post(holder(child), Kind::node_table, bytes_of(header), piece);
    } else {
      pup::Blocks blocks;
      blocks.lend(piece.data(), piece.size());  // the table stays where it is
      post(holder(child), Kind::node_table, bytes_of(header), {}, std::move(blocks));
    }
  }
}

}  // namespace

/// Accesses the tables' members.
class NodeTables {
 public:
  static std::uint32_t add(NodeTableBase& table) {
    want_node_memory();
    shared_globals.tables.push_back(&table);
    return static_cast<std::uint32_t>(shared_globals.tables.size() - 1);
  }
  static std::size_t bytes_of_table(const NodeTableBase& table) { return table.count_ * table.value_bytes_; }
  static std::size_t allocated(const NodeTableBase& table) {
    return std::max<std::size_t>(bytes_of_table(table), kLeastAllocated);
  }

  /// Allocates the table's memory, all zero.
  static std::byte* allocate(NodeTableBase& table, std::uint64_t count) {
    std::uint64_t bytes;
    if (__builtin_mul_overflow(count, table.value_bytes_, &bytes))
      fail("a NodeTable<" + class_name(table.value_) + "> of " + std::to_string(count) +
           " values is too large");
    table.count_ = count;
    table.place_ = allocate_on_node(allocated(table));
    table.data_ = node_memory.begin + table.place_;
    return node_memory.begin + table.place_;
  }
  static void set_again(NodeTableBase& table) {
    free_on_node(table.place_, allocated(table));
    for (NodeTableBase* const other : shared_globals.tables)
      if (other->order_ > table.order_) --other->order_;
    --shared_state->tables.set;
  }
  static std::byte* prepare(NodeTableBase& table, std::uint64_t count, std::uint32_t builder) {
    if (table.order_ > 0) set_again(table);
    table.builder_ = builder;
    table.order_ = ++shared_state->tables.set;
    return allocate(table, count);
  }

  /// Sends all of one table. On PE 0.
  static void send(const NodeTableBase& table) {
    const bool is_given = table.builder_ == NodeTableBase::given;
    const Bytes whole(table.data_, is_given ? bytes_of_table(table) : 0);
    PieceHeader header{shared_state->tables.set, table.number_, table.order_,
                       table.builder_,           table.count_,  0};
    do {
      send_on(header, whole.subspan(header.offset, std::min(kLongestPiece, whole.size() - header.offset)));
      header.offset += kLongestPiece;
    } while (header.offset < whole.size());
  }

  static void take(const PieceHeader& header, Bytes piece) {
    shared_state->tables.set = header.tables_set;
    shared_state->tables.heard = true;
    if (shared_state->tables.set == 0) return send_on(header, piece);
    NodeTableBase& table = *shared_globals.tables[header.number];
    if (table.order_ == 0) {
      table.order_ = header.order;
      table.builder_ = header.builder;
      allocate(table, header.count);
    }
    std::byte* const to = node_memory.begin + table.place_ + header.offset;
    if (!piece.empty()) memcpy(to, piece.data(), piece.size());
    table.bytes_here_ += piece.size();
    send_on(header, {to, piece.size()});
  }

  /// Returns true if the table is complete; builds the next in order, which may be built only now.
  static bool completes(NodeTableBase& table) {
    if (table.builder_ == NodeTableBase::given) return table.bytes_here_ == bytes_of_table(table);
    if (!has_values()) return false;
    const TableToBuild what{node_memory.begin + table.place_, table.count_};
    try {
      function_number(table.builder_).call(bytes_of(what));
    } catch (...) {
      fail_by_exception("the function that builds a NodeTable<" + class_name(table.value_) + ">");
    }
    return true;
  }

  static void place(std::size_t number, const TablePlace& where) {
    NodeTableBase& table = *shared_globals.tables[number];
    table.place_ = where.place;
    table.count_ = where.count;
    table.data_ = where.place == kNoPlace ? nullptr : node_memory.begin + where.place;
  }
  static std::uint32_t order_of(const NodeTableBase& table) { return table.order_; }
  static TablePlace place_of(const NodeTableBase& table) { return {table.place_, table.count_}; }

  /// Makes writing to the table a fault.
  static void protect(const NodeTableBase& table) {
    if (table.place_ == kNoPlace) return;
    const std::size_t pages = (bytes_of_table(table) + kPageBytes - 1) / kPageBytes;
    mprotect(node_memory.begin + table.place_, pages * kPageBytes, PROT_READ);
  }
};

namespace {

void be_ready() {
  shared_state->tables.ready = true;
  for (const NodeTableBase* const table : shared_globals.tables) NodeTables::protect(*table);
}

/// Tells the other PEs of the node the places of the tables.
void tell_node() {
  be_ready();
  if (!node_memory.shared) return;
  std::vector<TablePlace> places;
  for (const NodeTableBase* const table : shared_globals.tables)
    places.push_back(NodeTables::place_of(*table));
  for (const int pe : net::world.node_pes)
    if (pe != net::world.pe && balance::computes(pe))
      post(pe, Kind::node_tables_ready, {},
           {reinterpret_cast<const std::byte*>(places.data()), places.size() * sizeof(TablePlace)});
}

void on_table(int, Bytes message, pup::Blocks&& blocks) {
  const auto header = unpack_front<PieceHeader>(message);
  NodeTables::take(header, blocks.empty() ? message : Bytes(blocks[0].data, blocks[0].bytes));
  go_on_with_tables();
  receive_early(kNoArray);
}

void on_ready(int, Bytes message) {
  for (std::size_t number = 0; number < shared_globals.tables.size(); ++number)
    NodeTables::place(number, unpack_front<TablePlace>(message));
  be_ready();
  receive_early(kNoArray);
}

const Receives pieces(Kind::node_table, on_table);
const Receives places(Kind::node_tables_ready, on_ready);

}  // namespace

NodeTableBase::NodeTableBase(const std::type_info& value, std::size_t value_bytes)
    : value_(value), value_bytes_(value_bytes), number_(NodeTables::add(*this)) {}

std::byte* NodeTableBase::prepare(std::uint64_t count, std::uint32_t builder, const char* file, int line) {
  if (!may_set_values())
    fail(std::string(file) + ":" + std::to_string(line) + ": a NodeTable<" + class_name(value_) +
         "> is set too late: only the function given to run() sets it");
  return NodeTables::prepare(*this, count, builder);
}

void send_node_tables() {
  if (shared_globals.tables.empty()) return;
  if (shared_state->tables.set == 0) send_on({}, {});
  for (std::uint32_t order = 1; order <= shared_state->tables.set; ++order)
    for (const NodeTableBase* const table : shared_globals.tables)
      if (NodeTables::order_of(*table) == order) NodeTables::send(*table);
  tell_node();
}

void go_on_with_tables() {
  if (shared_state->tables.ready || !shared_state->tables.heard) return;
  for (bool any = true; any && shared_state->tables.complete < shared_state->tables.set;) {
    any = false;
    for (NodeTableBase* const table : shared_globals.tables)
      if (NodeTables::order_of(*table) == shared_state->tables.complete + 1 &&
          NodeTables::completes(*table)) {
        ++shared_state->tables.complete;
        any = true;
      }
  }
  if (shared_state->tables.complete == shared_state->tables.set) tell_node();
}

bool has_node_tables() {
  return shared_state->tables.ready || shared_globals.tables.empty() || net::world.pe == 0 ||
         !balance::computes(net::world.pe);
}
std::size_t node_table_count() { return shared_globals.tables.size(); }

}  // namespace skein::chare
