// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/lazy.hpp"

namespace skein::lb::lazy {

Coordinator::Coordinator(std::size_t members, Point from)
    : members_(members, Sent{.newest = from}), whole_(from), at_whole_(members), floor_(from) {}

bool Coordinator::share(std::size_t member, Point asked) {
  Sent& sent = members_[member];
  change(sent, std::max(sent.newest, asked), sent.dry_in);
  return needs(asked);
}

void Coordinator::dry(std::size_t member, std::uint64_t epoch) {
  Sent& sent = members_[member];
  change(sent, sent.newest, std::max(sent.dry_in, epoch + 1));
}

/// A member's objects leave their shares in order, so that its newest one says that it has sent all others.
Point Coordinator::sent_up_to(const Sent& member) const {
  return member.dry_in == epoch_ + 1 ? kNever : member.newest;
}

void Coordinator::change(Sent& member, Point newest, std::uint64_t dry_in) {
  const bool was_last = sent_up_to(member) == whole_;
  member = {newest, dry_in};
  if (was_last && sent_up_to(member) != whole_ && --at_whole_ == 0) find_whole();
}

void Coordinator::find_whole() {
  whole_ = kNever;
  at_whole_ = 0;
  for (const Sent& member : members_) {
    const Point up_to = sent_up_to(member);
    if (up_to < whole_) whole_ = up_to, at_whole_ = 0;
    if (up_to == whole_) ++at_whole_;
  }
}

Point Coordinator::newest_whole() const { return whole_ == kNever ? 0 : whole_; }

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

void Coordinator::wants_stop(Point about) {
  about_ = floor_ = about;
  decides();
}

std::optional<Point> Coordinator::promised(Point about, Point promise) {
  if (state_ != State::decided || about != about_) return std::nullopt;  // it was dropped
  largest_promise_ = std::max(largest_promise_, promise);
  if (--promises_missing_ > 0) return std::nullopt;
  state_ = State::agreed;
  floor_ = std::max(floor_, largest_promise_ - 1);
  return largest_promise_;
}

bool Coordinator::dropped(std::uint64_t drop) {
  drop_ = drop;
  const bool is_known = state_ == State::decided || state_ == State::agreed;
  if (is_known) state_ = State::idle;
  return is_known;
}

void Coordinator::applied() {
  state_ = State::idle;
  ++epoch_;
  find_whole();
}

}  // namespace skein::lb::lazy
