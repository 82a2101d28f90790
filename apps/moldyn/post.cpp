// SPDX-License-Identifier: Apache-2.0
#include "post.hpp"

#include "cell.hpp"

namespace moldyn {

void Post::hand_out(const skein::Index3& cell, std::uint32_t to_directions, const SharedFrame& frame) {
  Answers& answers = answers_[key(cell)];
  for (int direction = 0; direction < directions; ++direction) {
    if (!(to_directions >> direction & 1)) continue;
    const PairName name = pair_of(grid_, cell, direction);
    const auto pair = pairs_[name.index];
    const bool is_here = pair.local() != nullptr;
    answers.missing += is_here;
    pair.send<&Pair::take>(name.side, frame, is_here ? AnswerBy::post : AnswerBy::itself);
  }
  if (answers.missing == 0) answers_.erase(key(cell));
}

void Post::collect(const skein::Index3& cell, DirectedPush push) {
  const auto at = answers_.find(key(cell));
  at->second.pushes.push_back(std::move(push));
  if (--at->second.missing > 0) return;
  cells_[cell].send<&Cell::take_pushes>(std::move(at->second.pushes));
  answers_.erase(at);
}

}  // namespace moldyn
