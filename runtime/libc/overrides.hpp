// SPDX-License-Identifier: Apache-2.0
// All overrides of the C library, by subject. The loader looks a program's undefined symbols up here before
// it asks the shared libraries.
#pragma once

#include <span>
#include <vector>

#include "runtime/libc/override.hpp"

namespace skein::libc {

std::span<const Override> process_overrides();          ///< process.cpp
std::span<const Override> process_setting_overrides();  ///< process_settings.cpp: syslog(), textdomain() ...
std::span<const Override> cxx_setting_overrides();      ///< cxx_settings.cpp: std::set_terminate() ...
std::span<const Override>
cxx_memory_overrides();                        ///< cxx_memory.cpp: pools of allocators, kinds of facets ...
std::span<const Override> printf_overrides();  ///< printf_conversions.cpp: register_printf_specifier()
std::span<const Override> environment_overrides();    ///< environment.cpp
std::span<const Override> diagnostic_overrides();     ///< diagnostics.cpp: abort(), assert(), err(), error()
std::span<const Override> random_overrides();         ///< random.cpp: rand(), random(), drand48() families
std::span<const Override> static_buffer_overrides();  ///< static_buffers.cpp: strtok(), localtime(), ...
std::span<const Override> name_service_overrides();   ///< name_service.cpp: getpwnam(), gethostbyname() ...
std::span<const Override> multibyte_overrides();      ///< multibyte.cpp: mbrtowc() and relatives
std::span<const Override> thread_overrides();         ///< threads.cpp: pthread_key_*, pthread_create()
std::span<const Override> openmp_overrides();         ///< openmp.cpp: a region that asks for threads
std::span<const Override> mutex_overrides();          ///< mutexes.cpp: pthread_mutex_lock() and relatives
std::span<const Override> locale_overrides();         ///< locales.cpp: setlocale(), iconv_open(), std::locale
std::span<const Override> shared_state_overrides();   ///< shared_state.cpp: tzset(), gethostbyname(), ...
std::span<const Override> stream_overrides();         ///< streams.cpp: fopen() and relatives
std::span<const Override> descriptor_overrides();     ///< descriptors.cpp: open(), dup(), close() ...
std::span<const Override> file_lock_overrides();      ///< file_locks.cpp: flock(), lockf()
std::span<const Override> pinning_overrides();        ///< pinning.cpp: shmat(), opendir() ...
std::span<const Override> waiting_overrides();        ///< waiting.cpp: sleep(), poll(), select() ...
std::span<const Override> kernel_object_overrides();  ///< kernel_objects.cpp: socket(), pipe() ...
std::span<const Override> children_overrides();       ///< children.cpp: fork(), exec*(), wait() ...
std::span<const Override> words_overrides();          ///< words.cpp: wordexp(), glob()
std::span<const Override> working_directory_overrides();  ///< working_directory.cpp: chdir(), fchdir()
std::span<const Override> program_file_overrides();       ///< program_file.cpp: /proc/self/exe, AT_EXECFN
std::span<const Override> standard_input_overrides();     ///< standard_input.cpp: read(), getchar(), scanf()
std::span<const Override> mapping_overrides();            ///< mappings.cpp: mmap(), mprotect() ...
std::span<const Override> walk_overrides();               ///< walks.cpp: nftw(), ftw(), scandir()
std::span<const Override> semaphore_overrides();          ///< semaphores.cpp: sem_open(), sem_wait(), semop()
std::span<const Override> asynchronous_overrides();       ///< asynchronous.cpp: aio_write(), timer_create()
std::span<const Override> process_number_overrides();     ///< process_numbers.cpp: getpid(), kill()
std::span<const Override> name_list_overrides();          ///< name_lists.cpp: getpwent(), getmntent()
std::span<const Override> system_log_overrides();         ///< system_log.cpp: openlog(), syslog()
std::span<const Override> system_call_overrides();        ///< system_calls.cpp: syscall()

/// recorded_files.cpp: read(), write(), fread() ... of a program that is recorded. In front of all others,
/// and none of override_tables().
std::span<const Override> recorded_file_overrides();

/// All tables, that of malloc.hpp included. No name occurs twice.
std::vector<std::span<const Override>> override_tables();

}  // namespace skein::libc
