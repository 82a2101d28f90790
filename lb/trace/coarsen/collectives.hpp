// SPDX-License-Identifier: Apache-2.0
// Collectives, as fine ranks make them and as coarse ranks would.
#pragma once
#include <deque>
#include <map>
#include <vector>

#include "lb/trace/channel.hpp"
#include "lb/trace/coarsen/parts.hpp"

namespace skein::trace::coarse {

class Collectives {
 public:
  /// A collective that some members have reached.
  struct Instance {
    std::size_t missing = 0;
    Level level = 0;  // valid once none is missing
    Collective kind = Collective::barrier;
    std::int32_t root = kAny;
    struct Arrival {
      ObjectIndex object;
      std::uint64_t bytes;
      std::vector<std::uint64_t> list;
    };
    std::vector<Arrival> arrivals;
  };

  Collectives(const Trace& trace, const CoarseMap& map, Parts& parts);
  /// Notes that the object reaches its next collective on this communicator. The last member completes it.
  Instance& arrive(ObjectIndex object, const Event& event, Level level);

 private:
  struct Fine {
    const Communicator* communicator = nullptr;
    std::map<ObjectIndex, std::size_t> place;  // members, then others
    std::uint32_t coarse = 0;
    std::vector<ObjectIndex> coarse_members;  // members, then others
  };
  /// The collectives of one line that some members have reached.
  struct Line {
    std::vector<std::uint64_t> next;  // by place of the member
    std::deque<Instance> instances;
  };
  Fine& fine_of(std::uint32_t id);
  std::uint32_t coarse_id(const std::vector<ObjectIndex>& members, const std::vector<ObjectIndex>& others);
  void finish(const Fine& fine, Instance& instance);

  const Trace& trace_;
  const CoarseMap& map_;
  Parts& parts_;
  std::map<std::uint32_t, Fine> fine_;
  std::map<CollectiveLine, Line> lines_;
  std::map<std::vector<std::vector<ObjectIndex>>, std::uint32_t> ids_;
};

}  // namespace skein::trace::coarse
