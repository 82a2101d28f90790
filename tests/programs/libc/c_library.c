// SPDX-License-Identifier: Apache-2.0
// The calls of an ordinary C program to the C library, with pauses (sched_yield()) in which Skein's test lets
// other ranks do the same and moves the rank. Natively the pauses do nothing. Exits with status 0 if all is
// well.
//
//   c_library -v --size=5 -n 7 DIRECTORY
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>

#define EXPECT(condition) \
  if (!(condition)) (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1))

static unsigned id;  // differs in every rank: their stacks lie at least 16 MiB apart
static char path[256];

static void remove_file(void) { EXPECT(remove(path) == 0); }

static void arguments(int argc, char** argv) {
  const struct option long_options[] = {{"size", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
  int size = 0, number = 0, verbose = 0, option;
  while ((option = getopt_long(argc, argv, "vn:", long_options, NULL)) != -1) {
    if (option == 's') size = atoi(optarg);
    if (option == 'n') number = atoi(optarg);
    if (option == 'v') ++verbose;
    sched_yield();
  }
  EXPECT(size == 5 && number == 7 && verbose == 1 && optind == argc - 1);
}

static void random_numbers(void) {
  int numbers[10];
  srand(id);
  for (int i = 0; i < 10; ++i) {
    numbers[i] = rand();
    if (i % 3 == 0) sched_yield();
  }
  srand(id);
  for (int i = 0; i < 10; ++i) EXPECT(rand() == numbers[i]);
}

static void hidden_state(void) {
  char text[] = "a b c d";
  int parts = 0;
  for (char* part = strtok(text, " "); part; part = strtok(NULL, " "), ++parts) sched_yield();
  EXPECT(parts == 4);

  const double x = id % 2 ? -0.5 : 0.5;
  EXPECT(fabs(lgamma(x)) > 0);
  const int sign = signgam;
  sched_yield();
  EXPECT(sign == (id % 2 ? -1 : 1) && signgam == sign);

  const time_t when = 86400L * (id % 10000);
  const struct tm* date = gmtime(&when);
  const int day = date->tm_yday;
  errno = (int)(id % 100);
  sched_yield();
  EXPECT(errno == (int)(id % 100) && date->tm_yday == day);
}

/// Checks results in static buffers, each used after a pause.
static void results_in_buffers(void) {
  const struct passwd* user = getpwuid(0);
  EXPECT(user);
  const struct group* group = getgrgid(0);
  EXPECT(group);
  const struct in_addr address = {htonl(0x0a000000 + id)};
  const char* dotted = inet_ntoa(address);
  int point, sign;
  const char* digits =
      ecvt(1 + id, 6, &point, &sign);  // all of its digits: ecvt() may round a tie either way
  const char* base_64 = l64a(id);
  char expected[32];
  sched_yield();
  EXPECT(strcmp(user->pw_name, "root") == 0 && user->pw_dir[0] == '/' && strcmp(group->gr_name, "root") == 0);
  EXPECT(getpwnam("root")->pw_uid == 0 && getgrnam("root")->gr_gid == 0 && !getpwnam("no such user"));
  snprintf(expected, sizeof expected, "10.0.%u.%u", id / 256, id % 256);
  EXPECT(strcmp(dotted, expected) == 0);
  snprintf(expected, sizeof expected, "%.5e", 1.0 + id);  // d.ddddde+dd: the same six digits
  EXPECT(digits[0] == expected[0] && strncmp(digits + 1, expected + 2, 5) == 0 && sign == 0);
  EXPECT(a64l(base_64) == (long)id);
}

/// Looks up names where the system has the files for them; a numeric address needs no look-up.
static void looked_up(void) {
  const char* const names[] = {"http", "ssh", "ftp", "smtp"};
  const int ports[] = {80, 22, 21, 25};
  char address[32];
  snprintf(address, sizeof address, "127.0.%u.%u", id / 256 % 256, id % 256);
  const struct hostent* host = gethostbyname(address);
  const struct servent* by_name = getservbyname(names[id % 4], "tcp");
  const struct protoent* protocol = getprotobyname(id % 2 ? "tcp" : "udp");
  sched_yield();
  EXPECT(host && strcmp(inet_ntoa(*(struct in_addr*)host->h_addr_list[0]), address) == 0);
  EXPECT(!by_name ||
         (strcmp(by_name->s_name, names[id % 4]) == 0 && ntohs(by_name->s_port) == ports[id % 4]));
  EXPECT(!protocol || protocol->p_proto == (id % 2 ? 6 : 17));
  const struct servent* by_port = getservbyport(htons(ports[id % 4]), "tcp");
  sched_yield();
  EXPECT(!by_name == !by_port && (!by_port || strcmp(by_port->s_name, names[id % 4]) == 0));
}

/// Converts the bytes of U+00E9 and U+20AC in UTF-8, one after the other, with the state that each function
/// keeps itself.
static void half_characters(void) {
  const char* const bytes = id % 2 ? "\xc3\xa9" : "\xe2\x82\xac";
  const size_t length = strlen(bytes);
  wchar_t wide = 0;
  char16_t narrow = 0;
  for (size_t i = 0; i < length; ++i) {
    EXPECT(setlocale(LC_CTYPE, "C.UTF-8"));  // the process's, and this may be another one
    const size_t expected = i + 1 < length ? (size_t)-2 : 1;
    EXPECT(mbrtowc(&wide, bytes + i, 1, NULL) == expected);
    EXPECT(mbrtoc16(&narrow, bytes + i, 1, NULL) == expected);
    sched_yield();
  }
  EXPECT(wide == (id % 2 ? 0xe9 : 0x20ac) && narrow == wide);
}

static void environment(void) {
  char value[32], expected[64];
  const char* home = getenv("SKEIN_TEST_HOME");
  EXPECT(home && strcmp(home, "/home") == 0);
  snprintf(value, sizeof value, "%u", id);
  EXPECT(setenv("SKEIN_TEST_ID", value, 1) == 0);
  sched_yield();
  EXPECT(strcmp(getenv("SKEIN_TEST_ID"), value) == 0 && strcmp(home, "/home") == 0);
  snprintf(expected, sizeof expected, "SKEIN_TEST_ID=%s", value);
  int found = 0;
  for (char** entry = environ; *entry; ++entry) found += strcmp(*entry, expected) == 0;
  EXPECT(found == 1);
}

/// Holds locks across the pauses. POSIX's pthread_mutex_lock() and pthread_rwlock_unlock() define what
/// relocking and unlocking return.
static void locks(void) {
  pthread_mutex_t recursive, checking;
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  pthread_mutexattr_t kind;
  EXPECT(pthread_mutexattr_init(&kind) == 0);
  EXPECT(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0);
  EXPECT(pthread_mutex_init(&recursive, &kind) == 0);
  EXPECT(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK) == 0);
  EXPECT(pthread_mutex_init(&checking, &kind) == 0);

  EXPECT(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&checking) == 0);
  EXPECT(pthread_rwlock_wrlock(&shared) == 0);
  sched_yield();
  EXPECT(pthread_mutex_trylock(&recursive) == 0 && pthread_mutex_lock(&checking) == EDEADLK);
  EXPECT(pthread_rwlock_rdlock(&shared) == EDEADLK);
  sched_yield();
  EXPECT(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_unlock(&checking) == 0);
  EXPECT(pthread_rwlock_unlock(&shared) == 0 && pthread_rwlock_rdlock(&shared) == 0);
  sched_yield();
  for (int held = 3; held > 0; --held) EXPECT(pthread_mutex_unlock(&recursive) == 0);
  EXPECT(pthread_mutex_unlock(&recursive) == EPERM && pthread_mutex_unlock(&checking) == EPERM);
  EXPECT(pthread_rwlock_unlock(&shared) == 0 && pthread_rwlock_trywrlock(&shared) == 0);
  EXPECT(pthread_rwlock_unlock(&shared) == 0 && pthread_rwlock_destroy(&shared) == 0);
  EXPECT(pthread_mutex_destroy(&recursive) == 0 && pthread_mutex_destroy(&checking) == 0);
}

