// SPDX-License-Identifier: Apache-2.0
#include "git/object_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/files/mapped_file.h"
#include "git/self_contained.h"

namespace sibyl::git {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxAlternates = 5;  // git's own limit

constexpr std::size_t kMaxFolders = 64;

void CollectLoose(const Root& objects, std::string_view digits, std::set<std::string>& found) {
  const std::string folder(digits.substr(0, 2));
  const Result<std::vector<RootEntry>> entries = objects.List(folder);
  if (!entries.ok()) return;
  for (const RootEntry& entry : *entries) {
    const std::string name = folder + entry.name;
    if (name.starts_with(digits) && ObjectId::FromHex(name)) found.insert(name);
  }
}

}  // namespace

struct ObjectDatabase::OpenPack {
  std::optional<MappedFile> index_file;
  std::optional<MappedFile> data_file;
  PackIndex index;
  PackData data;
};

ObjectDatabase::ObjectDatabase() = default;
ObjectDatabase::ObjectDatabase(ObjectDatabase&&) noexcept = default;
ObjectDatabase& ObjectDatabase::operator=(ObjectDatabase&&) noexcept = default;
ObjectDatabase::~ObjectDatabase() = default;

Result<ObjectDatabase> ObjectDatabase::Open(const fs::path& objects,
                                            const std::optional<fs::path>& within) {
  const Result<Root> folder = OpenWithin(objects, within);
  if (!folder.ok() && folder.error().kind == ErrorKind::kUsage && within) return folder.error();
  if (!folder.ok()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("opening {}: no such object folder", objects.string())};
  }
  ObjectDatabase database;
  database.within_ = within;
  database.AddFolder(*folder, 0);
  return database;
}

Result<ObjectDatabase> ObjectDatabase::FromMemory(std::string_view index, std::string_view pack) {
  const PackIndex parsed_index = SIBYL_TRY(PackIndex::Parse(index));
  const PackData parsed_data = SIBYL_TRY(PackData::Parse(pack));
  ObjectDatabase database;
  database.packs_.push_back(
      std::make_unique<OpenPack>(OpenPack{std::nullopt, std::nullopt, parsed_index, parsed_data}));
  return database;
}

void ObjectDatabase::AddFolder(const Root& objects, int depth) {
  // Alternates that point in a circle end here, or at the limits.
  const auto is_it = [&objects](const Root& other) { return other.path() == objects.path(); };
  if (std::any_of(loose_folders_.begin(), loose_folders_.end(), is_it)) return;
  if (loose_folders_.size() >= kMaxFolders) return Note(objects.path(), "too many alternates");
  loose_folders_.push_back(objects);
  AddPacks(objects);
  AddAlternates(objects, depth);
}

void ObjectDatabase::AddPacks(const Root& objects) {
  const Result<std::vector<RootEntry>> entries = objects.List("pack");
  if (!entries.ok()) {
    // A repository without packs is fine; a folder that is a link out is not.
    if (entries.error().kind != ErrorKind::kNotFound) {
      Note(objects.Shown("pack"), entries.error().message);
    }
    return;
  }
  for (const RootEntry& entry : *entries) {
    const fs::path path = fs::path("pack") / entry.name;
    if (path.extension() != ".idx") continue;
    const auto open = [&]() -> Status {
      MappedFile index_file = SIBYL_TRY(objects.Map(path));
      fs::path data_path = path;
      MappedFile data_file = SIBYL_TRY(objects.Map(data_path.replace_extension(".pack")));
      const PackIndex index = SIBYL_TRY(PackIndex::Parse(index_file.bytes()));
      const PackData data = SIBYL_TRY(PackData::Parse(data_file.bytes()));
      packs_.push_back(std::make_unique<OpenPack>(
          OpenPack{std::move(index_file), std::move(data_file), index, data}));
      return {};
    };
    if (const Status status = open(); !status.ok()) {
      Note(objects.Shown(path), status.error().message);
    }
  }
}

