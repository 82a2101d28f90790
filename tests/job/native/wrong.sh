#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wrong.sh MPIEXEC PES PROGRAM: each mistake ends the job with another status than 0 and prints all its texts.
set -uo pipefail
source "$(dirname "$0")/mistake.sh"
every=$((3 - pes)) # on one PE every second, as the same code reports the others

mistake outside 'Cell{9, 0}' 'Cell::call' 'bounds are {4, 4}'
mistake outside-from-element 'Cell{3, 3} in' 'Cell::call_outside' 'Cell{4, 0}'
mistake never-exists 'no progress' 'Cell::call waits for Cell{5, 6}' 'does not exist'
mistake throws 'Cell{3, 3} in' 'Cell::throw_it' 'out of cheese'
mistake recursion 'Cell{3, 3} in' 'Cell::recurse' 'stack overflow'
mistake spoilt-heap 'Cell{3, 3} in Cell::spoil_heap'
mistake no-sync 'no progress' 'Cell{2, 0}' 'at no sync point'
mistake mismatch 'contributions of different kinds' 'by Cell{0, ' 'in Cell::mismatch' 'double'
mistake callbacks 'different callbacks: to Cell::call of Cell{' 'in Cell::own_callback'
mistake section-callbacks 'different callbacks: to Cell::call of Cell{' 'in Cell::own_callback_in_section'
mistake after 'after(-1.000000): seconds from 0'
mistake every 'every(0.000000): seconds above 0'
mistake half 'no progress' 'reduction 0 over Cell has 4 of 16 contributions'
mistake unfinished 'no progress' 'Cell{1, 2} is unfinished'
mistake twice 'a call of insert() to Cell{3, 3}, which exists already'
mistake twice-elsewhere 'Cell{5, 6}' 'insert'
mistake twice-and-back 'Cell{5, 6}' 'insert'
mistake read-only 'wrong.cpp:' 'ReadOnly<std::' 'set too late'
mistake read-only-in-element 'Cell{3, 3} in Cell::set_title' 'set too late'
mistake half-section 'no progress' 'reduction 0 over a section of Cell has 2 of 8 contributions'
mistake section-mismatch 'contributions of different kinds' 'Cell{0, ' 'Cell::section_mismatch' 'Greatest'
mistake section-outside 'Cell{0, 4}' 'outside the array'
mistake bound-insert 'Partner{0, 1}' 'bound to that of Cell'
mistake bound-destroy 'Partner{0, 1} in Partner::end' 'end with those of Cell'
mistake no-array 'names no array'
mistake load 'Unsure{3}' 'load() is -1' 'not negative'
mistake constructor 'Brittle{2} in its constructor' 'out of bricks'
mistake bounds 'an array of Cell has the bounds {4, -1}'
mistake too-many 'an array of Cell has the bounds {1073741824, 1073741824}' '2^32 elements'
mistake map 'the map of Cell gives the PE' 'for {0, 0}'
mistake sparse-map 'the map of Cell gives the PE' 'for {5, 6}: there are'
mistake sparse-map-called 'the map of Cell gives the PE' 'for {5, 6}: there are'
mistake map-in-element 'Cell{3, 3} in Cell::create_badly' 'the map of Cell gives the PE -' 'for {0, 0}: there are'
mistake bounds-in-element 'Cell{3, 3} in Cell::create_negative' 'an array of Cell has the bounds {2, -2}'
mistake never-exists-in-created 'no progress' 'Cell::call waits for Cell{7, 8}' 'does not exist'
mistake exit-and-create
mistake single-throws 'Lone{0 of PE 0} in its constructor' 'out of luck'
mistake single-on "create_on($pes): there are $pes PEs"
mistake single-ended 'no progress' 'Lone::end waits for Lone{0 of PE 0}' 'does not exist'
mistake single-exit
mistake no-single 'names no array'
mistake function-nowhere 'run a function on PE' 'there are'
if ((pes > 1)); then
  mistake serialize 'Brittle{1} in serialize()' 'out of ink'
  mistake about-to-move 'Brittle{1} in about_to_move()' 'out of boxes'
  mistake just-moved 'Brittle{1} in just_moved()' 'out of breath'
fi
mistake exit

# Flows, threads, futures and detectors.
mistake flow-waits 'no progress' 'Waiter{2} in Waiter::wait_for_two, which waits for 1 of 2 calls of Waiter::ghost with number 7'
mistake flow-waits-unfinished 'no progress' 'Waiter{2} is unfinished' 'Waiter{2} in Waiter::wait_unfinished, which waits for 0 of 1 calls of Waiter::other'
mistake flow-waits-at-quiescence 'no progress' 'Waiter{2} in Waiter::wait_for_two, which waits for 0 of 2 calls of Waiter::ghost'
mistake flow-waits-for-both 'no progress' 'Waiter{2} in Waiter::wait_for_both' '0 of 1 calls of Waiter::ghost' \
  'and for the future' 'made by Waiter in Waiter::wait_for_both'
mistake thread-waits 'no progress' 'Waiter{2} in Waiter::wait_in_thread, which waits for 0 of 1 calls of Waiter::other'
mistake never-taken 'no progress' 'Waiter{2} has not taken 1 calls of Waiter::ghost'
mistake thread-overflows 'Waiter{2} in Waiter::overflow' 'stack overflow of its thread' '--stack-size'
mistake thread-throws 'Waiter{2} in Waiter::throw_in_thread' 'out of thread'
mistake flow-throws 'Waiter{2} in Waiter::throw_in_flow' 'out of flow'
mistake no-thread 'Waiter{2} in Waiter::block_in_method' 'only a threaded entry method can wait'
mistake half-barrier 'no progress' 'which waits for a barrier' 'reduction 0 over Waiter has 2 of 3 contributions'
mistake sync-in-part 'in Waiter::sync_in_part' 'would end other parts of the flow' 'Waiter::other'
mistake set-twice 'the future 0 of PE 0, made by a function is set twice' 'Waiter{' 'in Waiter::set'
mistake set-twice-taken 'the future 0 of PE 0, made by a function is set twice' 'in Waiter::set' 'was taken'
mistake set-none 'Waiter{2} in Waiter::set_none' 'a future that is none'
mistake got-twice 'the future 0 of PE 0' 'asked for its value twice' 'in Waiter::get_twice'
mistake never-set 'no progress' 'a callback waits for the future 0 of PE 0'
mistake completion-open 'no progress' "the completion detector 'exchange' has 1 of 1 producers done, 3 items produced and 2 consumed"
mistake completion-too-done "the completion detector 'exchange' has 2 of 1 producers done" 'too often'
mistake completion-counted-later "something is counted in the completion detector 'exchange', which is over"
mistake completion-empty "the completion detector 'exchange' has 0 producers"
exit $failed
