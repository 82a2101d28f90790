// SPDX-License-Identifier: Apache-2.0
// A collective as one member plays it: coroutines, which suspend where a rank would block. They send and
// receive what the runtime does (runtime/vmpi/coll/), without data.
#pragma once
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "lb/collectives/across_nodes.hpp"
#include "lb/simulate/groups.hpp"
#include "lb/simulate/point_to_point.hpp"

namespace skein::simulate {

class CollectiveCall;

/// The result of an algorithm. Another algorithm may await it; that is how some are made of others. (Not
/// inside a condition: GCC 12 then destroys objects that were never made.)
class [[nodiscard]] Playing {
 public:
  struct promise_type {
    std::coroutine_handle<> then = std::noop_coroutine();

    /// Takes frames from the memory of the call, which the first parameter of each algorithm tells.
    template <class First, class... Others>
    static void* operator new(std::size_t bytes, First& first, Others&...) {
      return allocate(bytes, first.memory());
    }
    static void operator delete(void* frame, std::size_t bytes);

    Playing get_return_object() { return Playing(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct GoOn {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
          return self.promise().then;
        }
        void await_resume() noexcept {}
      };
      return GoOn{};
    }
    void return_void() {}
    void unhandled_exception() { std::rethrow_exception(std::current_exception()); }

   private:
    static void* allocate(std::size_t bytes, std::pmr::memory_resource& memory);
  };

