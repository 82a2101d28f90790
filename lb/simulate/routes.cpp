// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/routes.hpp"

namespace skein::simulate {

Routes::Routes(const Platform& platform) : torus_(platform.links.kind == NetworkKind::torus) {
  const std::vector<std::uint32_t>& shape = platform.links.shape;
  std::uint32_t nodes = 1;
  for (const std::uint32_t extent : shape) nodes *= extent;
  if (torus_) {
    extent_ = shape;
    std::uint32_t stride = 1;
    for (const std::uint32_t extent : shape) {
      stride_.push_back(stride);
      stride *= extent;
    }
    for (std::uint32_t node = 0; node < nodes; ++node)
      for (std::size_t d = 0; d < shape.size(); ++d) place_.push_back(node / stride_[d] % extent_[d]);
    links_ = std::size_t{nodes} * shape.size() * 2;
    return;
  }
  Level level{1, 1, 1, 0};
  for (std::size_t l = 0; l < shape.size(); ++l) {
    if (l > 0) level.ports = platform.links.up[l - 1];
    levels_.push_back(level);
    level.first_link += nodes / level.below * level.copies * level.ports * 2;
    level.below *= shape[l];
    level.copies *= level.ports;
  }
  levels_.push_back(level);  // the top level has no links up
  links_ = level.first_link;
}

const std::vector<LinkIndex>& Routes::between(std::uint32_t from, std::uint32_t to) {
  route_.clear();
  if (torus_) {
    around(from, to);
  } else {
    up_and_down(from, to);
  }
  return route_;
}

void Routes::around(std::uint32_t from, std::uint32_t to) {
  const std::size_t dimensions = extent_.size();
  const std::uint32_t* const source = &place_[from * dimensions];
  const std::uint32_t* const target = &place_[to * dimensions];
  std::uint32_t node = from;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::uint32_t extent = extent_[d], stride = stride_[d];
    std::uint32_t at = source[d];
    const std::uint32_t ahead = target[d] >= at ? target[d] - at : target[d] + extent - at;
    const bool forward = 2 * ahead < extent || (2 * ahead == extent && target[d] > at);
    for (std::uint32_t steps = forward ? ahead : extent - ahead; ahead > 0 && steps > 0; --steps) {
      route_.push_back(static_cast<LinkIndex>((node * dimensions + d) * 2 + !forward));
      if (forward) {
        const bool wraps = ++at == extent;
        if (wraps) at = 0;
        node = wraps ? node - stride * (extent - 1) : node + stride;
      } else {
        const bool wraps = at == 0;
        at = wraps ? extent - 1 : at - 1;
        node = wraps ? node + stride * (extent - 1) : node - stride;
      }
    }
  }
}

void Routes::up_and_down(std::uint32_t from, std::uint32_t to) {
  std::uint32_t copy = 0;  // index among the switches with the same nodes below
  std::size_t top = 0;
  const auto link = [&](const Level& level, std::uint32_t node, std::uint32_t port) {
    return level.first_link +
           ((node / level.below * level.copies + copy % level.copies) * level.ports + port) * 2;
  };
  for (; from / levels_[top].below != to / levels_[top].below; ++top) {
    const Level& level = levels_[top];
    const std::uint32_t port = to / level.copies % level.ports;
    route_.push_back(link(level, from, port));
    copy += port * level.copies;
  }
  while (top-- > 0) {
    const Level& level = levels_[top];
    route_.push_back(link(level, to, copy / level.copies % level.ports) + 1);
  }
}

}  // namespace skein::simulate
