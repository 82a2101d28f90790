// SPDX-License-Identifier: Apache-2.0
// The domain of one cell of the box: an element of an array, which Skein moves. It gets messages from the
// cells around it only, and the moments, which are reduced. Messages have the number of their round, since a
// neighbour may be ahead.
#pragma once

#include <array>
#include <skein/skein.hpp>
#include <vector>

#include "apps/common/director.hpp"
#include "apps/dislocations/domain.hpp"
#include "apps/dislocations/totals.hpp"

namespace dislocations {

class Cell;
using Director = apps::Director<Cell, Parameters, Report, Totals, Node>;

struct CellMoments {
  std::int32_t cell = 0;
  Moments moments;
};

class Cell : public skein::Chare<Cell, skein::Index1> {
 public:
  Cell() = default;
  Cell(const Parameters& parameters, int sync, skein::Array<Director> director)
      : parameters_(parameters), director_(director), sync_(sync) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& director_& domain_& sync_& step_& round_;
  }

  // Messages from cells around this one.
  skein::Awaited<void(std::int32_t round, std::vector<Segment> segments)> segments;
  skein::Awaited<void(std::int32_t round, std::vector<Notice> notices)> notices;
  skein::Awaited<void(std::int32_t round, std::vector<Node> nodes)> nodes;
  /// The moments of all cells, as the result of a reduction.
  skein::Awaited<void(std::vector<CellMoments> moments)> moments;

  /// Starts with the nodes in the cell.
  void begin(const std::vector<Node>& nodes);
  /// Runs the remaining steps until the next sync point.
  skein::Flow run();
  /// Contributes the nodes, to be written.
  void give_all();
  static void write(const std::string& file, const Parameters& parameters, std::vector<Node> nodes) {
    write_segments(file, parameters.box, std::move(nodes));
  }

  /// Returns the middle of the cell, for strategies by place.
  std::array<float, 3> position() const;

 private:
  skein::Flow pass_step();
  skein::Flow tell(Outbox<Notice> notices);
  skein::Flow settle();
  void report();
  /// Returns the cells around this one, without it.
  std::vector<std::int32_t> beside() const;
  std::int32_t self() const { return index()[0]; }

  Parameters parameters_;
  skein::Array<Director> director_;
  Domain domain_;
  std::int32_t sync_ = 1;
  std::int32_t step_ = 0;
  std::int32_t round_ = 0;  // of messages
};

}  // namespace dislocations
