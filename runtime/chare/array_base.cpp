// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/array_base.hpp"

#include <algorithm>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/net/transport.hpp"

namespace skein {

int this_pe() { return net::world.pe; }
int pe_count() { return balance::computing_pes(); }
int this_node() { return net::world.node; }
int node_count() {
  // Nodes are numbered in the order of their first PEs, so nodes without a PE that computes are the last.
  const auto computing = std::span(net::world.node_of).first(static_cast<std::size_t>(pe_count()));
  return 1 + *std::ranges::max_element(computing);
}
int first_pe_of_node(int node) {
  return static_cast<int>(std::ranges::find(net::world.node_of, node) - net::world.node_of.begin());
}

}  // namespace skein

namespace skein::chare {
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

const WaitSource calls_wait(Way::call, count_calls_without_element, describe_calls_without_element);
const WaitSource unfinished_wait(Way::unfinished_element, count_unfinished, describe_unfinished);

}  // namespace

Birth birth;
Settings settings;

const Element::Rare Element::no_rare;
Element::~Element() = default;
void Element::make_rare() { own_rare = std::make_unique<Rare>(); }

void append(std::vector<std::byte>& out, Bytes bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

ArrayBase::ArrayBase(std::uint32_t number, std::string name) : number_(number), name_(std::move(name)) {}
ArrayBase::~ArrayBase() = default;

void ArrayBase::enlist(Element& element) {
  element.listed_at = static_cast<std::uint32_t>(elements_.size());
  elements_.push_back(&element);
  ++live_;
  if (synchronizes || element.standing || (element.at_sync && balance::is_lazy())) note_coming(element);
  if (element.at_sync && is_over_for(element)) go_on_from_stop(element);
}

void ArrayBase::delist(Element& element) {
  --live_;
  if (synchronizes) note_going(element);
  if (broadcasting_) {
    elements_[element.listed_at] = nullptr;
    return;
  }
  elements_[element.listed_at] = elements_.back();
  elements_[element.listed_at]->listed_at = element.listed_at;
  elements_.pop_back();
  shrink();
}

void ArrayBase::shrink() {
  constexpr std::size_t smallest_shrunk = 1024;
  if (elements_.capacity() <= smallest_shrunk || 4 * elements_.size() > elements_.capacity()) return;
  std::vector<Element*> smaller;
  smaller.reserve(elements_.capacity() / 2);
  smaller.assign(elements_.begin(), elements_.end());
  elements_.swap(smaller);
}

void ArrayBase::end_broadcast() {
  broadcasting_ = false;
  if (live_ == elements_.size()) return;
  std::erase(elements_, nullptr);
  for (std::size_t i = 0; i < elements_.size(); ++i) elements_[i]->listed_at = static_cast<std::uint32_t>(i);
  shrink();
}

void ArrayBase::fail_arrival() const { fail("an element of " + name() + " arrives, which cannot move"); }
void ArrayBase::fail_exists(Bytes index) const {
  fail("a call of insert() to " + name() + text(index) + ", which exists already");
}
void ArrayBase::fail_outside(const char* method, Bytes index, const std::string& bounds) const {
  fail("a call of " + std::string(method) + " to " + name() + text(index) +
       ", which is outside the array: its bounds are " + bounds);
}
void ArrayBase::fail_inserted_twice(Bytes index, int pe) const {
  fail(name() + text(index) + " was inserted on PE " + std::to_string(pe) + ", and exists on PE " +
       std::to_string(this_pe()) + " already");
}
void ArrayBase::fail_mapped(Bytes index, int pe) const {
  fail("the map of " + name() + " gives the PE " + std::to_string(pe) + " for " + text(index) +
       ": there are " + std::to_string(pe_count()));
}
void ArrayBase::fail_part_exists(const Element& whole, Bytes index) const {
  fail(name_of(whole) + "::part_index() gives " + text(index) + ", an element that exists already");
}
void ArrayBase::fail_by_exception_in(Bytes index, const char* where) const {
  fail_by_exception(name() + text(index) + " in " + where);
}

std::string ArrayBase::fate(Bytes index, int pe) const {
  const std::string who = name() + text(index) + ", which has ";
  return pe >= 0 ? who + "moved to PE " + std::to_string(pe) : who + "ended";
}

}  // namespace skein::chare
