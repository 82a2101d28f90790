// SPDX-License-Identifier: Apache-2.0
// The state of an element that has flows, threads, or calls of awaited methods: its activities, what they
// wait for, and what arrived before it was awaited. The last travels with the element.
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

/// A future as all PEs know it. `array` and `entry` name its maker, for messages; no_maker: none.
struct FutureName {
  static constexpr std::uint32_t no_maker = ~std::uint32_t{0};
  std::uint64_t number = 0;
  std::int32_t pe = -1;  ///< the PE that made it; -1: no future
  std::uint32_t array = no_maker, entry = 0;
  std::uint32_t job = 0;  ///< job_number() of the job that made it
  auto operator<=>(const FutureName&) const = default;
};
/// Returns "the future 3 of PE 0, made by Cell in Cell::start".
std::string name_of(const FutureName& future);

class Control {
 public:
  explicit Control(Element& element);
  /// Ends activities where they wait: the locals of flows are destroyed, those of threads are not.
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // ---- activities
  /// Runs the activity until it waits or ends. Rethrows the exception that ends it.
  void start(std::unique_ptr<Activity> activity);
  bool any_activity() const { return !activities_.empty(); }
  const Activity& first_activity() const { return *activities_.front(); }
  bool any_thread() const;
  /// Ends the activity where it is, as soon as it waits.
  void end_at_sync(Activity& activity);

  // ---- what has arrived. Each of these wakes the activities that wait for it
  void keep(Message& call);
  void keep(const FutureName& future, std::span<const std::byte> value);
  void keep_barrier();

  /// Returns the calls of this method, in the order of arrival. A caller that takes some drops them, and
  /// tells note_taken() how many.
  std::vector<Message*>& calls_of(const EntryInfo& entry);
  void note_taken(std::size_t calls);
  /// Returns the value, or null if it has not arrived. The first call asks for it to be sent to the element.
  std::vector<std::byte>* value_of(const FutureName& future);
  void forget(const FutureName& future) { values_.erase(future); }
  bool take_barrier();

  /// Set and take the call to make after the sync point, in place of resume_from_sync(). Null: none was
  /// set.
  void set_after_sync(Message& call);
  Message* take_after_sync() { return std::exchange(after_sync_, nullptr); }

  // ---- moving, when there is no activity
  /// Packs what has arrived, and takes it out unless the element stays: then there are no blocks.
  std::vector<std::byte> pack(pup::Blocks& blocks, bool stays);
  void unpack(std::span<const std::byte> packed, pup::Blocks& blocks);

  /// Appends a line for each activity and what it waits for, and for each call that was not taken.
  void describe(std::vector<std::string>& lines) const;
  /// Describes an activity: "Cell::run, which waits for 0 of 1 calls of Cell::ghost".
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
  /// Futures that were asked for, and their values if they have arrived.
  std::map<FutureName, std::optional<std::vector<std::byte>>> values_;
  std::uint32_t barriers_ = 0;  ///< completed, but not awaited yet
  Message* after_sync_ = nullptr;
  int running_ = 0;  ///< activities of this element on the processor's stack
};

/// Returns the element's Control, made by the first call.
Control& control_of(Element& element);

// ---- for arrays; the element may have no Control
void end_control(Element& element);
std::vector<std::byte> packed_control(Element& element, pup::Blocks& blocks, bool stays);
Message* call_after_sync(Element& element);
bool has_activity(const Element& element);
bool has_thread(const Element& element);

}  // namespace skein::chare
