// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/array_base.hpp"

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"

namespace skein::chare {

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
