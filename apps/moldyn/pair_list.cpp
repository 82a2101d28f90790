// SPDX-License-Identifier: Apache-2.0
#include "pair_list.hpp"

namespace moldyn {

void PairList::find(std::span<const Vec3> a, std::span<const Vec3> b, const Vec3& shift, double reach) {
  find_from(a, b, shift, reach, false);
}

void PairList::find_within(std::span<const Vec3> a, double reach) { find_from(a, a, {}, reach, true); }

void PairList::find_from(std::span<const Vec3> a, std::span<const Vec3> b, const Vec3& shift, double reach,
                         bool within) {
  first_.assign(1, 0);
  partners_.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec3 at = a[i] - shift;
    for (std::size_t j = within ? i + 1 : 0; j < b.size(); ++j) {
      const Vec3 apart = at - b[j];
      if (dot(apart, apart) < reach * reach) partners_.push_back(static_cast<std::uint32_t>(j));
    }
    first_.push_back(static_cast<std::uint32_t>(partners_.size()));
  }
}

PairEnergies PairList::add_forces(const LennardJones& potential, std::span<const Vec3> a,
                                  std::span<const Vec3> b, const Vec3& shift, std::span<Vec3> force_a,
                                  std::span<Vec3> force_b) const {
  PairEnergies sum;
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
    const Vec3 at = a[i] - shift;
    Vec3 force;
    for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) {
      const std::size_t j = partners_[k];
      const Vec3 apart = at - b[j];
      const double distance2 = dot(apart, apart);
      if (distance2 >= potential.cutoff2()) continue;
      const LennardJones::Value value = potential(distance2);
      const Vec3 push = value.push * apart;
      force += push;
      force_b[j] -= push;
      sum.potential += value.energy;
      sum.virial += value.push * distance2;
    }
    force_a[i] += force;
  }
  return sum;
}

}  // namespace moldyn
