# SPDX-License-Identifier: Apache-2.0
"""What the papers share: running Skein, keeping what was found, and the page."""
