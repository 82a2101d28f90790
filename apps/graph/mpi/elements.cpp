// SPDX-License-Identifier: Apache-2.0
#include "elements.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>

#include "apps/common/mixed.hpp"

namespace graph {
namespace {

std::uint64_t first_state(Vertex v) { return apps::mixed(v + 1u); }

std::uint8_t byte_of(Vertex v, std::uint64_t k) { return static_cast<std::uint8_t>(v * 31 + k); }

/// Sends each process its part of `out`, whose bytes are counted by process.
std::vector<std::uint8_t> give_out(MPI_Comm comm, const std::vector<std::vector<std::uint8_t>>& out) {
  const std::size_t processes = out.size();
  std::vector<std::uint64_t> sent(processes), received(processes);
  for (std::size_t p = 0; p < processes; ++p) sent[p] = out[p].size();
  MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, comm);
  std::uint64_t all = 0;
  for (const std::uint64_t bytes : received) all += bytes;
  std::vector<std::uint8_t> in(all);
  std::vector<MPI_Request> requests;
  std::uint64_t at = 0;
  for (std::size_t p = 0; p < processes; ++p) {
    if (received[p] > 0)
      MPI_Irecv(in.data() + at, static_cast<int>(received[p]), MPI_BYTE, static_cast<int>(p), 1, comm,
                &requests.emplace_back());
    at += received[p];
  }
  for (std::size_t p = 0; p < processes; ++p)
    if (sent[p] > 0)
      MPI_Isend(out[p].data(), static_cast<int>(sent[p]), MPI_BYTE, static_cast<int>(p), 1, comm,
                &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return in;
}

}  // namespace

Elements::Elements(MPI_Comm comm, const Graph& graph, std::vector<double> weights, std::vector<int> owner,
                   std::uint64_t element_bytes, std::uint64_t message_bytes)
    : comm_(comm),
      graph_(graph),
      weights_(std::move(weights)),
      owner_(std::move(owner)),
      element_bytes_(element_bytes),
      message_bytes_(message_bytes),
      state_(graph.size()) {
  MPI_Comm_rank(comm, &here_);
  MPI_Comm_size(comm, &processes_);
  for (Vertex v = 0; v < graph.size(); ++v) {
    state_[v] = first_state(v);
    if (owner_[v] != here_) continue;
    own_.push_back(v);
    for (std::uint64_t k = 0; k < element_bytes; ++k) bytes_.push_back(byte_of(v, k));
  }
  find_cut();
}

void Elements::find_cut() {
  sends_.clear();
  receives_.clear();
  for (const Vertex v : own_)
    for (const Vertex u : graph_.neighbours(v))
      if (owner_[u] != here_) sends_.push_back({v, u, owner_[u]});
  receives_ = sends_;
  std::ranges::sort(sends_, {}, [](const Edge& e) { return std::tuple(e.process, e.own, e.other); });
  std::ranges::sort(receives_, {}, [](const Edge& e) { return std::tuple(e.process, e.other, e.own); });
  out_.assign(sends_.size() * message_bytes_, 0);
  in_.assign(receives_.size() * message_bytes_, 0);
}

// Messages of two processes match in the order in which both post them.
void Elements::start_messages() {
  requests_.clear();
  const int bytes = static_cast<int>(message_bytes_);
  for (std::size_t k = 0; k < receives_.size(); ++k)
    MPI_Irecv(in_.data() + k * message_bytes_, bytes, MPI_BYTE, receives_[k].process, 0, comm_,
              &requests_.emplace_back());
  for (std::size_t k = 0; k < sends_.size(); ++k) {
    std::uint8_t* const message = out_.data() + k * message_bytes_;
    std::memcpy(message, &state_[sends_[k].own], sizeof(std::uint64_t));
    MPI_Isend(message, bytes, MPI_BYTE, sends_[k].process, 0, comm_, &requests_.emplace_back());
  }
}

void Elements::finish_messages() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (std::size_t k = 0; k < receives_.size(); ++k)
    std::memcpy(&state_[receives_[k].other], in_.data() + k * message_bytes_, sizeof(std::uint64_t));
  std::vector<std::uint64_t> next;
  for (const Vertex v : own_) {
    std::uint64_t sum = state_[v];
    for (const Vertex u : graph_.neighbours(v)) sum += state_[u];
    next.push_back(apps::mixed(sum));
  }
  for (std::size_t k = 0; k < own_.size(); ++k) state_[own_[k]] = next[k];
}

std::uint64_t Elements::move(std::span<const int> to) {
  std::vector<std::vector<std::uint8_t>> out(static_cast<std::size_t>(processes_));
  std::vector<int> owner(owner_.size(), -1);
  std::vector<Vertex> stay;
  std::vector<std::uint8_t> stay_bytes;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const Vertex v = own_[k];
    const auto data = std::span(bytes_).subspan(k * element_bytes_, element_bytes_);
    owner[v] = to[k];
    if (to[k] == here_) {
      stay.push_back(v);
      stay_bytes.insert(stay_bytes.end(), data.begin(), data.end());
      continue;
    }
    std::vector<std::uint8_t>& message = out[static_cast<std::size_t>(to[k])];
    const auto add = [&](const void* from, std::size_t bytes) {
      const auto* const first = static_cast<const std::uint8_t*>(from);
      message.insert(message.end(), first, first + bytes);
    };
    add(&v, sizeof v);
    add(&state_[v], sizeof state_[v]);
    add(data.data(), data.size());
  }
  const std::uint64_t gone = own_.size() - stay.size();
  // Only the old owner of a vertex knows the new one.
  MPI_Allreduce(owner.data(), owner_.data(), static_cast<int>(owner.size()), MPI_INT, MPI_MAX, comm_);
  const std::vector<std::uint8_t> in = give_out(comm_, out);

  std::vector<std::pair<Vertex, const std::uint8_t*>> all;
  for (std::size_t k = 0; k < stay.size(); ++k)
    all.push_back({stay[k], stay_bytes.data() + k * element_bytes_});
  const std::size_t one = sizeof(Vertex) + sizeof(std::uint64_t) + element_bytes_;
  for (std::size_t at = 0; at < in.size(); at += one) {
    Vertex v = 0;
    std::memcpy(&v, in.data() + at, sizeof v);
    std::memcpy(&state_[v], in.data() + at + sizeof v, sizeof state_[v]);
    all.push_back({v, in.data() + at + sizeof v + sizeof state_[v]});
  }
  std::ranges::sort(all);
  std::vector<std::uint8_t> bytes;
  own_.clear();
  for (const auto& [v, data] : all) {
    own_.push_back(v);
    bytes.insert(bytes.end(), data, data + element_bytes_);
  }
  bytes_ = std::move(bytes);
  find_cut();
  return gone;
}

std::uint64_t Elements::fingerprint() const {
  std::uint64_t mine = 0, all = 0;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const Vertex v = own_[k];
    for (std::uint64_t b = 0; b < element_bytes_; ++b)
      if (bytes_[k * element_bytes_ + b] != byte_of(v, b))
        throw std::logic_error("element " + std::to_string(v) + " lost its bytes on the way");
    mine += apps::mixed(state_[v] + v);
  }
  MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, comm_);
  return all;
}

}  // namespace graph
