// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/told.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "runtime/advisor/couple.hpp"

namespace skein::advisor {
namespace {

[[noreturn]] void wrong(const std::string& text) { throw std::invalid_argument("skein advisor: " + text); }

Summary summarise(const ProcessInput& given) {
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
            " joins an element that no process gave, or its bytes are negative or not finite");
    indexed.push_back({from->second, to->second, edge.bytes * static_cast<double>(steps),
                       static_cast<std::uint32_t>(steps)});
  }
  return lb::make_comm_graph(gathered.snapshot.object_count(), indexed);
}

lb::Hypergraph hypergraph_of(const Gathered& gathered, const ProcessReport& all, std::uint64_t steps) {
  std::vector<lb::Hyperedge> hyperedges;
  std::size_t next = 0;
  for (const Interaction& each : all.interactions) {
    const std::string where = "interaction " + std::to_string(hyperedges.size());
    if (!(each.bytes >= 0) || !std::isfinite(each.bytes))
      wrong(where + " has bytes that are negative or not finite");
    lb::Hyperedge& hyperedge =
        hyperedges.emplace_back(lb::Hyperedge{{}, each.bytes * static_cast<double>(steps)});
    for (const std::size_t end = next + each.elements; next < end; ++next) {
      const auto element = gathered.index_of.find(all.joined[next]);
      if (element == gathered.index_of.end())
        wrong(where + " joins element " + std::to_string(all.joined[next]) + ", which no process gave");
      hyperedge.objects.push_back(element->second);
    }
    std::ranges::sort(hyperedge.objects);
    const auto twice = std::ranges::adjacent_find(hyperedge.objects);
    if (twice != hyperedge.objects.end())
      wrong(where + " joins element " + std::to_string(gathered.snapshot.objects.id[*twice]) + " twice");
  }
  return lb::make_hypergraph(gathered.snapshot.object_count(), hyperedges);
}

}  // namespace

void ProcessReport::append(const ProcessReport& next) {
  summaries.insert(summaries.end(), next.summaries.begin(), next.summaries.end());
  counts.insert(counts.end(), next.counts.begin(), next.counts.end());
  records.insert(records.end(), next.records.begin(), next.records.end());
  edges.insert(edges.end(), next.edges.begin(), next.edges.end());
  interactions.insert(interactions.end(), next.interactions.begin(), next.interactions.end());
  joined.insert(joined.end(), next.joined.begin(), next.joined.end());
}

ProcessReport told_by(const ProcessInput& given) {
  ProcessReport told{.summaries = {summarise(given)},
                     .counts = {static_cast<int>(given.elements.size())},
                     .records = {},
                     .edges = {given.edges.begin(), given.edges.end()},
                     .interactions = {},
                     .joined = {}};
  for (const AdvisorInteraction& each : given.interactions) {
    told.interactions.push_back({each.bytes, each.elements.size()});
    told.joined.insert(told.joined.end(), each.elements.begin(), each.elements.end());
  }
  const std::vector<double> loads = couple(given.elements, given.seconds);
  for (std::size_t i = 0; i < given.elements.size(); ++i) {
    const AdvisorElement& element = given.elements[i];
    told.records.push_back({element.id, element.bytes, loads[i],
                            i < given.positions.size() ? given.positions[i] : std::array<float, 3>{}});
  }
  return told;
}

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
            " has a working time that is negative or not finite; call begin_work() and end_work() in pairs");
    if (positions && one.positions != one.elements)
      wrong(where + " gave " + std::to_string(one.positions) + " positions for " +
            std::to_string(one.elements) + " elements; give one for each, or none on any process");
    if (!one.positions_finite) wrong(where + " gave a position that is not finite");
    if (one.steps != processes[0].steps)
      wrong(where + " measured " + std::to_string(one.steps) + " steps and process 0 " +
            std::to_string(processes[0].steps) + "; all give the same number");
  }
}

Gathered assemble(const ProcessReport& all) {
  check(all.summaries);
  Gathered gathered;
  gathered.snapshot.pes = lb::uniform_pes(all.summaries.size());
  bool positions = false;
  for (const Summary& one : all.summaries) positions = positions || one.positions > 0;
  std::size_t next = 0;
  for (std::size_t p = 0; p < all.summaries.size(); ++p) {
    gathered.modelled.push_back(all.summaries[p].weight);
    gathered.measured.push_back(all.summaries[p].seconds);
    // Work of a process without elements cannot move.
    if (all.counts[p] == 0) gathered.snapshot.pes.background_s[p] = all.summaries[p].seconds;
    gathered.first.push_back(next);
    for (int k = 0; k < all.counts[p]; ++k, ++next) {
      const Record& record = all.records[next];
      const lb::ObjectIndex index = gathered.snapshot.add_object(
          {.id = record.id, .pe = static_cast<lb::PeIndex>(p), .load = record.load, .bytes = record.bytes});
      if (positions) gathered.snapshot.objects.position.push_back(record.position);
      if (!gathered.index_of.emplace(record.id, index).second)
        wrong("element " + std::to_string(record.id) + " was given twice");
    }
  }
  gathered.first.push_back(next);
  if (!all.edges.empty())
    gathered.snapshot.graph = graph_of(gathered, all.edges, all.summaries.front().steps);
  if (!all.interactions.empty())
    gathered.snapshot.hypergraph = hypergraph_of(gathered, all, all.summaries.front().steps);
  return gathered;
}

}  // namespace skein::advisor
