# SPDX-License-Identifier: Apache-2.0
"""The common part of the papers: runs Skein, keeps results, writes the page."""
