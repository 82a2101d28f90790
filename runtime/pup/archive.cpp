// SPDX-License-Identifier: Apache-2.0
#include "skein/pup/archive.hpp"

#include <unordered_map>

#include "skein/pup/common_types.hpp"
#include "skein/pup/pointers.hpp"  // Archive::graph()

namespace skein::pup {

template class Archive<Sizer, true>;
template class Archive<Packer, true>;
template class Archive<Unpacker, false>;
SKEIN_PUP_COMMON_TYPES()

struct Memory::Versions {
  std::unordered_map<const void*, unsigned> by_tag;
};

Memory::Memory() = default;
Memory::~Memory() = default;

Memory::Version Memory::version(const void* tag, unsigned current) {
  if (!versions_) versions_ = std::make_unique<Versions>();
  const auto [entry, first] = versions_->by_tag.try_emplace(tag, current);
  return {entry->second, first};
}

std::size_t FieldLog::begin(Field field) {
  field.depth = depth_++;
  fields_.push_back(field);
  return fields_.size() - 1;
}

void FieldLog::end(std::size_t place, std::size_t offset) {
  --depth_;
  fields_[place].bytes = offset - fields_[place].offset;
}

}  // namespace skein::pup
