// SPDX-License-Identifier: Apache-2.0
// bt_mz_check TRACE CLASS: checks that a recording of BT-MZ has the shape that bt_mz_trace makes. Messages
// must be those of the formula, to the byte and in their order. For measured values it prints, as JSON, the
// error of the formula: times of a step by points and by counted operations (each rank's least, because
// disturbances only add), and sizes.
#include <cstdio>
#include <exception>
#include <limits>
#include <numeric>

#include "bench/papers/bt_mz_shape.hpp"
#include "skein/lb/trace.hpp"

namespace {

using namespace skein::trace;

struct Recorded {
  std::vector<bt_mz::Partner> sent;  // in the last step
  std::uint64_t burst_ns = std::numeric_limits<std::uint64_t>::max(), bytes = 0, syncs = 0;
};

Recorded read(const Trace& trace, ObjectIndex rank) {
  Recorded found;
  std::vector<bt_mz::Partner> sent;
  Cursor cursor = trace.events(rank);
  while (const Event* event = cursor.next()) {
    if (event->kind == EventKind::send)
      sent.push_back({static_cast<std::size_t>(event->partner), event->bytes});
    if (event->kind != EventKind::sync) continue;
    found.sent = std::exchange(sent, {});
    found.burst_ns = std::min(found.burst_ns, event->burst_ns);
    found.bytes = event->bytes;
    ++found.syncs;
  }
  return found;
}

[[noreturn]] void refuse(const std::string& file, const bt_mz::Class& of, const std::string& why) {
  const std::string ranks = std::to_string(of.columns * of.rows);
  std::string text = file;
  text += " is no recording of BT-MZ, class ";
  text += of.name;
  text += ", with a rank a zone: " + why + ". Build bt-mz with NPROCS=" + ranks;
  text += ", with a call of MPI_Migrate at the end of each step, and record it with as many ranks";
  throw std::runtime_error(text);
}

void check_messages(const std::string& file, const bt_mz::Class& of, const bt_mz::Shape& shape,
                    std::size_t rank, const Recorded& found) {
  const auto expected = shape.partners(rank);
  const auto text = [](const std::vector<bt_mz::Partner>& list) {
    std::string all;
    for (const bt_mz::Partner& one : list) {
      all.append(" ").append(std::to_string(one.bytes));
      all += " bytes to " + std::to_string(one.rank);
    }
    if (all.empty()) all += " nothing";
    return all;
  };
  if (found.syncs == 0) refuse(file, of, "rank " + std::to_string(rank) + " has no sync point");
  if (text(found.sent) != text(expected))
    refuse(file, of,
           "in a step rank " + std::to_string(rank) + " sends" + text(found.sent) + ", and BT-MZ" +
               text(expected));
}

// Returns the mean relative error of time = factor * work, with the factor of the sums.
double error(const std::vector<double>& work, const std::vector<double>& time) {
  double works = 0, times = 0, sum = 0;
  for (std::size_t i = 0; i < work.size(); ++i) works += work[i], times += time[i];
  for (std::size_t i = 0; i < work.size(); ++i) sum += std::abs(work[i] * times / works - time[i]) / time[i];
  return sum / static_cast<double>(work.size());
}

void check(const std::string& file, const bt_mz::Class& of) {
  const Trace trace = read_trace(file);
  const bt_mz::Shape shape(of);
  if (trace.object_count() != shape.ranks())
    refuse(file, of,
           "it has " + std::to_string(trace.object_count()) + " ranks, and the class " +
               std::to_string(shape.ranks()) + " zones");
  std::vector<double> points, operations, times, bytes, held;
  for (std::size_t rank = 0; rank < shape.ranks(); ++rank) {
    const Recorded found = read(trace, static_cast<ObjectIndex>(rank));
    check_messages(file, of, shape, rank, found);
    points.push_back(static_cast<double>(shape.zone(rank).points()));
    operations.push_back(shape.zone(rank).operations());
    times.push_back(static_cast<double>(found.burst_ns));
    bytes.push_back(static_cast<double>(shape.zone(rank).held_bytes()));
    held.push_back(static_cast<double>(found.bytes));
  }
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  std::printf(
      "{\"operation_ns\": %.4g, \"error_by_operations\": %.4g, \"error_by_points\": %.4g, "
      "\"error_by_bytes\": %.4g}\n",
      sum(times) / sum(operations), error(operations, times), error(points, times), error(bytes, held));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bt_mz_check TRACE CLASS\n");
    return 2;
  }
  try {
    check(argv[1], bt_mz::class_of(argv[2]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bt_mz_check: %s\n", error.what());
    return 1;
  }
}
