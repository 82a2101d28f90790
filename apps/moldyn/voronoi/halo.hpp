// SPDX-License-Identifier: Apache-2.0
// Brings to each process the values of other processes' atoms that act on its own. The time at which a
// message arrives travels with it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "clock.hpp"

namespace moldyn {

class Halo {
 public:
  struct Partner {
    int process = 0;
    std::vector<std::uint32_t> to;    ///< numbers of the atoms that it needs
    std::vector<std::uint32_t> from;  ///< numbers of the atoms that come from it
  };

  Halo() = default;
  Halo(MPI_Comm comm, std::vector<Partner> partners) : comm_(comm), partners_(std::move(partners)) {}

  std::size_t partners() const { return partners_.size(); }

  /// Sets the values of other processes' atoms, of all atoms by number, to those of their processes.
  /// Collective.
  template <class T>
  void exchange(std::span<T> values, Clock& clock) const;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<Partner> partners_;
};

template <class T>
void Halo::exchange(std::span<T> values, Clock& clock) const {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto bytes = [](std::span<const std::uint32_t> atoms) {
    return sizeof(double) + atoms.size() * sizeof(T);
  };
  std::vector<std::vector<std::byte>> out(partners_.size()), in(partners_.size());
  std::vector<MPI_Request> requests;
  const auto request = [&] { return &requests.emplace_back(MPI_REQUEST_NULL); };
  requests.reserve(2 * partners_.size());
  for (std::size_t k = 0; k < partners_.size(); ++k) {
    const Partner& partner = partners_[k];
    if (partner.from.empty()) continue;
    in[k].resize(bytes(partner.from));
    MPI_Irecv(in[k].data(), static_cast<int>(in[k].size()), MPI_BYTE, partner.process, 0, comm_, request());
  }
  for (std::size_t k = 0; k < partners_.size(); ++k) {
    const Partner& partner = partners_[k];
    if (partner.to.empty()) continue;
    const Clock::Busy busy(clock);
    out[k].resize(bytes(partner.to));
    std::byte* next = out[k].data() + sizeof(double);
    for (const std::uint32_t atom : partner.to) {
      std::memcpy(next, &values[atom], sizeof(T));
      next += sizeof(T);
    }
    clock.work(instructions::pack_atom * static_cast<double>(partner.to.size()));
    const double arrival = clock.send(out[k].size());
    std::memcpy(out[k].data(), &arrival, sizeof arrival);
    MPI_Isend(out[k].data(), static_cast<int>(out[k].size()), MPI_BYTE, partner.process, 0, comm_, request());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  const Clock::Busy busy(clock);
  for (std::size_t k = 0; k < partners_.size(); ++k) {
    if (partners_[k].from.empty()) continue;
    double arrival = 0;
    std::memcpy(&arrival, in[k].data(), sizeof arrival);
    clock.receive(arrival);
    const std::byte* next = in[k].data() + sizeof(double);
    for (const std::uint32_t atom : partners_[k].from) {
      std::memcpy(&values[atom], next, sizeof(T));
      next += sizeof(T);
    }
    clock.work(instructions::pack_atom * static_cast<double>(partners_[k].from.size()));
  }
}

}  // namespace moldyn
