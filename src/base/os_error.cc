// SPDX-License-Identifier: Apache-2.0
#include "base/os_error.h"

#include <cerrno>
#include <string>
#include <system_error>

namespace sibyl {
namespace {

ErrorKind KindOf(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return ErrorKind::kNotFound;
    case EISDIR:
    case EINVAL:
    case ELOOP:
    case ENAMETOOLONG:
      return ErrorKind::kUsage;
    default:
      return ErrorKind::kUnavailable;
  }
}

std::string_view HintFor(int code) {
  switch (code) {
    case EACCES:
    case EPERM:
      return "check the permissions of the file and of its folder";
    case ENOSPC:
    case EDQUOT:
      return "free some space and run it again; nothing was half-written";
    case EROFS:
      return "the file system is mounted read-only";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    default:
      return "";
  }
}

}  // namespace

Error OsError(std::string_view doing, int code) {
  // std::generic_category rather than strerror, which shares a buffer between
  // threads.
  std::string said = std::generic_category().message(code);
  if (said.size() > 1 && said[0] >= 'A' && said[0] <= 'Z' && said[1] >= 'a' && said[1] <= 'z') {
    said[0] = static_cast<char>(said[0] - 'A' + 'a');
  }
  return Error{.kind = KindOf(code),
               .message = std::string(doing) + ": " + said,
               .hint = std::string(HintFor(code))};
}

}  // namespace sibyl
