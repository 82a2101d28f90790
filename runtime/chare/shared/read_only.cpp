// SPDX-License-Identifier: Apache-2.0
#include "skein/read_only.hpp"

#include <string>

#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/shared/node_table.hpp"
#include "runtime/chare/shared/read_only.hpp"
#include "runtime/chare/shared/shared_state.hpp"
#include "runtime/net/transport.hpp"
#include "skein/job.hpp"

namespace skein::chare {

constinit SharedGlobals shared_globals;
PerRuntime<SharedState> shared_state;

namespace {

void on_read_only(int, Bytes message) {
  pass_down(Kind::read_only, message);
  take_values(message);
}

const Receives read_only_values(Kind::read_only, on_read_only);

}  // namespace

ReadOnlyBase::ReadOnlyBase() { shared_globals.values.push_back(this); }

void take_values(Bytes packed) {
  for (ReadOnlyBase* const value : shared_globals.values) {
    const auto size = static_cast<std::size_t>(unpack_front<std::uint64_t>(packed));
    value->receive(packed.first(size));
    packed = packed.subspan(size);
  }
  shared_state->values_fixed = true;
  go_on_with_tables();
  receive_early(kNoArray);
}

bool may_set_values() { return !shared_state->values_fixed && net::world.pe == 0; }
bool has_values() {
  return shared_state->values_fixed || shared_globals.values.empty() || net::world.pe == 0;
}

void check_may_set(const std::type_info& type, const char* file, int line) {
  if (may_set_values()) return;
  fail(std::string(file) + ":" + std::to_string(line) + ": a ReadOnly<" + class_name(type) +
       "> is set too late: only the function given to run() sets it");
}

std::vector<std::byte> packed_values() {
  std::vector<std::byte> all;
  for (const ReadOnlyBase* const value : shared_globals.values) {
    const std::vector<std::byte> packed = value->packed();
    append(all, bytes_of(static_cast<std::uint64_t>(packed.size())));
    append(all, packed);
  }
  return all;
}

void send_read_only() {
  shared_state->values_fixed = true;
  pass_down(Kind::read_only, packed_values());
  send_node_tables();
}

bool has_read_only() { return has_values() && has_node_tables(); }
bool await_read_only(Receiver receiver, int from_pe, Bytes message) {
  if (has_read_only()) return true;
  receive_later(receiver, from_pe, kNoArray, message);
  return false;
}
std::size_t read_only_count() { return shared_globals.values.size() + node_table_count(); }

}  // namespace skein::chare
