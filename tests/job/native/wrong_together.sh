#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wrong_together.sh MPIEXEC PES PROGRAM
set -uo pipefail
source "$(dirname "$0")/mistake.sh"

# Arrays in files.
mistake file-no-folder 'write_block(): Cell{' "}: '/tmp/no/such' cannot be opened: No such file or directory (errno 2)"
mistake file-no-path 'in Cell::write' 'the path of the file is empty'
mistake file-offset 'in Cell::write' 'the offset is -8, before the file'
mistake file-block-outside 'Cell{3} in Cell::write' 'along dimension 0 the block has 1 values from 4 on, and the array 4'
mistake file-memory-outside 'in Cell::write' 'along dimension 1 the block has 10 values from 0 on in memory, where there are 9'
mistake file-too-few 'in Cell::write' 'there are 9 values for a block that has 10 in memory'
mistake file-two-files 'all elements write to one array' "to '/tmp/no/such0' with shape {4, 10}, 4 bytes each"

# Tables.
mistake spoil-table 'Cell{3} in Cell::spoil_table: segmentation fault'
mistake late-table 'wrong_together.cpp:' 'a NodeTable<double> is set too late'
mistake build-throws 'out of tables'
mistake huge-table 'a NodeTable<double> of 4611686018427387904 values is too large'
mistake large-table 'no 9007199254740992 bytes in a row left'

# Loops.
mistake grain 'Cell{3} in Cell::loop' 'the grain 0'
mistake loop-throws 'Cell{3} in Cell::loop: an exception ended it: ' 'out of loops'
mistake loop-throws-elsewhere 'Cell{3} in Cell::loop: an exception ended it: ' 'out of help'
mistake loop-faults 'Cell{3} in Cell::loop: segmentation fault'
if ((pes > 1)); then
  mistake loop-throws-elsewhere 'an exception ended it: on PE '
  mistake loop-faults 'a loop of Cell{3} in Cell::loop: segmentation fault'
fi
exit $failed
