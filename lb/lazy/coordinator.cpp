// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/lazy.hpp"

namespace skein::lb::lazy {

Coordinator::Coordinator(std::size_t members) : members_(members) {}

bool Coordinator::share(std::size_t member, Point asked) {
  Point& newest = members_[member].newest;
  newest = std::max(newest, asked);
  return needs(asked);
}

void Coordinator::dry(std::size_t member, std::uint64_t epoch) {
  members_[member].dry_in = std::max(members_[member].dry_in, epoch + 1);
}

// A member's objects leave their shares in order, so that its newest one says that it has sent all others.
Point Coordinator::newest_whole() const {
  Point newest = kNever;
  for (const Sent& member : members_)
    if (member.dry_in != epoch_ + 1) newest = std::min(newest, member.newest);
  return newest == kNever ? 0 : newest;
}

std::optional<Point> Coordinator::take() {
  if (state_ != State::idle) return std::nullopt;
  const Point newest = newest_whole();
  if (!needs(newest)) return std::nullopt;
  state_ = State::deciding;
  about_ = floor_ = newest;
  return newest;
}

void Coordinator::nothing_to_do() { state_ = State::idle; }

void Coordinator::decides() {
  state_ = State::decided;
  largest_promise_ = 0;
  promises_missing_ = members_.size();
}

std::optional<Point> Coordinator::promised(Point promise) {
  largest_promise_ = std::max(largest_promise_, promise);
  if (--promises_missing_ > 0) return std::nullopt;
  state_ = State::agreed;
  floor_ = std::max(floor_, largest_promise_ - 1);
  return largest_promise_;
}

void Coordinator::applied() {
  state_ = State::idle;
  ++epoch_;
}

}  // namespace skein::lb::lazy
