// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>

#include "runtime/vmpi/tool/variables.hpp"

namespace skein::vmpi {

/// Begins every function of the tool interface, which is callable at any time.
struct ToolCall : ApiCall {
  explicit ToolCall(const char* name) : ApiCall(name, Outside::is_allowed), tool(tool_state(state)) {}
  ToolState& tool;
  bool initialised() const { return tool.initialised > 0; }
};

/// Hands out a name or description (MPI 4.1, 15.3.3): as much as fits, and the length of the whole text,
/// terminator included. Either argument may be null.
inline void hand_out_text(const char* text, char* to, int* length) {
  if (!length) return;
  const auto bytes = static_cast<int>(strlen(text)) + 1;
  if (to && *length > 0) {
    const auto copied = static_cast<std::size_t>(std::min(*length, bytes) - 1);
    memcpy(to, text, copied);
    to[copied] = 0;
  }
  *length = bytes;
}

/// Hand out results that the program may not want.
template <class Value, class Given>
void hand_out(Value* to, const Given& value) {
  if (to) *to = static_cast<Value>(value);
}
template <class Value>
void hand_out(Value* to, Value value) {
  if (to) *to = value;
}

}  // namespace skein::vmpi

// Checks in a function; the first failed one gives the error.
#define SKEIN_TOOL_CHECK(condition, error) \
  do {                                     \
    if (!(condition)) return error;        \
  } while (0)
#define SKEIN_TOOL_CALL(name) \
  const ToolCall call(name);  \
  SKEIN_TOOL_CHECK(call.initialised(), MPI_T_ERR_NOT_INITIALIZED)
