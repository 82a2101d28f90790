// SPDX-License-Identifier: Apache-2.0
// The names of what operator delete is in programs that have none of their own.
#pragma once

#include <cstddef>

extern "C" {
void skein_delete(void* memory) noexcept;
void skein_delete_sized(void* memory, std::size_t bytes) noexcept;
}
