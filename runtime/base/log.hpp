// SPDX-License-Identifier: Apache-2.0
// Messages of the runtime: always to standard error, never to standard output, which belongs to the user's
// program. Each goes out in one write, prefixed `[pe rank]`.
#pragma once

namespace skein {

enum class LogLevel : int { quiet = 0, normal = 1, verbose = 2 };

/// The level in force; a message above it costs a load and a branch.
extern LogLevel log_level;

/// Writes `[pe] `, or `[pe rank] ` if a rank runs; nothing in a process without a runtime. Callable from
/// anywhere, fault handlers included.
void describe_place(char* out, unsigned long bytes);

void log_line(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace skein

#define SKEIN_LOG(level, ...) \
  (::skein::log_level >= ::skein::LogLevel::level ? ::skein::log_line(__VA_ARGS__) : (void)0)
/// Logs something the user should know that does not end the job; shown unless --quiet.
#define SKEIN_WARN(...) SKEIN_LOG(normal, __VA_ARGS__)
