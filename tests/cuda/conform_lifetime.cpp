// SPDX-License-Identifier: MIT
//
// conform_lifetime - memory that lives longer than main(): allocated by static constructors, used in between, freed by
// static destructors and by atexit(), with work still pending when main() returns; and a child after fork().
//
// Late frees succeed, or say that the runtime is gone already (cudaErrorCudartUnloading): which of the two depends on
// the order in which the program and the runtime's library end. A crash or any other answer fails the test.
#include "conform.h"

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

static void free_late(void *memory, const char *where) {
  cudaError_t error = cudaFree(memory);
  if (error == cudaSuccess || error == cudaErrorCudartUnloading)
    return;
  printf("%s: cudaFree returned %d (%s)\n", where, (int)error, cudaGetErrorName(error));
  fflush(stdout);
  _exit(EXIT_FAILURE);
}

class Static {
public:
  Static() { made = cudaMalloc(&memory, SIZE); }
  ~Static() { free_late(memory, "static destructor"); }
  void *memory = nullptr;
  cudaError_t made;
};

static Static first, second;
static void *until_exit;

static void free_at_exit() {
  free_late(until_exit, "atexit");
}

// How a child of a process that uses the device is answered: with an error, neither a crash nor a deadlock.
static void fork_a_child() {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    void *memory = nullptr;
    _exit(cudaMalloc(&memory, 100) == cudaErrorInitializationError ? 0 : 1);
  }
  int state = -1;
  conform_true(waitpid(child, &state, 0) == child);
  conform_true(WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

int main() {
  char host[16] = "";
  conform_true(first.made == cudaSuccess && second.made == cudaSuccess);
  conform_true(first.memory != second.memory);
  fork_a_child();
  conform_succeed(cudaMemset(first.memory, 0x21, SIZE));
  conform_succeed(cudaMemcpy(host, static_cast<char *>(first.memory) + SIZE - 16, 16, cudaMemcpyDeviceToHost));
  conform_true(host[15] == 0x21);
  conform_succeed(cudaMalloc(&until_exit, SIZE));
  atexit(free_at_exit);
  conform_succeed(cudaMemset(until_exit, 1, SIZE)); // may still be under way when main() returns
  return conform_done("conform_lifetime");
}
