// SPDX-License-Identifier: Apache-2.0
// What an element keeps once it has flows, threads, or calls of awaited methods: its activities, what they
// wait for, and what has come before anybody waited for it. The last travels with the element.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "skein/chare/activity.hpp"

namespace skein::chare {

/// A future as all PEs know it. `array` and `entry` say who made it, for messages; nobody: no_maker.
struct FutureName {
  static constexpr std::uint32_t no_maker = ~std::uint32_t{0};
  std::uint64_t number = 0;
  std::int32_t pe = -1;  ///< where it was made; -1: no future
  std::uint32_t array = no_maker, entry = 0;
  std::uint32_t job = 0;  ///< that made it, of those of its processes
  auto operator<=>(const FutureName&) const = default;
};
/// "the future 3 of PE 0, made by Cell in Cell::start"
std::string name_of(const FutureName& future);

class Control {
 public:
  explicit Control(Element& element);
  /// Activities end where they wait: the locals of flows are destroyed, those of threads are not.
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // ---- activities
  /// Runs it until it waits or ends. Rethrows what ends it.
  void start(std::unique_ptr<Activity> activity);
  bool any_activity() const { return !activities_.empty(); }
  const Activity& first_activity() const { return *activities_.front(); }
  bool any_thread() const;
  /// Ends the activity where it is, as soon as it waits.
  void end_at_sync(Activity& activity);

  // ---- what has come. Each of these wakes who waits for it
  void keep(Message& call);
  void keep(const FutureName& future, std::span<const std::byte> value);
  void keep_barrier();

  /// Calls of this method, in the order of their coming. Who takes some drops them, and says how many.
  std::vector<Message*>& calls_of(const EntryInfo& entry);
  void note_taken(std::size_t calls);
  /// The first time: has the value sent to the element. Null: it has not come.
  std::vector<std::byte>* value_of(const FutureName& future);
  void forget(const FutureName& future) { values_.erase(future); }
  bool take_barrier();

  /// What is called after the sync point, in place of resume_from_sync(). Null: nothing was said.
  void set_after_sync(Message& call);
  Message* take_after_sync() { return std::exchange(after_sync_, nullptr); }

  // ---- moving, when there is no activity
  /// Takes what has come out of it, unless it stays: then there are no blocks.
  std::vector<std::byte> pack(pup::Blocks& blocks, bool stays);
  void unpack(std::span<const std::byte> packed, pup::Blocks& blocks);

  /// Whom and what it waits for, and calls that nobody took: a line each.
  void describe(std::vector<std::string>& lines) const;
  /// "Cell::run, which waits for 0 of 1 calls of Cell::ghost"
  std::string describe(const Activity& activity) const;

 private:
  friend class Wait;
  struct Calls {
    const EntryInfo* entry;
    std::vector<Message*> calls;
  };

  void offer();
  template <class Step>
  void run(Activity& activity, Step step);
  void bury_finished();

  Element& element_;
  std::vector<std::unique_ptr<Activity>> activities_;
  std::vector<Wait*> waits_;  ///< in the order of their beginning
  std::vector<Calls> calls_;
  /// Those that were asked for, and their values if they have come.
  std::map<FutureName, std::optional<std::vector<std::byte>>> values_;
  std::uint32_t barriers_ = 0;  ///< completed, and not waited for yet
  Message* after_sync_ = nullptr;
  int running_ = 0;  ///< activities of this element on the processor's stack
};

/// Made when first asked for.
Control& control_of(Element& element);

// ---- for arrays; of elements that may have none
void end_control(Element& element);
std::vector<std::byte> packed_control(Element& element, pup::Blocks& blocks, bool stays);
Message* call_after_sync(Element& element);
bool has_activity(const Element& element);
bool has_thread(const Element& element);

}  // namespace skein::chare
