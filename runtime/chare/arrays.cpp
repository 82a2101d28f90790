// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/arrays.hpp"

#include <algorithm>
#include <string>

#include "runtime/balance/roles.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/creation.hpp"
#include "runtime/chare/elements/delivery.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/seeds/seeds.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/array_base.hpp"
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

std::size_t count_calls_without_element() {
  std::size_t count = 0;
  for (const auto& array : all_arrays()) count += array->waiting();
  return count;
}
void describe_calls_without_element(std::vector<std::string>& lines) {
  for (const auto& array : all_arrays()) array->describe_waiting(lines);
}

std::size_t count_unfinished() {
  std::size_t count = 0;
  for (const auto& array : all_arrays()) count += array->unfinished;
  return count;
}
void describe_unfinished(std::vector<std::string>& lines) {
  for (const auto& array : all_arrays()) {
    if (array->unfinished == 0) continue;
    for (const Element* const element : array->elements())
      if (element->unfinished) lines.push_back(name_of(*element) + " is unfinished");
  }
}

}  // namespace

void start_arrays() {
  begin_array_numbers();
  watch_early();
  start_creation();
  add_wait_source({count_calls_without_element, describe_calls_without_element});
  add_wait_source({count_unfinished, describe_unfinished});
  start_delivery();
}

void end_arrays() {
  forget_broadcasts();
  drop_seeds();
  forget_arrays();
  OfJobBase::forget_all();
}

}  // namespace skein::chare
