// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/part.hpp"

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "skein/lb/team_messages.hpp"

namespace skein::advisor {
namespace {

struct SummaryOf {
  std::uint64_t member;
  Summary summary;
};

/// Returns the summaries of all members, on each process.
std::vector<Summary> summaries_of_all(const ToldHere& here, std::size_t members, lb::Team& team) {
  std::vector<SummaryOf> mine;
  for (std::size_t k = 0; k < here.members.size(); ++k)
    mine.push_back({static_cast<std::uint64_t>(here.members[k]), here.told.summaries[k]});
  std::vector<Summary> all(members);
  for (const auto& came : lb::exchange_lists(lb::Lists<SummaryOf>(team.size(), mine), team))
    for (const SummaryOf& one : came) all[one.member] = one.summary;
  return all;
}

/// Throws the first fault that any process has found on all.
void agree_on_fault(const std::string& fault, lb::Team& team) {
  const std::vector<char> mine(fault.begin(), fault.end());
  for (const auto& came : lb::exchange_lists(lb::Lists<char>(team.size(), mine), team))
    if (!came.empty()) throw std::invalid_argument(std::string(came.begin(), came.end()));
}

/// Returns the process that registers an id, which knows where it exists.
std::size_t registrar_of(std::uint64_t id, std::size_t processes) {
  return static_cast<std::size_t>((id * 0x9e3779b97f4a7c15u) >> 32) % processes;
}

std::unordered_set<std::uint64_t> register_ids(std::span<const Record> records, lb::Team& team) {
  lb::Lists<std::uint64_t> out(team.size());
  for (const Record& record : records) out[registrar_of(record.id, team.size())].push_back(record.id);
  std::unordered_set<std::uint64_t> registered;
  std::string fault;
  for (const auto& ids : lb::exchange_lists(out, team))
    for (const std::uint64_t id : ids)
      if (!registered.insert(id).second)
        fault = "skein advisor: element " + std::to_string(id) + " was given twice";
  agree_on_fault(fault, team);
  return registered;
}

using Places = std::unordered_map<std::uint64_t, lb::ObjectIndex>;

void check_edges(std::span<const AdvisorEdge> edges, const Places& own,
                 const std::unordered_set<std::uint64_t>& registered, lb::Team& team) {
  struct Ends {
    std::uint64_t from, to;
  };
  const auto fault_of = [](const Ends& ends) {
    return "skein advisor: the edge from element " + std::to_string(ends.from) + " to " +
           std::to_string(ends.to) +
           " joins an element that no process gave, or its bytes are negative or not finite";
  };
  std::string fault;
  lb::Lists<Ends> out(team.size());
  for (const AdvisorEdge& edge : edges) {
    const Ends ends{edge.from, edge.to};
    if (!own.contains(edge.from) || !(edge.bytes >= 0) || !std::isfinite(edge.bytes)) fault = fault_of(ends);
    out[registrar_of(edge.to, team.size())].push_back(ends);
  }
  for (const auto& came : lb::exchange_lists(out, team))
    for (const Ends& ends : came)
      if (!registered.contains(ends.to)) fault = fault_of(ends);
  agree_on_fault(fault, team);
}

}  // namespace

Part make_part(const ToldHere& here, std::size_t members, lb::Team& team) {
  const std::vector<Summary> all = summaries_of_all(here, members, team);
  check(all);
  const ProcessReport& told = here.told;
  const std::unordered_set<std::uint64_t> registered = register_ids(told.records, team);
  lb::MeasuredPart measured{
      .objects = {}, .edges = {}, .node_of_pe = std::vector<std::uint32_t>(members), .speed_of_pe = {}};
  Part part;
  Places own;
  bool positions = false;
  for (const Summary& one : all) positions = positions || one.positions > 0;
  std::size_t next = 0;
  for (std::size_t k = 0; k < here.members.size(); ++k) {
    part.first.push_back(next);
    for (const std::size_t end = next + static_cast<std::size_t>(told.counts[k]); next < end; ++next) {
      const Record& record = told.records[next];
      own.emplace(record.id, static_cast<lb::ObjectIndex>(next));
      measured.objects.push_back({.id = record.id,
                                  .pe = static_cast<lb::PeIndex>(here.members[k]),
                                  .load = record.load,
                                  .bytes = record.bytes});
      if (positions) measured.objects.back().position = record.position;
    }
  }
  part.first.push_back(next);
  measured.has_edges = lb::any(!told.edges.empty(), team);
  if (measured.has_edges) {
    check_edges(told.edges, own, registered, team);
    const std::uint64_t steps = all.front().steps;
    for (const AdvisorEdge& edge : told.edges)
      measured.edges.push_back({own.at(edge.from), edge.to, edge.bytes * static_cast<double>(steps),
                                static_cast<std::uint32_t>(steps)});
  }
  part.snapshot = lb::make_part(measured, team);
  for (std::size_t p = 0; p < members; ++p) {
    part.modelled.push_back(all[p].weight);
    part.measured.push_back(all[p].seconds);
    // Work of a process without elements cannot move.
    if (all[p].elements == 0) part.snapshot.pes.background_s[p] = all[p].seconds;
  }
  return part;
}

}  // namespace skein::advisor
