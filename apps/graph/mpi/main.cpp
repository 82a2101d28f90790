// SPDX-License-Identifier: Apache-2.0
// graph: Algorithm 3 of Pearce et al., ICS 2012. See ../README.md.
#include <cinttypes>
#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "advice.hpp"
#include "apps/common/mpi_main.hpp"
#include "apps/graph/scenario.hpp"
#include "options.hpp"
#include "work.hpp"

// Present when the program runs on a runtime that can move ranks; absent under a plain MPI library.
extern "C" int MPI_Migrate(void) __attribute__((weak));

namespace graph {
namespace {

Graph load(const Options& o) {
  if (o.file.empty()) return make_mesh(o.mesh, o.vertices, o.seed);
  Graph graph = read_graph(o.file);
  if (!o.positions.empty()) graph.position = read_positions(o.positions, graph.size());
  return graph;
}

double largest(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

class Benchmark {
 public:
  Benchmark(const Options& options, const Graph& graph, int rank, int processes)
      : o_(options),
        rank_(rank),
        processes_(processes),
        work_(options.waits),
        elements_(MPI_COMM_WORLD, graph,
                  graph.weight.empty() ? make_weights(o_.weights, graph, o_.contrast, o_.seed) : graph.weight,
                  decompose(o_.decomposition, graph, processes, o_.skew, o_.seed), o_.element_bytes,
                  o_.message_bytes) {
    // The slowest process's, so that equal weights are equal work.
    work_.set_accesses_per_second(-largest(-work_.accesses_per_second()));
    double weight = 0;
    for (const double one : elements_.weights()) weight += one;
    unit_s_ = weight > 0 ? 1e-3 * o_.step_ms * processes / weight : 0;
    if (o_.advise > 0)
      adviser_.emplace(MPI_COMM_WORLD, o_.strategy, o_.horizon > 0 ? o_.horizon : o_.steps, o_.tells_edges);
  }

  void run() {
    tell_beginning();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    (void)work_.finish_step();
    for (int step = 1; step <= o_.steps; ++step) {
      elements_.start_messages();
      for (const Vertex v : elements_.own()) work_.do_work(unit_s_ * elements_.weight(v));
      const double took = work_.finish_step();
      elements_.finish_messages();
      if (adviser_) adviser_->add_work(took);
      if (asks_at(step)) rebalance(step == 1 ? 1 : o_.advise);
      if (o_.migrate > 0 && step % o_.migrate == 0 && MPI_Migrate) MPI_Migrate();
      (void)work_.finish_step();  // the rest is no work
    }
    const double took = largest(MPI_Wtime() - start);
    tell_end(took);
  }

 private:
  bool asks_at(int step) const {
    if (o_.advise == 0 || step == o_.steps) return false;
    return o_.once ? step == 1 : step % o_.advise == 0;
  }

  void rebalance(int steps) {
    const double start = MPI_Wtime();
    std::string told;
    const std::vector<int> to = adviser_->advise(elements_, steps, told);
    const double advised = MPI_Wtime();
    advice_s_ += advised - start;
    if (rank_ == 0 && told != told_) std::printf("%s\n", told.c_str());
    told_ = told;
    int any = !to.empty();
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!any) return;
    std::vector<int> stay(elements_.own().size(), rank_);
    moved_ += elements_.move(to.empty() ? stay : to);
    const double moving = MPI_Wtime() - advised;
    moving_s_ += moving;
    adviser_->moved(moving);
  }

  double imbalance() const { return imbalance_percent(elements_.weights(), elements_.owner(), processes_); }

  void tell_beginning() const {
    if (rank_ != 0) return;
    const Graph& graph = elements_.graph();
    std::printf("%zu vertices, %zu edges, %d processes, imbalance of the weights %.1f %%\n", graph.size(),
                graph.to.size() / 2, processes_, imbalance());
  }

  void tell_end(double took) const {
    const std::uint64_t print = elements_.fingerprint();
    std::uint64_t moved = moved_;
    MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank_ != 0) return;
    std::printf("time: %.4f s, of it asking %.4f s, moving %.4f s\n", took, advice_s_, moving_s_);
    std::printf("imbalance at the end: %.1f %%\n", imbalance());
    std::printf("elements moved: %" PRIu64 "\n", moved);
    std::printf("fingerprint: %016" PRIx64 "\n", print);
  }

  Options o_;
  int rank_, processes_;
  Work work_;
  Elements elements_;
  std::optional<Adviser> adviser_;
  double unit_s_ = 0;  // of work, for a weight of 1
  double advice_s_ = 0, moving_s_ = 0;
  std::uint64_t moved_ = 0;
  std::string told_;
};

}  // namespace
}  // namespace graph

int main(int argc, char** argv) {
  using namespace graph;
  return apps::mpi_main<Options>(
      "graph", argc, argv, [](const auto& words, Options& options) { return read(words, options); },
      [](const Options& options, int rank) {
        int processes = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &processes);
        try {
          Benchmark(options, load(options), rank, processes).run();
        } catch (const std::invalid_argument& error) {  // strategies throw this for wrong names
          throw std::runtime_error(error.what());
        } catch (const std::bad_alloc&) {  // of this process, so it ends all
          throw std::length_error(
              "the memory does not hold " +
              (options.file.empty() ? std::to_string(options.vertices) + " vertices" : options.file) +
              ": each process has the whole graph, so take fewer --vertices, or fewer processes on a "
              "machine");
        }
      });
}
