// SPDX-License-Identifier: Apache-2.0
// Static values of templates that last as long as a job: a process may run several jobs in turn.
#pragma once

#include <utility>

namespace skein::chare {

class OfJobBase {
 public:
  OfJobBase(const OfJobBase&) = delete;
  OfJobBase& operator=(const OfJobBase&) = delete;
  /// Resets all values to their initial ones, at the end of a job.
  static void forget_all() {
    for (OfJobBase* each = first; each; each = each->next_) each->forget();
  }

 protected:
  OfJobBase() : next_(std::exchange(first, this)) {}
  ~OfJobBase() = default;
  virtual void forget() = 0;

 private:
  static inline OfJobBase* first = nullptr;
  OfJobBase* next_;
};

/// A value of a job. Objects have static storage duration.
template <class T>
class OfJob final : OfJobBase {
 public:
  T& operator*() { return value_; }

 private:
  void forget() override { value_ = T{}; }
  T value_{};
};

}  // namespace skein::chare
