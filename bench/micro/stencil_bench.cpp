// SPDX-License-Identifier: Apache-2.0
// `stencil_bench [SIDE]`: Jacobi's five-point stencil on 1024 x 1024 points in blocks of SIDE x SIDE points
// (512), on one PE. Prints the time of a sweep by elements, which send each other their edges, over that of a
// plain loop over the same blocks, which copies edges to where they are needed. The least of several runs of
// each in turn, of a second in all; all must come to the same values.
//
// The plain loop goes over all blocks twice, for the edges and for the points. Elements cannot: an element
// that has its edges sweeps and sends, as a plain loop block by block does; behind it is printed the
// elements' time over that loop's. The extra time of that loop is the memory's, not the runtime's.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <skein/skein.hpp>
#include <utility>
#include <vector>

namespace {

constexpr int points = 1024, runs = 8;
int side = 512, sweeps = 40;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

enum Side { west, east, south, north };

/// A block with a frame of one point, which is 0 at the border of the whole.
class Field {
 public:
  Field() = default;
  explicit Field(int at_x, int at_y) : now_(cells()), next_(cells()) {
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) at(now_, x, y) = (at_x * side + x) % 7 + (at_y * side + y) % 5;
  }

  void sweep() {
    const std::size_t row = static_cast<std::size_t>(side) + 2;
    for (int y = 0; y < side; ++y) {
      const double* const here = &at(now_, 0, y);
      double* const there = &at(next_, 0, y);
      for (int x = 0; x < side; ++x)
        there[x] = 0.25 * (here[x - 1] + here[x + 1] + *(here + x - row) + here[x + static_cast<int>(row)]);
    }
    now_.swap(next_);
  }
  void copy_edge(Side from, double* to) {
    for (int i = 0; i < side; ++i) to[i] = edge(from, i, 0);
  }
  void set_frame(Side where, const double* values) {
    for (int i = 0; i < side; ++i) edge(where, i, 1) = values[i];
  }
  void set_frame(Side where, Field& neighbour) {
    for (int i = 0; i < side; ++i) edge(where, i, 1) = neighbour.edge(opposite(where), i, 0);
  }
  double sum() {
    double sum = 0;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) sum += at(now_, x, y) * (1 + (x + 3 * y) % 11);
    return sum;
  }
  static Side opposite(Side which) { return static_cast<Side>(which ^ 1); }

 private:
  static std::size_t cells() {
    return static_cast<std::size_t>(side + 2) * static_cast<std::size_t>(side + 2);
  }
  static double& at(std::vector<double>& field, int x, int y) {
    return field[static_cast<std::size_t>(y + 1) * static_cast<std::size_t>(side + 2) +
                 static_cast<std::size_t>(x + 1)];
  }
  /// Returns the i-th point of a side, `beyond` points further out.
  double& edge(Side which, int i, int beyond) {
    const int first = -beyond, last = side - 1 + beyond;
    return which == west    ? at(now_, first, i)
           : which == east  ? at(now_, last, i)
           : which == south ? at(now_, i, first)
                            : at(now_, i, last);
  }

  std::vector<double> now_, next_;
};

int blocks() { return points / side; }
constexpr std::pair<int, int> step_to[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
bool has_block(int x, int y) { return x >= 0 && x < blocks() && y >= 0 && y < blocks(); }

std::vector<Field> all_fields() {
  std::vector<Field> fields;
  for (int y = 0; y < blocks(); ++y)
    for (int x = 0; x < blocks(); ++x) fields.emplace_back(x, y);
  return fields;
}
std::size_t place(int x, int y) { return static_cast<std::size_t>(y * blocks() + x); }
double sum_of(std::vector<Field>& fields) {
  double sum = 0;
  for (Field& field : fields) sum += field.sum();
  return sum;
}
/// Calls `visit(to, x, y)` for each neighbour of a block.
template <class F>
void for_each_neighbour(int x, int y, const F& visit) {
  for (const Side to : {west, east, south, north}) {
    const auto [dx, dy] = step_to[to];
    if (has_block(x + dx, y + dy)) visit(to, x + dx, y + dy);
  }
}

/// The sum of all blocks, which shows if one was swept otherwise.
double expected = 0;
double plain_loop() {
  std::vector<Field> fields = all_fields();
  const double started = now();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int y = 0; y < blocks(); ++y)
      for (int x = 0; x < blocks(); ++x)
        for_each_neighbour(x, y, [&](Side to, int at_x, int at_y) {
          fields[place(x, y)].set_frame(to, fields[place(at_x, at_y)]);
        });
    for (Field& field : fields) field.sweep();
  }
  const double seconds = now() - started;
  expected = sum_of(fields);
  return seconds;
}

