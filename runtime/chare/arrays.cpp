// SPDX-License-Identifier: Apache-2.0
// The arrays of the job on this PE, and the messages about their elements.
#include <algorithm>
#include <string>
#include <utility>

#include "runtime/balance/roles.hpp"
#include "runtime/base/check.hpp"
#include "runtime/chare/arrays.hpp"

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/broadcasts.hpp"
#include "runtime/chare/families.hpp"
#include "runtime/chare/loop.hpp"
#include "runtime/chare/read_only.hpp"
#include "runtime/chare/reductions.hpp"
#include "runtime/chare/registry.hpp"
#include "runtime/chare/waiting.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/aggregator.hpp"
#include "skein/chare/of_job.hpp"

namespace skein {
int this_pe() { return net::world.pe; }
int pe_count() { return balance::computing_pes(); }
int this_node() { return net::world.node; }
int node_count() {
  // Nodes are numbered in the order of their first PEs, so those without a PE that computes are the last.
  const auto computing = std::span(net::world.node_of).first(static_cast<std::size_t>(pe_count()));
  return 1 + *std::ranges::max_element(computing);
}
int first_pe_of_node(int node) {
  return static_cast<int>(std::ranges::find(net::world.node_of, node) - net::world.node_of.begin());
}
}  // namespace skein

