// SPDX-License-Identifier: Apache-2.0
// What an element asks for while its method runs, and gets when that has returned: to move, or to end.
#pragma once

#include "skein/chare/element.hpp"

namespace skein::chare {

/// The element may be gone then.
void grant_wishes(Element& element);

}  // namespace skein::chare
