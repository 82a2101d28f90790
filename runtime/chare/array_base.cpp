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
}

void ArrayBase::end_broadcast() {
  broadcasting_ = false;
  if (live_ == elements_.size()) return;
  std::erase(elements_, nullptr);
  for (std::size_t i = 0; i < elements_.size(); ++i) elements_[i]->listed_at = static_cast<std::uint32_t>(i);
}

}  // namespace skein::chare
