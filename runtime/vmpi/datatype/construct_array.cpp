// SPDX-License-Identifier: Apache-2.0
// Subarrays and distributed arrays, lowered to vectors inside a resized type as MPI 4.1, sections 5.1.3
// and 5.1.4, define them: dimension by dimension from the fastest to the slowest, each step's type having the
// extent of the whole array up to that dimension.
#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/datatype/maker.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

using detail::saturating_product;

/// An intermediate type, released when the next step has taken its reference.
class Step {
 public:
  explicit Step(const Datatype& first) : type_(&first) { first.retain(); }
  ~Step() { type_->release(); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  const Datatype& operator*() const { return *type_; }
  const Datatype* operator->() const { return type_; }
  void replace(Datatype* next) {
    type_->release();
    type_ = next;
  }
  const Datatype* share() const {
    type_->retain();
    return type_;
  }

 private:
  const Datatype* type_;
};

/// The blocks of one dimension: `count` blocks of `blocklength` and one of `rest` elements, `period` elements
/// apart from element `start` on, in a line of `length` elements.
struct Line {
  std::int64_t start, count, blocklength, period, rest, length;
};

int lower_line(std::pmr::memory_resource& memory, const Line& line, Step& step) {
  const std::int64_t unit = step->extent();
  Datatype* blocks = nullptr;
  int status = make_hvector({memory}, line.count, line.blocklength, saturating_product(line.period, unit),
                            *step, &blocks);
  if (status != MPI_SUCCESS) return status;
  const std::int64_t lengths[2] = {1, line.rest};
  const std::int64_t offsets[2] = {saturating_product(line.start, unit),
                                   saturating_product(line.start + line.count * line.period, unit)};
  const Datatype* const types[2] = {blocks, &*step};
  Datatype* placed = nullptr;
  status = make_struct({memory}, 2, lengths, offsets, types, &placed);
  blocks->release();
  if (status != MPI_SUCCESS) return status;
  Datatype* whole = nullptr;
  status = make_resized({memory}, 0, saturating_product(line.length, unit), *placed, &whole);
  placed->release();
  if (status == MPI_SUCCESS) step.replace(whole);
  return status;
}

int lower(std::pmr::memory_resource& memory, std::vector<Line> lines, int order, Step& step) {
  if (order == MPI_ORDER_C) std::reverse(lines.begin(), lines.end());
  for (const Line& line : lines) {
    const int status = lower_line(memory, line, step);
    if (status != MPI_SUCCESS) return status;
  }
  return MPI_SUCCESS;
}

bool order_valid(int order) { return order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN; }

/// Computes one dimension of a distributed array for process `place` of `processes` along it. Returns false
/// if the arguments do not fit each other.
bool distribute(std::int64_t length, int distribution, int argument, int processes, int place, Line& line) {
  if (length < 1 || length > (std::int64_t{1} << 62)) return false;
  std::int64_t block = argument;
  switch (distribution) {
    case MPI_DISTRIBUTE_NONE:
      if (processes != 1) return false;
      block = length;
      break;
    case MPI_DISTRIBUTE_BLOCK:
      if (argument == MPI_DISTRIBUTE_DFLT_DARG) block = (length + processes - 1) / processes;
      if (block < 1 || block * processes < length) return false;
      break;
    case MPI_DISTRIBUTE_CYCLIC:
      if (argument == MPI_DISTRIBUTE_DFLT_DARG) block = 1;
      if (block < 1) return false;
      break;
    default:
      return false;
  }
  const std::int64_t period = block * processes;
  const std::int64_t start = block * place;
  line = {start, 0, block, period, 0, length};
  if (start < length) {
    line.count = (length - start) / period;  // whole periods have room for a whole block
    line.rest = std::min(block, length - start - line.count * period);
    if (line.rest == block) {
      ++line.count;
      line.rest = 0;
    }
  }
  return true;
}

}  // namespace

int make_subarray(MakeIn in, int dimensions, IntView sizes, IntView subsizes, IntView starts, int order,
                  const Datatype& old, Datatype** out) {
  if (dimensions < 1 || !order_valid(order)) return MPI_ERR_ARG;
  std::vector<Line> lines;
  for (int d = 0; d < dimensions; ++d) {
    if (sizes[d] < 1 || subsizes[d] < 1 || subsizes[d] > sizes[d]) return MPI_ERR_ARG;
    if (starts[d] < 0 || starts[d] > sizes[d] - subsizes[d]) return MPI_ERR_ARG;
    lines.push_back({starts[d], 1, subsizes[d], 0, 0, sizes[d]});
  }
  Step step(old);
  const int status = lower(in.memory, std::move(lines), order, step);
  if (status != MPI_SUCCESS) return status;

  DatatypeMaker maker(in.memory);
  Construction& c = maker.construction();
  c.combiner = MPI_COMBINER_SUBARRAY;
  c.large = in.large;
  c.args.push_back(dimensions);
  for (const IntView& list : {sizes, subsizes, starts})
    for (int d = 0; d < dimensions; ++d) c.args.push_back(list[d]);
  c.args.push_back(order);
  maker.add_inner(old);
  maker.set_lowered(step.share());
  return maker.finish(out);
}

int make_darray(MakeIn in, int processes, int rank, int dimensions, IntView sizes, const int* distributions,
                const int* arguments, const int* grid, int order, const Datatype& old, Datatype** out) {
  if (processes < 1 || rank < 0 || rank >= processes || dimensions < 1 || !order_valid(order))
    return MPI_ERR_ARG;
  std::int64_t grid_size = 1;
  for (int d = 0; d < dimensions; ++d) {
    if (grid[d] < 1) return MPI_ERR_ARG;
    grid_size = saturating_product(grid_size, grid[d]);
  }
  if (grid_size != processes) return MPI_ERR_ARG;

  // Ranks are laid out on the process grid in row-major order, whatever the order of the array.
  std::vector<Line> lines(static_cast<std::size_t>(dimensions));
  std::int64_t below = processes, remaining = rank;
  for (int d = 0; d < dimensions; ++d) {
    below /= grid[d];
    const int place = static_cast<int>(remaining / below);
    remaining %= below;
    if (!distribute(sizes[d], distributions[d], arguments[d], grid[d], place,
                    lines[static_cast<std::size_t>(d)]))
      return MPI_ERR_ARG;
  }
  Step step(old);
  const int status = lower(in.memory, std::move(lines), order, step);
  if (status != MPI_SUCCESS) return status;

  DatatypeMaker maker(in.memory);
  Construction& c = maker.construction();
  c.combiner = MPI_COMBINER_DARRAY;
  c.large = in.large;
  c.args.insert(c.args.end(), {processes, rank, dimensions});
  for (const IntView& list : {sizes, IntView(distributions), IntView(arguments), IntView(grid)})
    for (int d = 0; d < dimensions; ++d) c.args.push_back(list[d]);
  c.args.push_back(order);
  maker.add_inner(old);
  maker.set_lowered(step.share());
  return maker.finish(out);
}

}  // namespace skein::vmpi
