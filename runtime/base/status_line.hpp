// SPDX-License-Identifier: Apache-2.0
// One line at the bottom of the terminal that is standard error. The lines above it scroll without it, so
// that what anybody prints there, children and other PEs included, never meets it: VT100's scrolling region
// (DECSTBM), as apt's progress bar has it. Whoever shows it must erase it before the process ends.
#pragma once

namespace skein {

/// Whether there is such a terminal, of a kind that knows regions, with some room. Not where standard output
/// goes into a pipe, unless `though_piped`: its reader may be a pager, to which the terminal belongs.
bool can_show_status_line(bool though_piped);

/// As much of the text as fits, without a line's end. Takes one write. Of a terminal that has changed its
/// size, or where the line is not shown yet, it makes the region first.
void show_status_line(const char* text);

/// If it is shown, the terminal is as before. Callable from signal handlers.
void erase_status_line();

/// Erases a line that another process has left behind.
void erase_foreign_status_line();

}  // namespace skein
