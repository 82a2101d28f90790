// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/lazy.hpp"

#include <algorithm>

namespace skein::lb::lazy {
namespace {

Point behind(Point point, Point by) { return by >= kNever - point ? kNever : point + by; }

}  // namespace

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

/// Objects leave their shares in order, so a member's newest share says that it has sent all earlier ones.
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
  if (state_ != State::decided || about != about_) return std::nullopt;  // the decision was dropped
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

Member::Member(Point period, const Wait& wait, Point from)
    : period_(period), wait_(wait.value_or(kNever)), highest_(from), asked_(from), answered_(from) {}

Point Member::first_unanswered() const {
  if (period_ == 0) return kNever;
  const Point first = (answered_ / period_ + 1) * period_;
  return first <= asked_ ? first : kNever;
}

Point Member::wait_point() const {
  const Point first = silent_ || lost_ ? kNever : first_unanswered();
  return first == kNever ? kNever : behind(first, wait_);
}

void Member::set_limit() { limit_ = std::min({stop_, promised_, wait_point()}); }

/// Objects stop before leaving a share: so the shares for the point where a decision is applied were all left
/// before it or none were, and all later shares are from the new places. For the same reason an object that
/// waits for the answer to an earlier question leaves no share meanwhile.
Member::At Member::at(Point n, bool left) const {
  if (n >= stop_) return At::stop;
  if (stop_ == kNever && n >= promised_) return At::hold;
  const bool asks_here = next_ask_of(n) == n && !left;
  const bool waits = n >= wait_point();
  if (asks_here) return waits && first_unanswered() < n ? At::hold : At::ask;
  return waits ? At::hold : At::pass;
}

void Member::asks(Point n) {
  asked_ = std::max(asked_, n);
  set_limit();
}

void Member::answered(Point asked) {
  answered_ = std::max(answered_, asked);
  silent_ = false;
  set_limit();
}

std::optional<Point> Member::decided(Point asked, bool empty, std::uint64_t drop) {
  if (drop < drop_) {
    answered_ = std::max(answered_, asked);
    set_limit();
    return std::nullopt;
  }
  decided_ = asked;
  decided_after_ = drop;
  silent_ = false;
  promised_ = empty ? 1 : highest_ + 1;
  set_limit();
  return promised_;
}

/// The agreement answers everything asked before the point where all stop. Without a promise here it was
/// dropped.
void Member::agreed(Point stop) {
  if (promised_ != kNever) stop_ = stop;
  answered_ = std::max({answered_, stop - 1, decided_});
  set_limit();
}

void Member::dropped(std::uint64_t drop) {
  drop_ = drop;
  lost_ = true;
  if (promised_ != kNever && decided_after_ < drop) {
    answered_ = std::max(answered_, decided_);
    promised_ = stop_ = kNever;
  }
  set_limit();
}

void Member::found() {
  lost_ = false;
  set_limit();
}

void Member::silent() {
  silent_ = true;
  set_limit();
}

void Member::applied() {
  highest_ = std::max(highest_, stop_ - 1);
  promised_ = stop_ = kNever;
  set_limit();
}

}  // namespace skein::lb::lazy
