// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/gathering.hpp"

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/broadcasts.hpp"
#include "runtime/chare/lazy_elements.hpp"

namespace skein::chare {
namespace {

bool next_is_odd = false;
const BegunAnew<next_is_odd> with_runtime;

}  // namespace

void stop_for_gathering(Element& element) {
  element.at_sync = true;
  element.at_odd = next_is_odd;
  ++element.array->at_sync;
}

void end_gathering() {
  const bool ended_is_odd = next_is_odd;
  next_is_odd = !next_is_odd;
  for (const auto& array : all_arrays()) {
    if (!array || array->at_sync == 0) continue;
    forget_past_broadcasts(*array);
    for (Element* const element : array->elements()) {
      if (!element->at_sync || element->at_odd != ended_is_odd) continue;
      --array->at_sync;
      go_on_from_stop(*element);
    }
  }
}

}  // namespace skein::chare
