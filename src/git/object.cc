// SPDX-License-Identifier: Apache-2.0
#include "git/object.h"

#include <fmt/format.h>

#include <string>

#include "base/sha1.h"

namespace sibyl::git {

std::string_view ObjectTypeName(ObjectType type) {
  switch (type) {
    case ObjectType::kCommit:
      return "commit";
    case ObjectType::kTree:
      return "tree";
    case ObjectType::kBlob:
      return "blob";
    case ObjectType::kTag:
      return "tag";
    case ObjectType::kNone:
      break;
  }
  return "none";
}

ObjectId HashObject(ObjectType type, std::string_view bytes) {
  // Starting a digest costs more than hashing a small file.
  thread_local Sha1Stream stream;
  std::string header = fmt::format("{} {}", ObjectTypeName(type), bytes.size());
  header += '\0';
  stream.Add(header);
  stream.Add(bytes);
  return ObjectId{stream.Finish()};
}

}  // namespace sibyl::git
