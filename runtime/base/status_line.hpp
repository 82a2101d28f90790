// SPDX-License-Identifier: Apache-2.0
// One line at the bottom of the terminal that is standard error. The lines above it scroll without it, so
// that no output there, of children and other PEs included, collides with it: VT100's scrolling region
// (DECSTBM), as in apt's progress bar. It must be erased before the process ends.
#pragma once

namespace skein {

/// Returns true if standard error is a terminal that supports regions, with some room. Returns false if
/// standard output goes into a pipe, unless `though_piped`: its reader may be a pager, to which the terminal
/// belongs.
bool can_show_status_line(bool though_piped);

/// Shows as much of the text as fits, without a newline, in one write. Makes the region first if the terminal
/// has changed its size, or the line is not shown yet.
void show_status_line(const char* text);

/// Erases the line if it is shown, and restores the terminal. Callable from signal handlers.
void erase_status_line();

/// Erases a line that another process has left behind.
void erase_foreign_status_line();

}  // namespace skein
