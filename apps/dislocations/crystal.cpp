// SPDX-License-Identifier: Apache-2.0
#include "crystal.hpp"

#include "scenario.hpp"

namespace dislocations {

Crystal::Crystal(const Parameters& parameters) : Crystal(parameters, initial_nodes(parameters)) {}

Crystal::Crystal(const Parameters& parameters, std::span<const Node> nodes)
    : parameters_(parameters), domain_(parameters, 0) {
  domain_.take(nodes);
}

void Crystal::read(const Outbox<Notice>& notices) {
  for (const auto& [to, all] : notices) domain_.read(all);
}

void Crystal::attract() {
  near_ = domain_.surroundings({});
  std::vector<Moments> moments(static_cast<std::size_t>(parameters_.box.cell_count()));
  domain_.add_to(moments);
  const std::vector<Multipole> multipoles(moments.begin(), moments.end());
  for (const std::int32_t cell : domain_.cells())
    read(domain_.attract(near_, FarField(parameters_.material, parameters_.box, multipoles, cell), cell));
}

void Crystal::advance() {
  ++step_;
  read(domain_.annihilate(near_));
  read(domain_.move());
  read(domain_.remesh(step_));
}

}  // namespace dislocations
