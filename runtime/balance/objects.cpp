// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/objects.hpp"

#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {
PerRuntime<std::unique_ptr<Objects>> the_objects;
}

void set_objects(std::unique_ptr<Objects> objects) { *the_objects = std::move(objects); }
Objects& objects() { return **the_objects; }

}  // namespace skein::balance
