// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/gather.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "runtime/advisor/couple.hpp"

namespace skein::advisor {
namespace {

// What goes round for each element.
struct Record {
  std::uint64_t id;
  std::uint64_t bytes;
  double load;
  std::array<float, 3> position;
};

struct Summary {
  double weight, seconds;
  std::uint64_t elements, positions, steps;
  bool positions_finite;
};

template <class T>
std::vector<T> all_of(MPI_Comm comm, const std::vector<T>& mine, std::vector<int>& counts) {
  int processes = 0;
  MPI_Comm_size(comm, &processes);
  // Whole records count, so that 2^31 bytes are no limit.
  MPI_Datatype record;
  MPI_Type_contiguous(sizeof(T), MPI_BYTE, &record);
  MPI_Type_commit(&record);
  const int count = static_cast<int>(mine.size());
  counts.resize(static_cast<std::size_t>(processes));
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::vector<int> offsets;
  int total = 0;
  for (int each : counts) {
    offsets.push_back(total);
    total += each;
  }
  std::vector<T> all(static_cast<std::size_t>(total));
  MPI_Allgatherv(mine.data(), count, record, all.data(), counts.data(), offsets.data(), record, comm);
  MPI_Type_free(&record);
  return all;
}

[[noreturn]] void wrong(const std::string& text) { throw std::invalid_argument("skein advisor: " + text); }

// Every process has all summaries and records, so all find the same fault.
void check(const std::vector<Summary>& processes) {
  bool positions = false;
  for (const Summary& one : processes) positions = positions || one.positions > 0;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const Summary& one = processes[p];
    const std::string where = "process " + std::to_string(p);
    if (!(one.weight >= 0) || !std::isfinite(one.weight))
      wrong(where + " gave a weight that is negative or not finite");
    if (!(one.seconds >= 0) || !std::isfinite(one.seconds))
      wrong(where +
            " worked a time that is negative or not finite; call begin_work() and end_work() in pairs");
    if (positions && one.positions != one.elements)
      wrong(where + " gave " + std::to_string(one.positions) + " positions for " +
            std::to_string(one.elements) + " elements; give one for each, or none on any process");
    if (!one.positions_finite) wrong(where + " gave a position that is not finite");
    if (one.steps != processes[0].steps)
      wrong(where + " measured " + std::to_string(one.steps) + " steps and process 0 " +
            std::to_string(processes[0].steps) + "; all give the same number");
  }
}

Summary summarise(const Given& given) {
  Summary summary{0, given.seconds, given.elements.size(), given.positions.size(), given.steps, true};
  for (const std::array<float, 3>& position : given.positions)
    for (const float coordinate : position)
      summary.positions_finite = summary.positions_finite && std::isfinite(coordinate);
  for (const AdvisorElement& element : given.elements) {
    if (!(element.weight >= 0)) summary.weight = std::numeric_limits<double>::quiet_NaN();
    summary.weight += element.weight;
  }
  return summary;
}

lb::CommGraph graph_of(const Gathered& gathered, const std::vector<AdvisorEdge>& edges, std::uint64_t steps) {
  std::vector<lb::CommEdge> indexed;
  for (const AdvisorEdge& edge : edges) {
    const auto from = gathered.index_of.find(edge.from), to = gathered.index_of.find(edge.to);
    if (from == gathered.index_of.end() || to == gathered.index_of.end() || !(edge.bytes >= 0) ||
        !std::isfinite(edge.bytes))
      wrong("the edge from element " + std::to_string(edge.from) + " to " + std::to_string(edge.to) +
            " has an end that nobody gave, or bytes that are negative or not finite");
    indexed.push_back({from->second, to->second, edge.bytes * static_cast<double>(steps),
                       static_cast<std::uint32_t>(steps)});
  }
  return lb::make_comm_graph(gathered.snapshot.object_count(), indexed);
}

}  // namespace

Gathered gather(MPI_Comm comm, const Given& given) {
  std::vector<int> counts;
  const std::vector<Summary> summaries = all_of(comm, std::vector<Summary>{summarise(given)}, counts);
  check(summaries);

  const std::vector<double> loads = couple(given.elements, given.seconds);
  std::vector<Record> mine;
  for (std::size_t i = 0; i < given.elements.size(); ++i) {
    const AdvisorElement& element = given.elements[i];
    mine.push_back({element.id, element.bytes, loads[i],
                    given.positions.empty() ? std::array<float, 3>{} : given.positions[i]});
  }
  const std::vector<Record> records = all_of(comm, mine, counts);
  std::vector<int> edge_counts;
  const std::vector<AdvisorEdge> edges =
      all_of(comm, std::vector<AdvisorEdge>(given.edges.begin(), given.edges.end()), edge_counts);

  Gathered gathered;
  int here = 0;
  MPI_Comm_rank(comm, &here);
  gathered.snapshot.pes = lb::uniform_pes(summaries.size());
  bool positions = false;
  for (const Summary& one : summaries) positions = positions || one.positions > 0;
  std::size_t next = 0;
  for (std::size_t p = 0; p < summaries.size(); ++p) {
    gathered.modelled.push_back(summaries[p].weight);
    gathered.measured.push_back(summaries[p].seconds);
    // What a process without elements worked is nothing that could move.
    if (counts[p] == 0) gathered.snapshot.pes.background_s[p] = summaries[p].seconds;
    if (static_cast<int>(p) == here) gathered.first = next;
    for (int k = 0; k < counts[p]; ++k, ++next) {
      const Record& record = records[next];
      const lb::ObjectIndex index = gathered.snapshot.add_object(
          {.id = record.id, .pe = static_cast<lb::PeIndex>(p), .load = record.load, .bytes = record.bytes});
      if (positions) gathered.snapshot.objects.position.push_back(record.position);
      if (!gathered.index_of.emplace(record.id, index).second)
        wrong("element " + std::to_string(record.id) + " was given twice");
    }
  }
  if (!edges.empty()) gathered.snapshot.graph = graph_of(gathered, edges, given.steps);
  return gathered;
}

void reduce_max(MPI_Comm comm, std::span<double> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, comm);
}

}  // namespace skein::advisor
