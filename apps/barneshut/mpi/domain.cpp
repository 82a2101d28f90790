// SPDX-License-Identifier: Apache-2.0
#include "domain.hpp"

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/barneshut/scenario.hpp"

namespace barneshut {
namespace {

double processor_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Adds the processor time of its life to a sum.
class Timer {
 public:
  explicit Timer(double& sum) : sum_(sum), since_(processor_s()) {}
  ~Timer() { sum_ += processor_s() - since_; }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& sum_;
  double since_;
};

}  // namespace

Domain::Domain(MPI_Comm comm, const Parameters& parameters) : comm_(comm), parameters_(parameters) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &processes_);
  const std::vector<Body> all = initial_bodies(parameters_);
  cells_ = initial_pieces(parameters_, all);
  for (const Octant& cell : cells_) owners_.push_back(process_by_volume(cell, processes_));
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    if (!is_mine(k)) continue;
    const auto mine = bodies_of(all, cells_[k]);
    bodies_.insert(bodies_.end(), mine.begin(), mine.end());
  }
}

void Domain::settle() {
  locate_all();
  std::vector<std::vector<Body>> out(static_cast<std::size_t>(processes_));
  for (const Body& body : bodies_) out[rank_of(piece_of(cells_, body.key))].push_back(body);
  bodies_ = all_to_all(comm_, out).all;
  std::ranges::sort(bodies_, in_key_order);
}

void Domain::locate_all() {
  std::string wrong;
  try {
    for (Body& body : bodies_) locate(parameters_.rules.root, body);
  } catch (const std::runtime_error& error) {
    wrong = error.what();
  }
  const Gathered<char> all = all_gather(comm_, std::vector<char>(wrong.begin(), wrong.end()));
  for (int process = 0; process < processes_; ++process)
    if (const auto text = all.part(process); !text.empty())
      throw std::runtime_error({text.begin(), text.end()});
}

double Domain::take_work_s() { return std::exchange(work_s_, 0); }

void Domain::attract() {
  plant();
  const Heads heads = all_heads();
  exchange_segments(heads);
  walk(heads);
}

void Domain::plant() {
  const Timer timer(work_s_);
  trees_.assign(cells_.size(), {});
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (is_mine(k)) trees_[k] = tree_of(parameters_.rules, cells_[k], bodies_of(bodies_, cells_[k]));
}

Heads Domain::all_heads() const {
  Heads mine;
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (is_mine(k)) add_head(mine, parameters_.rules, cells_[k], bodies_of(bodies_, cells_[k]), trees_[k]);
  const Gathered<Head> pieces = all_gather(comm_, mine.pieces);
  const Gathered<Point> points = all_gather(comm_, mine.points);
  Heads heads;
  std::vector<std::size_t> next(static_cast<std::size_t>(processes_));
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    Head head = pieces.part(owners_[k])[next[rank_of(k)]++];
    const auto of_head = points.part(owners_[k])
                             .subspan(static_cast<std::size_t>(head.node.first_point),
                                      static_cast<std::size_t>(head.node.points));
    head.node.first_point = 0;
    append(heads, {&head, 1}, of_head);
  }
  return heads;
}

void Domain::exchange_segments(const Heads& heads) {
  const auto processes = static_cast<std::size_t>(processes_);
  std::vector<std::vector<Box>> boxes(processes);
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (heads.pieces[k].bodies > 0) boxes[rank_of(k)].push_back(heads.pieces[k].box);

  std::vector<std::vector<SegmentHead>> segments_to(processes);
  std::vector<std::vector<Node>> nodes_to(processes);
  std::vector<std::vector<Point>> points_to(processes);
  {
    const Timer timer(work_s_);
    std::vector<Box> near;
    for (std::size_t r = 0; r < processes; ++r) {
      for (std::size_t k = 0; k < cells_.size() && static_cast<int>(r) != rank_; ++k) {
        if (!is_mine(k)) continue;
        near.clear();
        std::ranges::copy_if(boxes[r], std::back_inserter(near), [&](const Box& box) {
          return needs_more(parameters_.gravity, box, heads.pieces[k]);
        });
        if (near.empty()) continue;
        const Tree segment = essential(parameters_.gravity, trees_[k], near);
        segments_to[r].push_back(
            {static_cast<std::int64_t>(k), std::ssize(segment.nodes), std::ssize(segment.points)});
        nodes_to[r].insert(nodes_to[r].end(), segment.nodes.begin(), segment.nodes.end());
        points_to[r].insert(points_to[r].end(), segment.points.begin(), segment.points.end());
      }
    }
  }
  const Gathered<SegmentHead> segments = all_to_all(comm_, segments_to);
  const Gathered<Node> nodes = all_to_all(comm_, nodes_to);
  const Gathered<Point> points = all_to_all(comm_, points_to);
  auto node = nodes.all.begin();
  auto point = points.all.begin();
  for (const SegmentHead& segment : segments.all) {
    Tree& tree = trees_[static_cast<std::size_t>(segment.piece)];
    tree.nodes.assign(node, node + segment.nodes);
    tree.points.assign(point, point + segment.points);
    node += segment.nodes;
    point += segment.points;
  }
}

void Domain::walk(const Heads& heads) {
  const Timer timer(work_s_);
  whole_ = barneshut::whole_tree(parameters_.rules, heads, [&](std::size_t piece) {
    return trees_[piece].nodes.empty() ? nullptr : &trees_[piece];
  });
  for (Body& body : bodies_) {
    const Attraction found = attraction(parameters_.gravity, whole_, body);
    body.a = found.a, body.potential = found.potential, body.interactions = found.interactions;
  }
}

}  // namespace barneshut
