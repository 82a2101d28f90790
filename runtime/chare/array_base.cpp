// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/array_base.hpp"

#include "runtime/chare/lazy_elements.hpp"

namespace skein::chare {

void ArrayBase::enlist(Element& element) {
  element.listed_at = static_cast<std::uint32_t>(elements_.size());
  elements_.push_back(&element);
  ++live_;
  if (synchronizes || element.standing) note_coming(element);
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

}  // namespace skein::chare
