// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/gathering.hpp"

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/elements/broadcasts.hpp"

namespace skein::chare {
namespace {

constexpr std::uint8_t kKinds = 4;  // of numbers that an element tells apart
PerRuntime<std::uint8_t> number;    // of the gathering that this PE has not gone on from

std::uint8_t after(std::uint8_t gathering) { return (gathering + 1) % kKinds; }

}  // namespace

void stop_for_gathering(Element& element) {
  element.at_sync = true;
  element.gathering = *number;
  ++element.array->at_sync;
}

bool is_over_for(const Element& element) { return after(element.gathering) == *number; }

std::uint8_t& gathering_number() { return *number; }

void end_gathering() {
  *number = after(*number);
  for (const auto& array : all_arrays()) {
    if (!array || array->at_sync == 0) continue;
    forget_past_broadcasts(*array);
    for (Element* const element : array->elements()) {
      if (!element->at_sync || !is_over_for(*element)) continue;
      --array->at_sync;
      go_on_from_stop(*element);
    }
  }
}

}  // namespace skein::chare
