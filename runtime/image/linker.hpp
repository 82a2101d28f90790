// SPDX-License-Identifier: Apache-2.0
// Applies the relocations of the private images once, into a template from which every slot is made.
#pragma once

#include <vector>

#include "runtime/image/image.hpp"
#include "runtime/image/resolver.hpp"

namespace skein::image {

/// Returns which images need their thread-local variables at fixed distances from the thread pointer:
/// executables, and those that they or their users address by the initial-exec model.
std::vector<bool> find_static_tls(const Resolver::Scope& images, Resolver& resolver);

/// Links images, which have their offsets and TLS places; `scope` is where they look for symbols, in this
/// order. Throws skein::Error naming the symbols that nothing defines, and the variables of shared libraries
/// that cannot be bound.
SlotTemplate link_images(const Resolver::Scope& images, const Resolver::Scope& scope, Resolver& resolver);

}  // namespace skein::image
