// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/gathering.hpp"

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/balance/balanced.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/elements/broadcasts.hpp"

namespace skein::chare {

PerRuntime<Balanced> balanced;

namespace {

constexpr std::uint8_t kKinds = 4;  // numbers that an element tells apart

std::uint8_t after(std::uint8_t gathering) { return (gathering + 1) % kKinds; }

}  // namespace

void stop_for_gathering(Element& element) {
  element.at_sync = true;
  element.gathering = balanced->gathering;
  ++element.array->at_sync;
}

bool is_over_for(const Element& element) { return after(element.gathering) == balanced->gathering; }

std::uint8_t& gathering_number() { return balanced->gathering; }

void end_gathering() {
  balanced->gathering = after(balanced->gathering);
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
