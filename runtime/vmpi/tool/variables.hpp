// SPDX-License-Identifier: Apache-2.0
// The variables of the tool interface (MPI 4.1, chapter 15). Control variables say what the job runs with;
// performance variables count what the calling rank does, all the time: so none can be written, started or
// stopped.
//
// Errors of this interface are returned and never raised.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

enum class ToolCategory : std::uint8_t { messages, scheduling };
inline constexpr int kToolCategories = 2;
struct ToolText {
  const char* name;
  const char* description;
};
extern const ToolText tool_category_texts[kToolCategories];

/// A control variable: an int.
struct ControlVariable {
  ToolText text;
  ToolCategory category;
  int (*value)();
};
extern const std::span<const ControlVariable> control_variables;

struct PerformanceVariable {
  ToolText text;
  ToolCategory category;
  int what;  ///< MPI_T_PVAR_CLASS_...
  MPI_Datatype type;
  void (*read)(RankState& state, void* to);  ///< one value of that type
};
extern const std::span<const PerformanceVariable> performance_variables;

/// What a rank has of the interface. In the slot. Handles and sessions are numbered, with room below for the
/// predefined ones.
struct ToolState {
  explicit ToolState(std::pmr::memory_resource* memory)
      : controls(memory), sessions(memory), handles(memory) {}
  int initialised = 0;              ///< how often, less how often it was finalised
  std::pmr::vector<int> controls;   ///< by handle: which variable; -1 where freed
  std::pmr::vector<char> sessions;  ///< whether it is there
  struct Handle {
    int session = -1;
    int variable = -1;
  };
  std::pmr::vector<Handle> handles;
};
ToolState& tool_state(RankState& state);

}  // namespace skein::vmpi
