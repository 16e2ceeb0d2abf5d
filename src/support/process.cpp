#include "support/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace cutile::support {
namespace {

std::vector<std::string> clean_environment() {
  std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C"};
  for (const char* name : {"HOME", "TMPDIR"}) {
    if (const char* value = std::getenv(name))
      environment.push_back(fmt::format("{}={}", name, value));
  }
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& t : texts) out.push_back(t.data());
  out.push_back(nullptr);
  return out;
}

} // namespace

Result<ProcessResult> run_process(const std::filesystem::path& program,
                                  const std::vector<std::string>& arguments,
                                  std::chrono::milliseconds limit) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0)
    return device_failure(fmt::format("{}: no pipe: {}", program.string(), std::strerror(errno)));
  std::vector<std::string> argument_texts{program.string()};
  argument_texts.insert(argument_texts.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment_texts = clean_environment();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(
      &attributes,
      POSIX_SPAWN_SETPGROUP); // a group of its own, so that its children can be killed too
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, &attributes, pointers(argument_texts).data(),
                  pointers(environment_texts).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(pipe_ends[1]);
  if (error != 0) {
    close(pipe_ends[0]);
    return device_failure(
        fmt::format("{}: cannot be run: {}", program.string(), std::strerror(error)));
  }

  ProcessResult result;
  const auto deadline = std::chrono::steady_clock::now() + limit;
  constexpr std::size_t kept = 64 * 1024;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd p{pipe_ends[0], POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : poll(&p, 1, static_cast<int>(left.count()));
    if (ready == 0) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      break;
    }
    if (ready < 0 && errno == EINTR) continue;
    char buffer[4096];
    const ssize_t n = read(pipe_ends[0], buffer, sizeof buffer);
    if (n <= 0) break;
    if (result.output.size() < kept) result.output.append(buffer, static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  // The output is closed; a program that stays all the same gets until the deadline.
  int status = 0;
  while (waitpid(child, &status, result.timed_out ? 0 : WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() >= deadline) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      break;
    }
    usleep(1000);
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

} // namespace cutile::support
