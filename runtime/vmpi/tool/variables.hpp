// SPDX-License-Identifier: Apache-2.0
// The variables of the tool interface (MPI 4.1, chapter 15). Control variables give the settings of the job;
// performance variables always count actions of the calling rank: so no variable can be written, started or
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
  void (*read)(RankState& state, void* to);  ///< writes one value of that type
};
extern const std::span<const PerformanceVariable> performance_variables;

/// A rank's state of the interface. In the slot. Numbers of handles and sessions begin above the predefined
/// ones.
struct ToolState {
  explicit ToolState(std::pmr::memory_resource* memory)
      : controls(memory), sessions(memory), handles(memory) {}
  int initialised = 0;              ///< number of initialisations minus number of finalisations
  std::pmr::vector<int> controls;   ///< by handle: index of the variable; -1 if freed
  std::pmr::vector<char> sessions;  ///< whether the session exists
  struct Handle {
    int session = -1;
    int variable = -1;
  };
  std::pmr::vector<Handle> handles;
};
ToolState& tool_state(RankState& state);

}  // namespace skein::vmpi
