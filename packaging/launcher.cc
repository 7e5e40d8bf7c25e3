// SPDX-License-Identifier: Apache-2.0
// bin/sibyl of the bundle: replaces itself with the bundled dynamic loader, which runs
// ../lib/sibyl/sibyl with the bundled libraries. Linked statically, because the path of a
// loader in an ELF file is absolute, and a shell script needs a shell.
//
// Programs that Sibyl starts are not affected: the folder of the libraries is an argument of
// the loader, not LD_LIBRARY_PATH.
#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

// The path of this program with links resolved.
std::string OwnPath() {
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size > 0 && static_cast<std::size_t>(size) < path.size()) {
    path.resize(static_cast<std::size_t>(size));
    return path;
  }
  // /proc is not mounted.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel passes the pointer as a number
  const char* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  char* resolved = started == nullptr ? nullptr : realpath(started, nullptr);
  std::string found = resolved == nullptr ? std::string() : std::string(resolved);
  free(resolved);
  return found;
}

// "/opt/sibyl/bin/../lib/sibyl" for "/opt/sibyl/bin/sibyl".
std::string LibraryFolder(const std::string& program) {
  const std::size_t slash = program.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : program.substr(0, slash);
  return folder + "/../lib/sibyl";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = LibraryFolder(OwnPath());
  std::string loader = folder + "/ld-linux-x86-64.so.2";
  std::vector<std::string> words = {
      loader, "--library-path", folder, "--argv0", argc > 0 ? argv[0] : "sibyl", folder + "/sibyl"};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + static_cast<std::size_t>(argc) + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  arguments.push_back(nullptr);
  // Character sets of web pages; the modules of another glibc may not load.
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
  setenv("GCONV_PATH", (folder + "/gconv").c_str(), 0);
  execv(loader.c_str(), arguments.data());
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
  const char* reason = strerror(errno);
  fprintf(
      stderr,
      "sibyl: error: starting %s: %s\n  unpack the whole bundle, and keep bin and lib together\n",
      loader.c_str(), reason);
  return 2;
}