/// Puts the edges of the next sweep where its blocks find them.
double loop_block_by_block() {
  std::vector<Field> fields = all_fields();
  using Edges = std::array<std::vector<double>, 4>;
  std::vector<Edges> edges[2] = {std::vector<Edges>(fields.size()), std::vector<Edges>(fields.size())};
  const auto send = [&](int sweep, int x, int y) {
    for_each_neighbour(x, y, [&](Side to, int at_x, int at_y) {
      std::vector<double>& edge = edges[sweep % 2][place(at_x, at_y)][Field::opposite(to)];
      edge.resize(static_cast<std::size_t>(side));
      fields[place(x, y)].copy_edge(to, edge.data());
    });
  };
  const double started = now();
  for (int y = 0; y < blocks(); ++y)
    for (int x = 0; x < blocks(); ++x) send(0, x, y);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int y = 0; y < blocks(); ++y)
      for (int x = 0; x < blocks(); ++x) {
        Field& field = fields[place(x, y)];
        for_each_neighbour(
            x, y, [&](Side to, int, int) { field.set_frame(to, edges[sweep % 2][place(x, y)][to].data()); });
        field.sweep();
        if (sweep + 1 < sweeps) send(sweep + 1, x, y);
      }
  const double seconds = now() - started;
  const double sum = sum_of(fields);
  if (std::abs(sum - expected) > 1e-9 * expected) {
    fprintf(stderr, "stencil_bench: %.17g by a loop, %.17g block by block\n", expected, sum);
    exit(1);
  }
  return seconds;
}

double plain = 1e9, block_by_block = 1e9, by_elements = 1e9, started = 0;
int run = 0;
void next_run();

class Block : public skein::Chare<Block, skein::Index2> {
 public:
  void begin() {
    field_ = Field(index()[0], index()[1]);
    done_ = 0;
    neighbours_ = 0;
    for (const auto& [dx, dy] : step_to) neighbours_ += has_block(index()[0] + dx, index()[1] + dy);
    came_[0] = came_[1] = 0;
    contribute(skein::to_function<void>([] {
      started = now();
      all.broadcast<&Block::send_edges>();
    }));
  }
  void send_edges() {
    for (const Side to : {west, east, south, north}) {
      const auto [dx, dy] = step_to[to];
      const skein::Index2 there(index()[0] + dx, index()[1] + dy);
      if (!has_block(there[0], there[1])) continue;
      // The vector that came from that side goes back.
      std::vector<double> edge = std::move(edges_[(done_ + 1) % 2][to]);
      edge.resize(static_cast<std::size_t>(side));
      field_.copy_edge(to, edge.data());
      all[there].send<&Block::take_edge>(done_, static_cast<int>(Field::opposite(to)), std::move(edge));
    }
    if (neighbours_ == 0) sweep();
  }
  /// Takes an edge of the next sweep, or of the one after it. The field is used once all edges are there.
  void take_edge(int sweep_of, int from, std::vector<double> edge) {
    edges_[sweep_of % 2][from] = std::move(edge);
    if (++came_[sweep_of % 2] == neighbours_ && sweep_of == done_) sweep();
  }

  static inline skein::Array<Block> all;

 private:
  void sweep() {
    for (const Side from : {west, east, south, north}) {
      const std::vector<double>& edge = edges_[done_ % 2][from];
      if (!edge.empty()) field_.set_frame(from, edge.data());
    }
    field_.sweep();
    came_[done_ % 2] = 0;
    if (++done_ == sweeps) {
      contribute(skein::to_function<void>([] {
        by_elements = std::min(by_elements, now() - started);
        all.broadcast<&Block::add>();
      }));
      return;
    }
    send_edges();
    if (came_[done_ % 2] == neighbours_) self().send<&Block::catch_up>(done_);
  }

 public:
  /// Sweeps if all edges of that sweep were there before.
  void catch_up(int sweep_of) {
    if (sweep_of == done_) sweep();
  }
  void add() {
    contribute(field_.sum(), skein::sum, skein::to_function<double>([](double sum) {
                 if (std::abs(sum - expected) > 1e-9 * expected) {
                   fprintf(stderr, "stencil_bench: %.17g by elements, %.17g by a loop\n", sum, expected);
                   return skein::exit(1);
                 }
                 next_run();
               }));
  }

 private:
  Field field_;
  int done_ = 0, neighbours_ = 0;
  int came_[2] = {};
  std::vector<double> edges_[2][4];  // of even and of odd sweeps, by their origin
};

void next_run() {
  if (run++ == runs) {
    fprintf(stderr, "a sweep: loop %.1f us, block by block %.1f us, elements %.1f us\n", 1e6 * plain / sweeps,
            1e6 * block_by_block / sweeps, 1e6 * by_elements / sweeps);
    printf("%.3f %.3f\n", by_elements / plain, by_elements / block_by_block);
    return skein::exit();
  }
  plain = std::min(plain, plain_loop());
  block_by_block = std::min(block_by_block, loop_block_by_block());
  Block::all.broadcast<&Block::begin>();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') side = atoi(argv[1]);
  if (side < 1 || points % side != 0) {
    fprintf(stderr, "stencil_bench: %d does not divide %d\n", side, points);
    return 2;
  }
  return skein::run(argc, argv, [](skein::Job& job) {
    if (job.pes() > 1) throw std::runtime_error("stencil_bench: for one PE");
    Block::all = job.array<Block>({blocks(), blocks()});
    next_run();
  });
}
