# SPDX-License-Identifier: Apache-2.0
# Fails when docs/cli.md is not what the command prints: cmake -DSKEIN=... -DDOCUMENT=... -P <this>
execute_process(COMMAND ${SKEIN} help --markdown OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${DOCUMENT} written)
if(NOT printed STREQUAL written)
  message(FATAL_ERROR "${DOCUMENT} is out of date; renew it: ${SKEIN} help --markdown > ${DOCUMENT}")
endif()
