// SPDX-License-Identifier: Apache-2.0
// States of a job of ranks.
#pragma once

#include <string>

#include "runtime/checkpoint/images.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::checkpoint {

template <class F>
void for_ranks_here(F f) {
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id)
    if (pe::is_here(static_cast<int>(id))) f(rank_in_slot(static_cast<int>(id)));
}

/// The content of states: the ranks of this PE, in their slots. Construct it on the PE's own stack, after the
/// arena is reserved and the guards of the job are drawn.
class RankContent final : public Content {
 public:
  RankContent(int descriptor_limit, int first_process, std::string environment);
  void check() override;
  std::unique_ptr<Packed> pack() override;
  void describe(Manifest& manifest) override;

 private:
  int descriptor_limit_, first_process_;  ///< as in the manifest
  std::string environment_;
};

}  // namespace skein::checkpoint
