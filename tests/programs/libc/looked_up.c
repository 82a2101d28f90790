// SPDX-License-Identifier: Apache-2.0
// `looked_up`: each function that asks the name service, in both its forms, finds what the machine's files
// have, and its result lasts until the rank asks again. The service's modules belong to the process, and are
// called through pointers that mean something only in it.
#define _GNU_SOURCE
#include <aliases.h>
#include <arpa/inet.h>
#include <grp.h>
#include <gshadow.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <shadow.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"

static char room[16384];

static void others_run(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
}

/// Returns the word at `position` of the first line of `path` that has `key` at `key_position`; null if there
/// is none.
static const char* in_file(const char* path, const char* ends, int key_position, const char* key,
                           int position) {
  static char line[4096];
  FILE* file = fopen(path, "r");
  if (!file) return NULL;
  const char* found = NULL;
  while (!found && fgets(line, sizeof line, file)) {
    char *words[8] = {0}, *rest = line;
    for (int i = 0; i < 8;) {
      char* word = strsep(&rest, ends);
      if (!word) break;
      if (*word != '\0') words[i++] = word;
    }
    if (words[key_position] && words[position] && strcmp(words[key_position], key) == 0)
      found = words[position];
  }
  fclose(file);
  return found;
}

/// True if the look-up that returned `entry`, and the reentrant one, which returned `error` and `again`,
/// found the entry exactly if there is one, with the expected name.
#define FOUND(expected, entry, name, error, again)                                                    \
  do {                                                                                                \
    others_run();                                                                                     \
    const char* const right = (expected);                                                             \
    CHECK(!(entry) == !right && !(again) == !right);                                                  \
    if (right) CHECK((error) == 0 && !strcmp((entry)->name, right) && !strcmp((again)->name, right)); \
  } while (0)

static void networks(void) {
  int problem;
  struct protoent protocol, *found_protocol = NULL;
  int error = getprotobyname_r("tcp", &protocol, room, sizeof room, &found_protocol);
  FOUND(in_file("/etc/protocols", " \t\n", 0, "tcp", 0), getprotobyname("tcp"), p_name, error,
        found_protocol);
  error = getprotobynumber_r(17, &protocol, room, sizeof room, &found_protocol);
  FOUND(in_file("/etc/protocols", " \t\n", 1, "17", 0), getprotobynumber(17), p_name, error, found_protocol);

  struct servent service, *found_service = NULL;
  error = getservbyname_r("ssh", "tcp", &service, room, sizeof room, &found_service);
  FOUND(in_file("/etc/services", " \t\n", 1, "22/tcp", 0), getservbyname("ssh", "tcp"), s_name, error,
        found_service);
  error = getservbyport_r(htons(22), "tcp", &service, room, sizeof room, &found_service);
  FOUND(in_file("/etc/services", " \t\n", 1, "22/tcp", 0), getservbyport(htons(22), "tcp"), s_name, error,
        found_service);

  struct rpcent program, *found_program = NULL;
  error = getrpcbyname_r("nfs", &program, room, sizeof room, &found_program);
  FOUND(in_file("/etc/rpc", " \t\n", 0, "nfs", 0), getrpcbyname("nfs"), r_name, error, found_program);
  error = getrpcbynumber_r(100003, &program, room, sizeof room, &found_program);
  FOUND(in_file("/etc/rpc", " \t\n", 1, "100003", 0), getrpcbynumber(100003), r_name, error, found_program);

  struct netent network, *found_network = NULL;
  error = getnetbyname_r("loopback", &network, room, sizeof room, &found_network, &problem);
  FOUND(in_file("/etc/networks", " \t\n", 0, "loopback", 0), getnetbyname("loopback"), n_name, error,
        found_network);
  error = getnetbyaddr_r(0x7f000000, AF_INET, &network, room, sizeof room, &found_network, &problem);
  FOUND(in_file("/etc/networks", " \t\n", 1, "127.0.0.0", 0), getnetbyaddr(0x7f000000, AF_INET), n_name,
        error, found_network);

  struct hostent host, *found_host = NULL;
  CHECK(gethostbyname2_r("127.0.0.1", AF_INET, &host, room, sizeof room, &found_host, &problem) == 0 &&
        found_host);
  CHECK(*(const unsigned char*)found_host->h_addr_list[0] == 127);

  struct ether_addr card = {{2, 0, 0, 1, 2, 3}};
  char name[256];
  const int has_cards = access("/etc/ethers", R_OK) == 0;
  CHECK(has_cards || (ether_hostton("no such host", &card) != 0 && ether_ntohost(name, &card) != 0));
  CHECK(innetgr("no such group of hosts", "a", "b", "c") == 0);
  CHECK(setnetgrent("no such group of hosts") == 0);
  endnetgrent();
  CHECK(ruserok("127.0.0.1", 0, "no such user", "no such user") == -1);
}

static void users(void) {
  struct spwd secret, *found_secret = NULL;
  int error = getspnam_r("root", &secret, room, sizeof room, &found_secret);
  FOUND(in_file("/etc/shadow", ":\n", 0, "root", 0), getspnam("root"), sp_namp, error, found_secret);
  struct sgrp group, *found_group = NULL;
  error = getsgnam_r("root", &group, room, sizeof room, &found_group);
  FOUND(in_file("/etc/gshadow", ":\n", 0, "root", 0), getsgnam("root"), sg_namp, error, found_group);
  struct aliasent alias, *found_alias = NULL;
  error = getaliasbyname_r("postmaster", &alias, room, sizeof room, &found_alias);
  FOUND(in_file("/etc/aliases", ": \t\n", 0, "postmaster", 0), getaliasbyname("postmaster"), alias_name,
        error, found_alias);
  char name[L_cuserid] = "";
  const struct passwd* const user = getpwuid(geteuid());
  CHECK(cuserid(name) && (!user || !strcmp(name, user->pw_name)));
  gid_t groups[256];
  const int count = getgroups(256, groups);
  if (geteuid() == 0 && setgroups((size_t)count, groups) == 0)
    CHECK(initgroups("root", 0) == 0 && setgroups((size_t)count, groups) == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int round = 0; round < 3; ++round) {
    networks();
    users();
  }
  finish("looked_up");
  return 0;
}