namespace skein::chare {

Birth birth;

namespace {

std::vector<std::unique_ptr<ArrayBase>> arrays;

/// Messages about arrays that this PE has not heard of yet: PE 0 tells each PE at its own time.
struct Early {
  Receiver receive;  // or
  BlockReceiver receive_with_blocks;
  int from_pe;
  std::vector<std::byte> message;
  pup::Blocks blocks;
};
std::vector<Early> early;
const BegunAnew<birth, arrays, early> with_runtime;

/// If not, the message is received again later.
bool ready(bool is_ready, Receiver receive, int from_pe, Bytes message) {
  if (!is_ready) early.push_back({receive, nullptr, from_pe, {message.begin(), message.end()}, {}});
  return is_ready;
}

struct CallHeader {
  std::uint32_t array, entry;
  std::int32_t origin;
  std::uint16_t index_bytes, hops;
  std::int64_t priority;
};
struct LocationHeader {
  std::uint32_t array;
  std::int32_t pe;
  std::uint32_t moves, insertion;
};
struct NewArrayHeader {
  std::uint32_t number, info, leader;
};

void on_call(int from_pe, Bytes message, pup::Blocks&& blocks) {
  Bytes rest = message;
  const auto header = unpack_front<CallHeader>(rest);
  if (!await_array(on_call, from_pe, header.array, message, std::move(blocks))) return;
  array_number(header.array)
      .receive(rest.first(header.index_bytes),
               {&entry_number(header.entry), header.origin, rest.subspan(header.index_bytes), header.priority,
                std::move(blocks), header.hops});
}

void on_location(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<LocationHeader>(rest);
  if (await_array(on_location, from_pe, header.array, message))
    array_number(header.array).learn(rest, header.pe, header.moves, header.insertion);
}

void on_element(int from_pe, Bytes message, pup::Blocks&& blocks) {
  const std::uint32_t unknown = unknown_array(message);
  if (unknown != no_array) return void(await_array(on_element, from_pe, unknown, message, std::move(blocks)));
  arrive_family(message, blocks, ArrayBase::Tell::home);
}

void on_batch(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto front = unpack_front<BatchFront>(rest);
  if (await_array(on_batch, from_pe, front.array, message))
    enqueue_function(function_number(front.function), message, &array_number(front.array), front.priority);
}

void take_new_array(int from_pe, Bytes message) {
  if (!ready(has_read_only(), take_new_array, from_pe, message)) return;
  Bytes rest = message;
  const auto header = unpack_front<NewArrayHeader>(rest);
  if (header.leader != no_array && !await_array(take_new_array, from_pe, header.leader, message)) return;
  // A long description can be overtaken by a short one.
  if (arrays.size() <= header.number) arrays.resize(header.number + 1);
  const ArrayInfo& info = array_info_number(header.info);
  arrays[header.number] = info.make(header.number, rest);
  info.populate(*arrays[header.number], rest);
  receive_early();
}

void on_new_array(int from_pe, Bytes message) {
  pass_down(Kind::new_array, message);
  take_new_array(from_pe, message);
}

void on_function(int from_pe, Bytes message) {
  if (!ready(has_read_only(), on_function, from_pe, message)) return;
  const auto number = unpack_front<std::uint32_t>(message);
  enqueue_function(function_number(number), message);
}

// ---- what waits

std::size_t count_calls_without_element() {
  std::size_t count = 0;
  for (const auto& array : arrays) count += array ? array->waiting() : 0;
  return count;
}
void describe_calls_without_element(std::vector<std::string>& lines) {
  for (const auto& array : arrays)
    if (array) array->describe_waiting(lines);
}

std::size_t count_unfinished() {
  std::size_t count = 0;
  for (const auto& array : arrays) count += array ? array->unfinished : 0;
  return count;
}
void describe_unfinished(std::vector<std::string>& lines) {
  for (const auto& array : arrays) {
    if (!array || array->unfinished == 0) continue;
    for (const Element* const element : array->elements())
      if (element->unfinished) lines.push_back(name_of(*element) + " is unfinished");
  }
}

}  // namespace

void start_arrays() {
  add_wait_source({count_calls_without_element, describe_calls_without_element});
  add_wait_source({count_unfinished, describe_unfinished});
  set_receiver(Kind::call, on_call);
  set_receiver(Kind::location, on_location);
  set_receiver(Kind::element, on_element);
  set_receiver(Kind::new_array, on_new_array);
  set_receiver(Kind::function, on_function);
  set_receiver(Kind::batch, on_batch);
}

bool is_known(std::uint32_t array) { return array < arrays.size() && arrays[array]; }

bool await_array(Receiver receiver, int from_pe, std::uint32_t array, Bytes message) {
  return ready(is_known(array), receiver, from_pe, message);
}
bool await_array(BlockReceiver receiver, int from_pe, std::uint32_t array, Bytes message,
                 pup::Blocks&& blocks) {
  if (is_known(array)) return true;
  early.push_back({nullptr, receiver, from_pe, {message.begin(), message.end()}, std::move(blocks)});
  return false;
}

void receive_early() {
  for (Early& each : std::exchange(early, {})) {
    if (each.receive)
      each.receive(each.from_pe, each.message);
    else
      each.receive_with_blocks(each.from_pe, each.message, std::move(each.blocks));
  }
}

std::span<const std::unique_ptr<ArrayBase>> all_arrays() { return arrays; }
void end_arrays() {
  forget_broadcasts();
  arrays.clear();
  OfJobBase::forget_all();
}

namespace {

/// An entry method uses a name that came faster than the array. Receivers never get here: they await arrays.
void wait_for_array(std::uint32_t number) {
  if (number == no_array || net::world.pe == 0) fail("an Array or ElementRef is used that names no array");
  while (!is_known(number))
    if (!net::poll()) net::idle();
}

}  // namespace

ArrayBase& array_number(std::uint32_t number) {
  if (!is_known(number)) [[unlikely]]
    wait_for_array(number);
  return *arrays[number];
}

std::uint32_t create_array(const ArrayInfo& info, Bytes description, std::uint64_t elements,
                           std::uint32_t leader) {
  if (net::world.pe != 0)
    fail("arrays are created on PE 0: in the function given to run(), or in an element there");
  const NewArrayHeader header{static_cast<std::uint32_t>(arrays.size()), info.number, leader};
  expect_contributions(header.number, leader == no_array ? elements : chare::elements(leader));
  post_to_all(Kind::new_array, bytes_of(header), description);
  return header.number;
}

// ---- where an array is not known yet, so it must be named

void send_call(int pe, std::uint32_t array, Bytes index, PackedCall&& call) {
  std::byte front[sizeof(CallHeader) + 256];
  SKEIN_CHECK(index.size() <= 256, "an index of %zu bytes", index.size());
  const CallHeader header{array,       call.entry->number,
                          call.origin, static_cast<std::uint16_t>(index.size()),
                          call.hops,   call.priority};
  memcpy(front, &header, sizeof header);
  memcpy(front + sizeof header, index.data(), index.size());
  post(pe, Kind::call, {front, sizeof header + index.size()}, call.arguments, std::move(call.blocks));
}

void send_location(int pe, std::uint32_t array, Bytes index, const Place& place) {
  post(pe, Kind::location, bytes_of(LocationHeader{array, place.pe, place.moves, place.insertion}), index);
}

}  // namespace skein::chare