void ObjectDatabase::AddAlternates(const Root& objects, int depth) {
  const fs::path file = fs::path("info") / "alternates";
  if (!objects.Exists(file)) return;
  if (depth >= kMaxAlternates) return Note(objects.Shown(file), "alternates are nested too deep");
  const Result<std::string> text = objects.Read(file, {.max_bytes = std::size_t{1} << 20});
  if (!text.ok()) return Note(objects.Shown(file), text.error().message);
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const fs::path other = (objects.path() / fs::path(line)).lexically_normal();
    const Result<Root> folder = OpenWithin(other, within_);
    if (folder.ok()) {
      AddFolder(*folder, depth + 1);
    } else if (within_ && folder.error().kind == ErrorKind::kUsage) {
      Note(objects.Shown(file), folder.error().message);
    } else {
      Note(objects.Shown(file), fmt::format("the alternate {} does not exist", other.string()));
    }
  }
}

void ObjectDatabase::Note(const fs::path& file, std::string message) {
  findings_.push_back(Finding{.severity = Severity::kWarning,
                              .code = "source/pack-unreadable",
                              .message = std::move(message),
                              .hint = "'git fsck' in that repository shows details",
                              .place = Place{.file = file.string()}});
}

const PackData& ObjectDatabase::data(std::uint32_t pack) const { return packs_[pack]->data; }
const PackIndex& ObjectDatabase::index(std::uint32_t pack) const { return packs_[pack]->index; }
std::uint32_t ObjectDatabase::pack_count() const {
  return static_cast<std::uint32_t>(packs_.size());
}

std::optional<ObjectPlace> ObjectDatabase::FindIn(std::uint32_t pack, const ObjectId& id) const {
  const PackIndex& index = packs_[pack]->index;
  const std::optional<std::size_t> position = index.Find(id);
  if (!position) return std::nullopt;
  const std::optional<std::uint64_t> offset = index.offset(*position);
  if (!offset) return std::nullopt;
  return ObjectPlace{pack, *offset};
}

std::optional<ObjectPlace> ObjectDatabase::Find(const ObjectId& id) const {
  for (std::uint32_t pack = 0; pack < pack_count(); ++pack) {
    if (const std::optional<ObjectPlace> place = FindIn(pack, id)) return place;
  }
  return std::nullopt;
}

bool ObjectDatabase::Contains(const ObjectId& id) const {
  if (Find(id)) return true;
  return std::any_of(loose_folders_.begin(), loose_folders_.end(),
                     [&id](const Root& objects) { return objects.IsFile(LoosePath(id)); });
}

Result<ObjectId> ObjectDatabase::FindByPrefix(std::string_view digits) const {
  std::string padded(digits);
  if (digits.size() < ObjectId::kDigits) padded.append(ObjectId::kDigits - digits.size(), '0');
  const std::optional<ObjectId> lowest = ObjectId::FromHex(padded);
  const Error none{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("no object starts with {}", digits)};
  if (digits.size() < 4 || !lowest) return none;
  std::set<std::string> found;
  for (const std::unique_ptr<OpenPack>& pack : packs_) {
    const PackIndex& index = pack->index;
    for (std::size_t i = index.LowerBound(*lowest); i < index.count() && found.size() < 2; ++i) {
      const std::string name = index.id(i).Hex();
      if (!name.starts_with(digits)) break;
      found.insert(name);
    }
  }
  for (const Root& objects : loose_folders_) CollectLoose(objects, digits, found);
  if (found.empty()) return none;
  if (found.size() > 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("several objects start with {}", digits),
                 .hint = "give more digits"};
  }
  return *ObjectId::FromHex(*found.begin());
}

fs::path LoosePath(const ObjectId& id) {
  const std::string digits = id.Hex();
  return fs::path(digits.substr(0, 2)) / digits.substr(2);
}

}  // namespace sibyl::git
