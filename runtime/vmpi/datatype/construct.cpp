// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/construct.hpp"

#include "runtime/vmpi/datatype/maker.hpp"

namespace skein::vmpi {
namespace {

/// Collects a construction and finishes it.
class Construct {
 public:
  Construct(MakeIn in, int combiner) : maker_(in.memory) {
    maker_.construction().combiner = combiner;
    maker_.construction().large = in.large;
  }

  Construct& arg(std::int64_t value) {
    maker_.construction().args.push_back(value);
    return *this;
  }
  Construct& args(std::int64_t count, IntView values) {
    auto& all = maker_.construction().args;
    all.reserve(all.size() + static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) all.push_back(values[i]);
    return *this;
  }
  Construct& inner(const Datatype& type) {
    maker_.add_inner(type);
    return *this;
  }
  int finish(Datatype** out) { return maker_.finish(out); }

 private:
  DatatypeMaker maker_;
};

int check_blocks(std::int64_t count, IntView blocklengths) {
  if (count < 0) return MPI_ERR_COUNT;
  for (std::int64_t i = 0; i < count; ++i)
    if (blocklengths[i] < 0) return MPI_ERR_ARG;
  return MPI_SUCCESS;
}

int check_block(std::int64_t count, std::int64_t blocklength) {
  if (count < 0) return MPI_ERR_COUNT;
  return blocklength < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
}

int strided(MakeIn in, int combiner, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
            const Datatype& old, Datatype** out) {
  const int status = check_block(count, blocklength);
  if (status != MPI_SUCCESS) return status;
  return Construct(in, combiner).arg(count).arg(blocklength).arg(stride).inner(old).finish(out);
}

int listed(MakeIn in, int combiner, std::int64_t count, IntView blocklengths, IntView displacements,
           const Datatype& old, Datatype** out) {
  const int status = check_blocks(count, blocklengths);
  if (status != MPI_SUCCESS) return status;
  return Construct(in, combiner)
      .arg(count)
      .args(count, blocklengths)
      .args(count, displacements)
      .inner(old)
      .finish(out);
}

int listed_equal(MakeIn in, int combiner, std::int64_t count, std::int64_t blocklength, IntView displacements,
                 const Datatype& old, Datatype** out) {
  const int status = check_block(count, blocklength);
  if (status != MPI_SUCCESS) return status;
  return Construct(in, combiner)
      .arg(count)
      .arg(blocklength)
      .args(count, displacements)
      .inner(old)
      .finish(out);
}

}  // namespace

int make_contiguous(MakeIn in, std::int64_t count, const Datatype& old, Datatype** out) {
  if (count < 0) return MPI_ERR_COUNT;
  return Construct(in, MPI_COMBINER_CONTIGUOUS).arg(count).inner(old).finish(out);
}

int make_vector(MakeIn in, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                const Datatype& old, Datatype** out) {
  return strided(in, MPI_COMBINER_VECTOR, count, blocklength, stride, old, out);
}

int make_hvector(MakeIn in, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                 const Datatype& old, Datatype** out) {
  return strided(in, MPI_COMBINER_HVECTOR, count, blocklength, stride, old, out);
}

int make_indexed(MakeIn in, std::int64_t count, IntView blocklengths, IntView displacements,
                 const Datatype& old, Datatype** out) {
  return listed(in, MPI_COMBINER_INDEXED, count, blocklengths, displacements, old, out);
}

int make_hindexed(MakeIn in, std::int64_t count, IntView blocklengths, IntView displacements,
                  const Datatype& old, Datatype** out) {
  return listed(in, MPI_COMBINER_HINDEXED, count, blocklengths, displacements, old, out);
}

int make_indexed_block(MakeIn in, std::int64_t count, std::int64_t blocklength, IntView displacements,
                       const Datatype& old, Datatype** out) {
  return listed_equal(in, MPI_COMBINER_INDEXED_BLOCK, count, blocklength, displacements, old, out);
}

int make_hindexed_block(MakeIn in, std::int64_t count, std::int64_t blocklength, IntView displacements,
                        const Datatype& old, Datatype** out) {
  return listed_equal(in, MPI_COMBINER_HINDEXED_BLOCK, count, blocklength, displacements, old, out);
}

int make_struct(MakeIn in, std::int64_t count, IntView blocklengths, IntView displacements,
                const Datatype* const* types, Datatype** out) {
  const int status = check_blocks(count, blocklengths);
  if (status != MPI_SUCCESS) return status;
  Construct construct(in, MPI_COMBINER_STRUCT);
  construct.arg(count).args(count, blocklengths).args(count, displacements);
  for (std::int64_t i = 0; i < count; ++i) construct.inner(*types[i]);
  return construct.finish(out);
}

int make_resized(MakeIn in, std::int64_t lb, std::int64_t extent, const Datatype& old, Datatype** out) {
  std::int64_t ub;
  if (__builtin_add_overflow(lb, extent, &ub)) return MPI_ERR_ARG;
  const int status = Construct(in, MPI_COMBINER_RESIZED).arg(lb).arg(extent).inner(old).finish(out);
  if (status == MPI_SUCCESS) DatatypeMaker::set_bounds(**out, lb, ub);
  return status;
}

int make_dup(MakeIn in, const Datatype& old, Datatype** out) {
  const int status = Construct(in, MPI_COMBINER_DUP).inner(old).finish(out);
  if (status == MPI_SUCCESS && old.committed()) (*out)->commit();
  return status;
}

}  // namespace skein::vmpi
