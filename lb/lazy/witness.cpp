// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/witness.hpp"

#include <algorithm>

namespace skein::lb::lazy {

void Witness::stands(std::size_t member, const Stand& stand) {
  stands_[member] = stand;
  called_since_ = false;
}

bool Witness::all_stand() const {
  return std::ranges::all_of(stands_, [&](const Stand& stand) {
    return stand.round == round_ && stand.about == stands_.front().about;
  });
}

std::uint64_t Witness::objects() const {
  std::uint64_t objects = 0;
  for (const Stand& stand : stands_) objects += stand.objects;
  return objects;
}

std::uint64_t Witness::calls() {
  called_since_ = true;
  missing_ = reserved_;
  return ++call_;
}

bool Witness::answered(std::uint64_t call) {
  if (call != call_ || missing_ == 0) return false;
  --missing_;
  return true;
}

}  // namespace skein::lb::lazy
