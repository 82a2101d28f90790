// SPDX-License-Identifier: Apache-2.0
// The epochs that a rank has open on a window, and the calls that they allow (MPI 4.1, section 12.5). Pure;
// functions return the reason that a call is wrong (MPI_ERR_RMA_SYNC), or null.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace skein::vmpi {

/// The state of a target's lock at an origin.
enum class Held : std::uint8_t {
  nothing,
  unchecked,  ///< not taken, as the program says that no other rank wants it (MPI_MODE_NOCHECK)
  shared,
  exclusive
};

class Epoch {
 public:
  explicit Epoch(std::pmr::memory_resource* memory) : origins_(memory), started_(memory), held_(memory) {}

  // ---- whether a call is allowed now
  const char* cannot_fence() const;
  const char* cannot_start() const;
  const char* cannot_complete() const;
  const char* cannot_post() const;
  const char* cannot_wait() const;
  const char* cannot_lock(int target) const;
  const char* cannot_lock_all() const;
  const char* cannot_unlock(int target) const;
  const char* cannot_unlock_all() const;
  const char* cannot_flush(int target) const;
  const char* cannot_flush_all() const;
  const char* cannot_free() const;
  /// `passive_only`: for the request-based operations.
  const char* cannot_access(int target, bool passive_only) const;

  // ---- calls that were made
  void fence(bool another_follows) {
    fenced_ = another_follows;
    used_fence_ = false;
  }
  void access() { used_fence_ = fenced_; }
  void start(std::pmr::vector<int> targets) {
    fenced_ = false;
    access_ = Access::started;
    started_ = std::move(targets);
  }
  void complete() {
    access_ = Access::none;
    started_.clear();
  }
  void post(std::pmr::vector<int> origins) {
    fenced_ = false;
    posted_ = true;
    origins_ = std::move(origins);
  }
  void end_exposure() { posted_ = false; }
  /// `size`: that of the window.
  void lock(int target, Held what, int size) {
    fenced_ = false;
    access_ = Access::locked;
    ++locks_;
    hold(target, what, size);
  }
  void unlock(int target) {
    held_[static_cast<std::size_t>(target)] = Held::nothing;
    if (--locks_ == 0) access_ = Access::none;
  }
  void lock_all(bool check) {
    fenced_ = false;
    access_ = check ? Access::locked_all : Access::locked_all_unchecked;
  }
  /// Ends lock_all; the locks that were taken under it have been given back.
  void unlock_all() {
    access_ = Access::none;
    held_.clear();
  }

  // ---- open epochs
  const std::pmr::vector<int>& started() const { return started_; }
  const std::pmr::vector<int>& origins() const { return origins_; }  ///< ranks that the window is posted to
  Held held(int target) const {
    return held_.empty() ? Held::nothing : held_[static_cast<std::size_t>(target)];
  }
  /// Returns true if the next access must take the target's lock: under lock_all the first access does.
  bool wants_lock(int target) const { return access_ == Access::locked_all && held(target) == Held::nothing; }
  void hold(int target, Held what, int size) {
    if (held_.empty()) held_.resize(static_cast<std::size_t>(size), Held::nothing);
    held_[static_cast<std::size_t>(target)] = what;
  }

 private:
  enum class Access : std::uint8_t { none, started, locked, locked_all, locked_all_unchecked };
  bool all_locked() const { return access_ == Access::locked_all || access_ == Access::locked_all_unchecked; }
  const char* busy() const;

  Access access_ = Access::none;
  bool fenced_ = false;      ///< a fence was called after which another one must follow
  bool used_fence_ = false;  ///< an operation was called since then
  bool posted_ = false;
  int locks_ = 0;
  std::pmr::vector<int> origins_;  ///< ranks
  std::pmr::vector<int> started_;  ///< ranks
  std::pmr::vector<Held> held_;    ///< by rank; empty: no locks
};

}  // namespace skein::vmpi
