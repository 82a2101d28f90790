// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/pieces.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"

namespace skein::vmpi {

Side::Side(const Data& piece)
    : first_(reinterpret_cast<std::intptr_t>(piece.buffer)),
      away_(reinterpret_cast<std::intptr_t>(piece.switched_out)),
      count_(piece.count),
      type_(piece.type),
      bytes_(piece.bytes) {
  const std::byte* const contiguous = contiguous_data(piece.buffer, piece.count, *piece.type);
  flat_ = contiguous != nullptr;
  if (flat_) flat_at_ = reinterpret_cast<std::intptr_t>(contiguous) - first_;
}

Side::Side(const Blocks& pieces) : Side(pieces[0]) {
  stride_ = pieces.count * type_->extent();
  flat_ = flat_ && type_->dense();
}

Side::Side(std::byte* packed, std::size_t bytes)
    : first_(reinterpret_cast<std::intptr_t>(packed)),
      stride_(static_cast<std::int64_t>(bytes)),
      count_(stride_),
      bytes_(bytes),
      flat_(true) {}

Data Side::operator[](int rank) const {
  return {reinterpret_cast<void*>(first_ + rank * stride_), count_, type_, bytes_};
}

bool Side::seen_by_node(int ranks) const {
  if (away_) return false;
  const Data all{reinterpret_cast<void*>(first_), stride_ ? count_ * ranks : count_, type_,
                 stride_ ? bytes_ * static_cast<std::size_t>(ranks) : bytes_};
  return vmpi::seen_by_node(all);
}

}  // namespace skein::vmpi
