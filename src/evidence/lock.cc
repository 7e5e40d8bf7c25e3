// SPDX-License-Identifier: Apache-2.0
#include "evidence/lock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/hex.h"
#include "base/numbers.h"
#include "base/toml_text.h"
#include "base/work.h"

namespace sibyl::evidence {
namespace {

constexpr std::uint64_t kFirstWithPages = 2;  // the first that has pages
constexpr std::string_view kHeading =
    "# Where every source is pinned. Written by sibyl; `sibyl source sync` moves the pins.\n";

Error Bad(std::size_t line, std::string_view text, std::string what) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = "reading sibyl.lock: " + std::move(what),
               .hint = "restore it from git, or delete it and run 'sibyl source sync'",
               .place = Place{.file = "sibyl.lock", .line = line, .text = std::string(text)}};
}

struct PageKey {
  std::string_view name;
  std::string PageRecord::*member;
};

// In the order in which they are written.
constexpr std::array<PageKey, 9> kPageKeys = {{
    {"url", &PageRecord::url},
    {"final_url", &PageRecord::final_url},
    {"path", &PageRecord::path},
    {"title", &PageRecord::title},
    {"sha256", &PageRecord::sha256},
    {"text_sha256", &PageRecord::text_sha256},
    {"fetched", &PageRecord::fetched},
    {"etag", &PageRecord::etag},
    {"last_modified", &PageRecord::last_modified},
}};

/// One pass over the lines; errors refer to the current line.
class LockReader {
 public:
  explicit LockReader(std::string_view text) : rest_(text) {}

  Result<Lock> Read() {
    bool has_version = false;
    while (NextLine()) {
      if (text_.empty() || text_.starts_with('#')) continue;
      if (text_ == "[[pin]]") {
        if (!has_version) return Complain("the first entry is not version");
        SIBYL_TRY(FinishPin());
        in_pin_ = true;
        pin_ = Pin{};
        keys_.clear();
        continue;
      }
      if (text_ == "[[pin.page]]") {
        if (!in_pin_) return Complain("a page without a pin");
        SIBYL_TRY(FinishPage());
        in_page_ = true;
        continue;
      }
      const auto [key, value] = SIBYL_TRY(SplitLine());
      if (in_page_) {
        SIBYL_TRY(ReadPageKey(key, value));
      } else if (in_pin_) {
        SIBYL_TRY(ReadPinKey(key, value));
      } else {
        SIBYL_TRY(ReadVersion(key, value));
        has_version = true;
      }
    }
    if (!has_version) return Complain("no version line");
    SIBYL_TRY(FinishPin());
    std::sort(lock_.pins.begin(), lock_.pins.end(),
              [](const Pin& a, const Pin& b) { return a.name < b.name; });
    return std::move(lock_);
  }

 private:
  bool NextLine() {
    if (rest_.empty()) return false;
    ++line_;
    const std::size_t end = rest_.find('\n');
    text_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    return true;
  }

  Error Complain(std::string what) const { return Bad(line_, text_, std::move(what)); }

  Result<std::pair<std::string_view, std::string_view>> SplitLine() const {
    for (const std::string_view mark : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"}) {
      if (text_.starts_with(mark)) return Complain("unresolved merge conflict");
    }
    const std::size_t equals = text_.find(" = ");
    if (equals == std::string_view::npos || equals == 0) {
      return Complain("expected key = value");
    }
    return std::pair(text_.substr(0, equals), text_.substr(equals + 3));
  }

  Status ReadVersion(std::string_view key, std::string_view value) const {
    if (key != "version") return Complain("the first entry is not version");
    const std::uint64_t version = SIBYL_TRY(Number(value));
    if (version >= 1 && version <= kLockVersion) return {};
    Error error = Complain(fmt::format(
        "version {} is not supported; this sibyl reads up to version {}", version, kLockVersion));
    if (version > kLockVersion) error.hint = "a newer sibyl wrote it: use that one";
    return error;
  }

  Status ReadPinKey(std::string_view key, std::string_view value) {
    if (!keys_.insert(std::string(key)).second) {
      return Complain(fmt::format("{} is given twice", key));
    }
    if (key == "name") return Assign(pin_.name, value);
    if (key == "origin") return Assign(pin_.origin, value);
    if (key == "ref") return Assign(pin_.ref, value);
    if (key == "date") return Assign(pin_.date, value);
    if (key == "include") return AssignList(pin_.filter.include, value);
    if (key == "exclude") return AssignList(pin_.filter.exclude, value);
    if (key == "commit") return AssignId(pin_.commit, value);
    if (key == "tree") return AssignId(pin_.tree, value);
    if (key == "max_file_bytes") {
      pin_.filter.max_file_bytes = SIBYL_TRY(Number(value));
      return {};
    }
    if (key == "history") {
      pin_.history = SIBYL_TRY(Number(value));
      return {};
    }
    if (key == "kind") {
      const std::string name = SIBYL_TRY(Text(value));
      const std::optional<SourceKind> kind = ParseSourceKind(name);
      if (!kind) return Complain("unknown kind of source");
      pin_.kind = *kind;
      return {};
    }
    return Complain("unknown key");
  }

  Status ReadPageKey(std::string_view key, std::string_view value) {
    if (!page_keys_.insert(std::string(key)).second) {
      return Complain(fmt::format("{} is given twice", key));
    }
    for (const PageKey& known : kPageKeys) {
      if (known.name == key) return Assign(page_.*(known.member), value);
    }
    return Complain("unknown key");
  }

  Status FinishPage() {
    if (!in_page_) return {};
    in_page_ = false;
    page_keys_.clear();
    if (page_.url.empty() || page_.path.empty() || !IsSha256(page_.sha256) ||
        !IsSha256(page_.text_sha256) || page_.fetched.empty()) {
      return Complain(
          fmt::format("a page of {} is missing url, path, fetched or a hash", pin_.name));
    }
    pin_.pages.push_back(std::exchange(page_, {}));
    return {};
  }