static void files(void) {
  FILE* file = fopen(path, "w+");
  FILE* unnamed = tmpfile();
  EXPECT(file && unnamed);
  const int raw = open(path, O_RDONLY), copy = dup(raw);
  for (int i = 0; i < 3000; ++i) {
    EXPECT(fprintf(file, "%u %d\n", id, i) > 0 && fprintf(unnamed, "%d\n", i) > 0);
    if (i % 1000 == 0) sched_yield();
  }
  rewind(file);
  rewind(unnamed);
  for (int i = 0; i < 3000; ++i) {
    unsigned who;
    int a, b;
    EXPECT(fscanf(file, "%u %d", &who, &a) == 2 && fscanf(unnamed, "%d", &b) == 1);
    EXPECT(who == id && a == i && b == i);
    if (i % 1000 == 500) sched_yield();
  }
  char text[16] = "";
  EXPECT(lseek(raw, 4, SEEK_SET) == 4);
  sched_yield();
  EXPECT(lseek(copy, 0, SEEK_CUR) == 4 && read(copy, text, 3) == 3);
  EXPECT(close(raw) == 0 && close(copy) == 0 && fclose(file) == 0 && fclose(unnamed) == 0);
}

int main(int argc, char** argv, char** envp) {
  id = (unsigned)((uintptr_t)&argc >> 24) & 0xffff;
  arguments(argc, argv);
  snprintf(path, sizeof path, "%s/c%u", argv[argc - 1], id);
  EXPECT(envp && strchr(envp[0], '='));
  random_numbers();
  hidden_state();
  results_in_buffers();
  looked_up();
  half_characters();
  environment();
  locks();
  files();
  atexit(remove_file);
  sched_yield();
  return 0;
}
