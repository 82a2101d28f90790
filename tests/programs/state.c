// SPDX-License-Identifier: Apache-2.0
// `state [ROUNDS]`: everything that a C program may keep between two statements, while its rank moves.
#include <errno.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { static_count = 20000, list_step = 7, graph_nodes = 64, tls_count = 300, depth = 12 };

// ---- globals and statics

static int initialised = 41;
double table[static_count];
static char text[] = "before";
static char* points_into_text = text + 3;
static int* const points_at_initialised = &initialised;
const char* constant_text = "constant";

static int count_calls(void) {
  static int calls = 0;
  return ++calls;
}

static void fill_globals(void) {
  initialised = 1000 + my_rank;
  for (int i = 0; i < static_count; ++i) table[i] = my_rank + i * 0.5;
  snprintf(text, sizeof text, "r%05d", my_rank);
}

static void check_globals(int round) {
  CHECK(initialised == 1000 + my_rank && *points_at_initialised == initialised);
  const int i = (int)((unsigned)(round * 7919 + my_rank) % static_count);
  CHECK(table[i] == my_rank + i * 0.5);
  CHECK(points_into_text == text + 3 && atoi(text + 1) == my_rank);
  CHECK(strcmp(constant_text, "constant") == 0);
  CHECK(count_calls() == round + 1);
}

// ---- thread-local storage

static __thread int tls_number = 17;
static __thread int tls_array[tls_count];
static __thread int* tls_pointer;

static void fill_tls(void) {
  CHECK(tls_number == 17 && tls_array[tls_count - 1] == 0 && tls_pointer == NULL);
  tls_number = 500 + my_rank;
  for (int i = 0; i < tls_count; ++i) tls_array[i] = my_rank * i;
  tls_pointer = &tls_array[11];
}

static void check_tls(int round) {
  CHECK(tls_number == 500 + my_rank + round);
  ++tls_number;
  CHECK(tls_array[round % tls_count] == my_rank * (round % tls_count));
  CHECK(tls_pointer == &tls_array[11] && *tls_pointer == my_rank * 11);
}

// ---- the heap: a list that grows and shrinks, a graph, blocks that are resized

struct Item {
  struct Item* next;
  int value;
};
static struct Item* list;
static int list_first, list_end;  // values in the list: [list_first, list_end)

static void change_list(int round) {
  struct Item** end = &list;
  while (*end) end = &(*end)->next;
  for (int i = 0; i < list_step; ++i) {
    *end = malloc(sizeof **end);
    (*end)->next = NULL;
    (*end)->value = list_end++;
    end = &(*end)->next;
  }
  for (int i = 0; i < (round % 2 ? 0 : 2 * list_step - 2); ++i) {
    struct Item* first = list;
    CHECK(first->value == list_first);
    ++list_first;
    list = first->next;
    free(first);
    if (!list) break;
  }
}

static void check_list(void) {
  int expected = list_first;
  for (const struct Item* item = list; item; item = item->next) CHECK(item->value == expected++);
  CHECK(expected == list_end);
}

typedef int (*Rule)(int);
static int plus_one(int x) { return x + 1; }
static int times_three(int x) { return x * 3; }
static int negative(int x) { return -x; }
static const Rule rules[] = {plus_one, times_three, negative};

struct Node {
  struct Node* edges[3];
  Rule rule;
  int id;
};
static struct Node** graph;

static void make_graph(void) {
  graph = calloc(graph_nodes, sizeof *graph);
  for (int i = 0; i < graph_nodes; ++i) graph[i] = malloc(sizeof **graph);
  for (int i = 0; i < graph_nodes; ++i) {
    graph[i]->id = i;
    graph[i]->rule = rules[i % 3];
    for (int edge = 0; edge < 3; ++edge) graph[i]->edges[edge] = graph[(i * (edge + 2) + 1) % graph_nodes];
  }
}

/// Walks the graph by pointers, and beside it by arithmetic.
static void check_graph(int round) {
  const struct Node* node = graph[round % graph_nodes];
  int id = round % graph_nodes;
  for (int i = 0; i < 20; ++i) {
    const int edge = (round + i) % 3;
    node = node->edges[edge];
    id = (id * (edge + 2) + 1) % graph_nodes;
    CHECK(node->id == id && node->rule(id) == rules[id % 3](id));
  }
}

