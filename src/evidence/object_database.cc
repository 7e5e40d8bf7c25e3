// SPDX-License-Identifier: Apache-2.0
#include "evidence/object_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/mapped_file.h"

namespace sibyl::evidence {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxAlternates = 5;  // git's own limit

// Whatever is asked of a folder that may vanish under us ends in an error code,
// never in an exception.
std::vector<fs::path> FilesIn(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == extension) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void CollectLoose(const fs::path& objects, std::string_view digits, std::set<std::string>& found) {
  std::error_code error;
  const std::string folder(digits.substr(0, 2));
  fs::directory_iterator it(objects / folder, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string name = folder + it->path().filename().string();
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

Result<ObjectDatabase> ObjectDatabase::Open(const fs::path& objects) {
  std::error_code error;
  if (!fs::is_directory(objects, error)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("opening {}: no such folder of objects", objects.string())};
  }
  ObjectDatabase database;
  database.AddFolder(objects, 0);
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

void ObjectDatabase::AddFolder(const fs::path& objects, int depth) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(objects, error);
  const fs::path& folder = error ? objects : canonical;
  // Alternates that point in a circle end here.
  if (std::find(loose_folders_.begin(), loose_folders_.end(), folder) != loose_folders_.end()) {
    return;
  }
  loose_folders_.push_back(folder);
  AddPacks(folder / "pack");
  AddAlternates(folder, depth);
}

void ObjectDatabase::AddPacks(const fs::path& folder) {
  for (const fs::path& path : FilesIn(folder, ".idx")) {
    const auto open = [&]() -> Status {
      MappedFile index_file = SIBYL_TRY(MappedFile::Open(path));
      fs::path data_path = path;
      MappedFile data_file = SIBYL_TRY(MappedFile::Open(data_path.replace_extension(".pack")));
      const PackIndex index = SIBYL_TRY(PackIndex::Parse(index_file.bytes()));
      const PackData data = SIBYL_TRY(PackData::Parse(data_file.bytes()));
      packs_.push_back(std::make_unique<OpenPack>(
          OpenPack{std::move(index_file), std::move(data_file), index, data}));
      return {};
    };
    if (const Status status = open(); !status.ok()) Note(path, status.error().message);
  }
}

void ObjectDatabase::AddAlternates(const fs::path& objects, int depth) {
  const fs::path file = objects / "info" / "alternates";
  std::error_code error;
  if (!fs::exists(file, error)) return;
  if (depth >= kMaxAlternates) return Note(file, "alternates are nested too deep");
  const Result<std::string> text = ReadFile(file, {.max_bytes = std::size_t{1} << 20});
  if (!text.ok()) return Note(file, text.error().message);
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const fs::path other = objects / fs::path(line);
    if (fs::is_directory(other, error)) {
      AddFolder(other, depth + 1);
    } else {
      Note(file, fmt::format("the alternate {} is gone", other.string()));
    }
  }
}

void ObjectDatabase::Note(const fs::path& file, std::string message) {
  findings_.push_back(Finding{.severity = Severity::kWarning,
                              .code = "source/pack-unreadable",
                              .message = std::move(message),
                              .hint = "git fsck in that repository says more",
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
  return std::any_of(loose_folders_.begin(), loose_folders_.end(), [&id](const fs::path& objects) {
    std::error_code error;
    return fs::exists(LoosePath(objects, id), error);
  });
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
  for (const fs::path& objects : loose_folders_) CollectLoose(objects, digits, found);
  if (found.empty()) return none;
  if (found.size() > 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("several objects start with {}", digits),
                 .hint = "give more digits"};
  }
  return *ObjectId::FromHex(*found.begin());
}

fs::path LoosePath(const fs::path& objects, const ObjectId& id) {
  const std::string digits = id.Hex();
  return objects / digits.substr(0, 2) / digits.substr(2);
}

}  // namespace sibyl::evidence
