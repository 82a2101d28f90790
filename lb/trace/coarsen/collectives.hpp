// SPDX-License-Identifier: Apache-2.0
// Collectives while fine ranks make them, and as coarse ranks would.
#pragma once
#include <deque>
#include <map>
#include <vector>

#include "lb/trace/channel.hpp"
#include "lb/trace/coarsen/parts.hpp"

namespace skein::trace::coarse {

class Collectives {
 public:
  /// One that some members have come to.
  struct Instance {
    std::size_t missing = 0;
    Level level = 0;  // once none is missing
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
  /// The object comes to its next one on this communicator, at this level. The last to come completes it.
  Instance& arrive(ObjectIndex object, const Event& event, Level level);

 private:
  struct Fine {
    const Communicator* communicator = nullptr;
    std::map<ObjectIndex, std::size_t> place;  // members, then others
    std::uint32_t coarse = 0;
    std::vector<ObjectIndex> coarse_members;  // and others
  };
  /// Those of one line that some have come to.
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
