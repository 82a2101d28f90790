/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Environment variable by which the launcher tells skein-boot the path of the launcher. */
#define SKEIN_BOOT_TARGET_VARIABLE "SKEIN_BOOT_TARGET"