  Playing() = default;
  explicit Playing(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Playing(Playing&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Playing& operator=(Playing&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Playing() {
    if (handle_) handle_.destroy();
  }

  std::coroutine_handle<> handle() const { return handle_; }
  bool done() const { return handle_.done(); }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> then) {
    handle_.promise().then = then;
    return handle_;
  }
  void await_resume() {}

 private:
  std::coroutine_handle<promise_type> handle_;
};

/// The state that all members' calls share.
struct CollectiveWorld {
  Machine& machine;
  PointToPoint& messages;
  Waits& waits;
  Groups& groups;
  const std::vector<PeIndex>& pe_of;
  const std::uint64_t& generation;  // of pe_of
  std::pmr::unsynchronized_pool_resource memory{};
  std::vector<std::uint32_t> leader_on_pe{};  // scratch memory of Group::place(): all `none`
};

/// The members of one group as one of them sees them; algorithms are written with it.
class Ring {
 public:
  Ring(CollectiveCall& call, std::span<const ObjectIndex> members, std::uint32_t rank, bool logged = true)
      : call_(call), members_(members), rank_(static_cast<int>(rank)), logged_(logged) {}

  int size() const { return static_cast<int>(members_.size()); }
  int rank() const { return rank_; }
  bool is_crowded() const;
  int above(int distance) const {
    return static_cast<int>((rank_ + static_cast<std::int64_t>(distance)) % size());
  }
  int below(int distance) const {
    return static_cast<int>((rank_ + static_cast<std::int64_t>(size()) - distance) % size());
  }

  /// Begin a send or a receive; all() awaits their ends.
  void send(int to, std::uint64_t bytes);
  void receive(int from);
  /// Begin a send to, or a receive from, a member of another group.
  void send_to(ObjectIndex object, std::uint64_t bytes);
  void receive_from(ObjectIndex object);
  void exchange(int to, std::uint64_t bytes, int from) {
    receive(from);
    send(to, bytes);
  }

  struct AwaitAll {
    CollectiveCall& call;
    bool await_ready() const;
    void await_suspend(std::coroutine_handle<> here) const;
    void await_resume() const {}
  };
  AwaitAll all() const { return {call_}; }
  std::pmr::memory_resource& memory() const;

 private:
  CollectiveCall& call_;
  std::span<const ObjectIndex> members_;
  int rank_;
  bool logged_;
};

class CollectiveCall {
 public:
  /// Reads `event`, whose list it copies.
  CollectiveCall(CollectiveWorld& world, TaskId task, ObjectIndex self, const trace::Event& event,
                 bool blocking);
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

  /// Runs until the call must wait or ends. Returns true if it has ended.
  bool resume();

  /// -- called by the algorithms
  std::pmr::memory_resource& memory() { return world_.memory; }
  CollectiveWorld& world() { return world_; }
  TaskId task() const { return task_; }
  void suspend_at(std::coroutine_handle<> here) { resume_at_ = here; }

  trace::Collective kind() const { return kind_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Returns the bytes to each member; empty for kinds with one size for all.
  const std::vector<std::uint64_t>& list() const { return list_; }
  std::int32_t tag() const { return number_.tag; }
  std::uint32_t channel_communicator() const { return pair_.id * 2 + 1; }
  GroupPair& pair() { return pair_; }
  Group& own() { return *own_; }
  Group& others() { return *others_; }
  std::uint32_t rank() const { return rank_; }
  /// Return the rank of the root in its own group, and whether that group is this member's.
  std::uint32_t root() const { return root_; }
  bool root_is_ours() const { return root_is_ours_; }
  Ring ring() { return {*this, own_->members(), rank_}; }
  Ring leaders() { return {*this, own_->leaders(), own_->assembly_of(rank_), false}; }

  /// Return the leaders on this leader's node, by place, and the first leaders of all nodes, by node, in
  /// which only the first leader on a node has a rank. Precondition: a leader of a group that
  /// crosses_nodes().
  Ring node_leaders();
  Ring first_leaders();
  std::uint32_t node() const { return node_of_leader(own_->assembly_of(rank_)); }
  std::uint32_t node_of_leader(std::uint32_t leader) const;
  std::uint32_t place_on_node(std::uint32_t leader) const;

  /// Returns true if a blocking call moves no data, as all members know: it ends at once.
  bool moves_nothing() const { return blocking_ && bytes_ == 0; }
  /// Returns true if members of this call assemble.
  bool assembles();
  struct Assemble {
    CollectiveCall& call;
    bool counted = false;
    bool completes = false;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> here) { call.suspend_at(here); }
    /// Returns true if this member must complete the collective and then dismiss() the others.
    bool await_resume() const { return completes; }
  };
  /// `counted`: members bring pieces of different lengths (Assembly::outgoing).
  Assemble assemble(bool counted = false) { return {*this, counted}; }
  void dismiss();

  /// Returns true for a joint operation, which has no fiber.
  bool is_joint() const;
  struct Join {
    CollectiveCall& call;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> here) { call.suspend_at(here); }
    void await_resume() const {}
  };
  /// Resumes once all members on the PE have started the operation, on their leader; on the other members, at
  /// the operation's end.
  Join join() { return {*this}; }
  bool leads();
  Ring joint_leaders();
  std::uint32_t joint_assembly_of(std::uint32_t rank) { return joint().assembly_of[rank]; }
  /// Lets the other members continue; called by the leader.
  void dismiss_joint();
  /// Leaves the operation; each member calls it last.
  void leave_joint();

 private:
  JointOperation& joint();
  void bring_pieces(Assembly& assembly);

  CollectiveWorld& world_;
  const TaskId task_;
  const trace::Collective kind_;
  const bool blocking_;
  const std::uint64_t bytes_;
  std::vector<std::uint64_t> list_;
  GroupPair& pair_;
  Group* own_ = nullptr;
  Group* others_ = nullptr;
  std::uint32_t rank_ = kNone;
  std::uint32_t root_ = kNone;
  bool root_is_ours_ = true;
  CollectiveNumber number_;
  std::coroutine_handle<> resume_at_;
  Playing playing_;
};

// ---- The algorithms. `call` is their first parameter, because their frames are in its memory.

/// Plays the collective of the call's kind.
Playing play(CollectiveCall& call);
/// A round between PEs on several nodes.
struct Round {
  collectives::RoundKind kind;
  std::uint64_t longest;      // the longest block of a PE, bytes
  std::uint32_t one = kNone;  // the only leader that gives, or that receives; else none
};
/// Plays the round node by node (runtime/vmpi/coll/meeting/across_nodes.hpp), or plays `otherwise` if that is
/// impossible. Called by the leader of each PE.
Playing across_nodes(CollectiveCall& call, Round round, Playing otherwise);
/// Plays a collective of an intercommunicator.
Playing play_between(CollectiveCall& call);

/// A collective of one group, played by the algorithm of lb/collectives/ that the runtime would take.
struct Messages {
  trace::Collective kind;
  std::uint64_t bytes = 0;
  int root = 0;
  /// To each rank, or from each (trace::Event::list); empty: all alike.
  std::span<const std::uint64_t> list = {};
};
Playing by_messages(Ring ring, Messages what);

}  // namespace skein::simulate
