// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/objects.hpp"

namespace skein::balance {
namespace {
Objects the_objects;
}

void set_objects(const Objects& objects) { the_objects = objects; }
const Objects& objects() { return the_objects; }

}  // namespace skein::balance