  Status FinishPin() {
    SIBYL_TRY(FinishPage());
    if (!in_pin_) return {};
    if (!IsSourceName(pin_.name)) return Complain("a pin without a valid name");
    const bool page = pin_.kind == SourceKind::kPage;
    const bool git = pin_.kind == SourceKind::kGit;
    if (keys_.count("kind") == 0 || pin_.origin.empty()) {
      return Complain(fmt::format("the pin of {} is missing kind or origin", pin_.name));
    }
    if (pin_.history > 0 && !git) {
      return Complain(fmt::format("{}: only git sources have a history", pin_.name));
    }
    if (!pin_.tree || git != pin_.commit.has_value() || page == pin_.pages.empty()) {
      return Complain(fmt::format("the pin of {} is missing the hashes for its kind", pin_.name));
    }
    if (!names_.insert(pin_.name).second) {
      return Complain(fmt::format("{} is pinned twice", pin_.name));
    }
    lock_.pins.push_back(std::move(pin_));
    return {};
  }

  Result<std::string> Text(std::string_view value) const {
    std::optional<std::string> text = ReadTomlString(value);
    if (!text || !value.empty()) return Complain("expected a string in double quotes");
    return *std::move(text);
  }

  Status Assign(std::string& target, std::string_view value) const {
    target = SIBYL_TRY(Text(value));
    return {};
  }

  Status AssignList(std::vector<std::string>& target, std::string_view value) const {
    std::optional<std::vector<std::string>> list = ReadTomlStrings(value);
    if (!list || !value.empty()) return Complain("expected a list of strings");
    target = *std::move(list);
    return {};
  }

  Status AssignId(std::optional<git::ObjectId>& target, std::string_view value) const {
    const std::string digits = SIBYL_TRY(Text(value));
    target = git::ObjectId::FromHex(digits);
    if (!target) return Complain("expected 40 lower-case hexadecimal digits");
    return {};
  }

  Result<std::uint64_t> Number(std::string_view value) const {
    const std::optional<std::uint64_t> number = ParseNumber<std::uint64_t>(value);
    if (!number) return Complain("expected a number");
    return *number;
  }

  std::string_view rest_;
  std::string_view text_;  // the current line, of the caller's bytes
  std::size_t line_ = 0;
  Lock lock_;  // its pins in the order of the file, until all are read
  std::unordered_set<std::string> names_;
  Pin pin_;
  bool in_pin_ = false;
  std::set<std::string> keys_;  // seen in the current pin
  PageRecord page_;
  bool in_page_ = false;
  std::set<std::string> page_keys_;
};

template <typename Pins>
auto Slot(Pins& pins, std::string_view name) {
  return std::lower_bound(pins.begin(), pins.end(), name, [](const Pin& pin, std::string_view n) {
    sibyl::Work::Add(1);
    return pin.name.compare(n) < 0;
  });
}

}  // namespace

const Pin* Lock::Find(std::string_view name) const {
  const auto found = Slot(pins, name);
  return found == pins.end() || found->name != name ? nullptr : &*found;
}

void Lock::Put(Pin pin) {
  const auto place = Slot(pins, pin.name);
  if (place != pins.end() && place->name == pin.name) {
    *place = std::move(pin);
  } else {
    pins.insert(place, std::move(pin));
  }
}

bool Lock::Remove(std::string_view name) {
  const auto place = Slot(pins, name);
  if (place == pins.end() || place->name != name) return false;
  pins.erase(place);
  return true;
}

Result<Lock> ParseLock(std::string_view text) {
  if (text.size() > kMaxLockBytes) return Bad(0, {}, "it exceeds the size limit");
  return LockReader(text).Read();
}

std::string FormatLock(const Lock& lock) {
  std::string text(kHeading);
  std::uint64_t version = 1;  // the lowest that has all of it
  for (const Pin& pin : lock.pins) {
    if (!pin.pages.empty()) version = std::max<std::uint64_t>(version, kFirstWithPages);
    if (pin.history > 0) version = std::max<std::uint64_t>(version, kLockVersion);
  }
  text += fmt::format("version = {}\n", version);
  for (const Pin& pin : lock.pins) {
    text += fmt::format("\n[[pin]]\nname = {}\nkind = {}\norigin = {}\n", TomlString(pin.name),
                        TomlString(SourceKindName(pin.kind)), TomlString(pin.origin));
    if (!pin.ref.empty()) text += fmt::format("ref = {}\n", TomlString(pin.ref));
    if (pin.commit) text += fmt::format("commit = \"{}\"\n", pin.commit->Hex());
    if (pin.tree) text += fmt::format("tree = \"{}\"\n", pin.tree->Hex());
    if (!pin.date.empty()) text += fmt::format("date = {}\n", TomlString(pin.date));
    if (!pin.filter.include.empty()) {
      text += fmt::format("include = {}\n", TomlStrings(pin.filter.include));
    }
    if (!pin.filter.exclude.empty()) {
      text += fmt::format("exclude = {}\n", TomlStrings(pin.filter.exclude));
    }
    text += fmt::format("max_file_bytes = {}\n", pin.filter.max_file_bytes);
    if (pin.history > 0) text += fmt::format("history = {}\n", pin.history);
    for (const PageRecord& page : pin.pages) {
      text += "\n[[pin.page]]\n";
      for (const PageKey& key : kPageKeys) {
        const std::string& value = page.*(key.member);
        if (!value.empty()) text += fmt::format("{} = {}\n", key.name, TomlString(value));
      }
    }
  }
  return text;
}

}  // namespace sibyl::evidence
