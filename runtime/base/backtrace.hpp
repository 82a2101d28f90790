// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein {

/// Prints the calls that led here to standard error, innermost first, one a line, all in one write. Callable
/// from ranks and, at the price of async-signal unsafety, from fault handlers: the process is about to end.
///
/// Not glibc's backtrace(): that keeps the unwinder's address mangled with the process's pointer guard, which
/// is another one while a rank runs.
void print_backtrace();

}  // namespace skein