static unsigned char* block;
static size_t block_bytes;

static unsigned char byte_at(size_t i) { return (unsigned char)(i * 31 + (size_t)my_rank); }

static void check_block(int round) {
  for (size_t i = 0; i < block_bytes; i += 97) CHECK(block[i] == byte_at(i));
  const size_t bytes = (size_t)1 << (round % 18);
  block = realloc(block, bytes);
  for (size_t i = 0; i < bytes && i < block_bytes; i += 97) CHECK(block[i] == byte_at(i));
  for (size_t i = 0; i < bytes; ++i) block[i] = byte_at(i);
  block_bytes = bytes;
}

// ---- the stack, setjmp, errno

static int sum_below(int level, const int* above) {
  int mine[64];
  for (int i = 0; i < 64; ++i) mine[i] = level * 64 + i + my_rank;
  const int* const address = mine;
  const int below = level + 1 < depth ? sum_below(level + 1, mine) : (maybe_move(), 0);
  CHECK(address == mine);
  int sum = 0;
  for (int i = 0; i < 64; ++i) {
    CHECK(mine[i] == level * 64 + i + my_rank);
    if (above) CHECK(above[i] == (level - 1) * 64 + i + my_rank);
    sum += mine[i];
  }
  return sum + below;
}

static void check_stack(void) {
  const int n = depth * 64;
  CHECK(sum_below(0, NULL) == n * (n - 1) / 2 + n * my_rank);
}

static jmp_buf far_place;  // set in an early round, used from a deeper frame of the same one

static void jump_back(int value) {
  maybe_move();
  longjmp(far_place, value);
}

static void check_jump(int round) {
  volatile int before = round * 3 + my_rank;
  const int value = setjmp(far_place);
  if (value == 0) {
    maybe_move();
    jump_back(round + 1);
  }
  CHECK(value == round + 1 && before == round * 3 + my_rank);
}

static void check_errno(void) {
  const int mine = my_rank % 2 ? ENOENT : ERANGE;
  errno = mine;
  maybe_move();
  CHECK(errno == mine);
}

// ---- state of the C library

static int random_numbers[16];

static void check_random(int round) {
  if (round == 0) {
    srand((unsigned)my_rank + 1);
    for (int i = 0; i < 16; ++i) random_numbers[i] = rand();
  }
  if (round % 16 == 0) srand((unsigned)my_rank + 1);
  CHECK(rand() == random_numbers[round % 16]);
}

static char words[64];
static const char* const expected_words[] = {"zero", "one", "two", "three"};

static void check_tokens(int round) {
  if (round % 4 == 0) strcpy(words, "zero,one,two,three");
  const char* word = strtok(round % 4 == 0 ? words : NULL, ",");
  CHECK(word && strcmp(word, expected_words[round % 4]) == 0);
}

static int ascending(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static void check_sort(int round) {
  int numbers[50];
  for (int i = 0; i < 50; ++i) numbers[i] = (i * 37 + round) % 50;
  qsort(numbers, 50, sizeof numbers[0], ascending);
  for (int i = 0; i < 50; ++i) CHECK(numbers[i] == i);
}

static void check_environment(int round) {
  char value[32];
  if (round == 0) {
    snprintf(value, sizeof value, "of rank %d", my_rank);
    CHECK(setenv("STATE_OF_RANK", value, 1) == 0);
  }
  snprintf(value, sizeof value, "of rank %d", my_rank);
  const char* now = getenv("STATE_OF_RANK");
  CHECK(now && strcmp(now, value) == 0);
}

/// The MPI underneath may have asked for a user, too, before any rank ran.
static void check_user(void) {
  const struct passwd* user = getpwuid(0);
  CHECK(user);
  maybe_move();
  CHECK(strcmp(user->pw_name, "root") == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 100);
  fill_globals();
  fill_tls();
  make_graph();
  for (int round = 0; round < rounds; ++round) {
    change_list(round);
    maybe_move();
    check_globals(round);
    check_tls(round);
    check_list();
    check_graph(round);
    check_block(round);
    check_random(round);
    check_tokens(round);
    check_sort(round);
    check_environment(round);
    check_stack();
    check_jump(round);
    check_errno();
  }
  check_user();
  CHECK(argc <= 2 && strstr(argv[0], "state"));
  finish("state");
  return 0;
}
