// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/lazy.hpp"

namespace skein::lb::lazy {
namespace {

Point behind(Point point, Point by) { return by >= kNever - point ? kNever : point + by; }

}  // namespace

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

/// Whoever stops does so before leaving a share: so of the shares for the point where a decision is applied
/// either all were left before it or none, and all that come later are from the new places. For the same
/// reason an object that waits for the answer to an earlier question leaves none meanwhile.
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

/// What was asked before the point where all stop is answered by that. Without a promise here the decision
/// was dropped.
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
