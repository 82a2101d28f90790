#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# in_directory.sh DIRECTORY COMMAND...: runs the command, which must leave the fresh directory empty.
directory=$1
shift
rm -rf "$directory"
mkdir "$directory" || exit 1
SKEIN_TEST_HOME=/home "$@" || exit 1
rmdir "$directory"
