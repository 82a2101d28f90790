// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/datatype.hpp"

#include <algorithm>
#include <new>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/maker.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

using Wide = __int128;
constexpr Wide kLimit = Wide{1} << 62;

/// The range from the least to the greatest value, empty at first.
struct Range {
  Wide low = 4 * kLimit, high = -4 * kLimit;
  void include(Wide from, Wide to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
  bool empty() const { return low > high; }
  bool fits() const { return empty() || (low >= -kLimit && high <= kLimit); }
};

/// The bounds of a typemap, collected part by part.
struct BoundsBuilder {
  Range data, lb_marks, ub_marks;
  Wide size = 0;
  std::int64_t alignment = 1;

  void add(const BlockRun& p) {
    const Bounds& inner = p.inner->bounds();
    const Wide last_block = Wide{p.count - 1} * p.stride;
    const Wide last_inner = Wide{p.blocklength - 1} * p.inner->extent();
    const Wide least = p.offset + std::min(Wide{0}, last_block) + std::min(Wide{0}, last_inner);
    const Wide most = p.offset + std::max(Wide{0}, last_block) + std::max(Wide{0}, last_inner);
    if (p.inner->size() > 0) data.include(least + inner.true_lb, most + inner.true_ub);
    if (inner.lb_marked) lb_marks.include(least + inner.lb, most + inner.lb);
    if (inner.ub_marked) ub_marks.include(least + inner.ub, most + inner.ub);
    const Wide instances = Wide{p.count} * p.blocklength;
    size += instances > kLimit ? kLimit + 1 : instances * p.inner->size();
    alignment = std::max(alignment, inner.alignment);
  }

  bool valid() const { return data.fits() && lb_marks.fits() && ub_marks.fits() && size <= kLimit; }

  /// Returns the least multiple of the alignment from `extent` on, which an explicit lower bound can make
  /// negative.
  std::int64_t padded(std::int64_t extent) const {
    const std::int64_t rest = extent % alignment;
    return rest > 0 ? extent + alignment - rest : extent - rest;
  }

  Bounds result() const {
    Bounds b;
    b.alignment = alignment;
    if (!data.empty()) {
      b.true_lb = static_cast<std::int64_t>(data.low);
      b.true_ub = static_cast<std::int64_t>(data.high);
    }
    b.lb_marked = !lb_marks.empty();
    b.ub_marked = !ub_marks.empty();
    b.lb = b.lb_marked ? static_cast<std::int64_t>(lb_marks.low) : b.true_lb;
    b.ub = b.ub_marked ? static_cast<std::int64_t>(ub_marks.high) : b.lb + padded(b.true_ub - b.lb);
    return b;
  }
};

}  // namespace

void Datatype::commit() {
  if (committed_) return;
  compile_layout(*this, layout_);
  committed_ = true;
  dense_ = contiguous() && (extent() == size() || size() == 0);
}

void Datatype::release_counted() const {
  SKEIN_CHECK(references_ > 0, "datatype %s released too often", name_.c_str());
  if (--references_ == 0) DatatypeMaker::destroy(this);
}

DatatypeMaker::DatatypeMaker(std::pmr::memory_resource& memory)
    : type_(new (memory.allocate(sizeof(Datatype), alignof(Datatype))) Datatype(&memory)) {}

DatatypeMaker::~DatatypeMaker() {
  if (type_ != nullptr) destroy(type_);
}

void DatatypeMaker::destroy(const Datatype* type) {
  for (const Datatype* inner : type->construction_.inner) inner->release();
  if (type->construction_.lowered != nullptr) type->construction_.lowered->release();
  std::pmr::memory_resource* memory = type->memory_;
  type->~Datatype();
  memory->deallocate(const_cast<Datatype*>(type), sizeof(Datatype), alignof(Datatype));
}

void DatatypeMaker::add_inner(const Datatype& inner) {
  type_->construction_.inner.push_back(&inner);
  inner.retain();
}

void DatatypeMaker::make_scalar(const BasicType& basic) {
  type_->basic_ = &basic;
  Bounds& b = type_->bounds_;
  if (basic.type_class == TypeClass::marker) {
    b.lb_marked = basic.handle == MPI_LB;
    b.ub_marked = basic.handle == MPI_UB;
    return;
  }
  type_->signature_ = signature_of(basic);
  b.ub = b.true_ub = basic.size;
  b.alignment = basic.alignment;
}

void DatatypeMaker::make_pair(const BasicType& basic, const Datatype& value, const Datatype& index) {
  type_->basic_ = &basic;
  construction().args.push_back(pair_index_offset(basic.rep));
  add_inner(value);
  add_inner(index);
  const int status = summarise();
  SKEIN_CHECK(status == MPI_SUCCESS, "%s", basic.name);
}

void DatatypeMaker::set_bounds(Datatype& type, std::int64_t lb, std::int64_t ub) {
  type.bounds_.lb = lb;
  type.bounds_.ub = ub;
  type.bounds_.lb_marked = type.bounds_.ub_marked = true;
}

int DatatypeMaker::summarise() {
  BoundsBuilder bounds;
  for_each_run(*type_, [&](const BlockRun& p) {
    bounds.add(p);
    return bounds.valid();
  });
  if (!bounds.valid()) return MPI_ERR_ARG;
  type_->bounds_ = bounds.result();
  for_each_run(*type_, [&](const BlockRun& p) {
    const Signature block = repeat(p.inner->signature(), p.blocklength);
    type_->signature_ = concatenate(type_->signature_, repeat(block, p.count));
    return true;
  });
  return MPI_SUCCESS;
}

int DatatypeMaker::finish(Datatype** out) {
  const int status = summarise();
  if (status == MPI_SUCCESS) *out = release();
  return status;
}

Datatype* DatatypeMaker::release() {
  Datatype* made = type_;
  type_ = nullptr;
  return made;
}

}  // namespace skein::vmpi
