// SPDX-License-Identifier: Apache-2.0
#include "evidence/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/toml_table_reader.h"
#include "base/work.h"
#include "evidence/origins/toolkit.h"
#include "git/origin.h"

namespace sibyl::evidence {
namespace {

const std::vector<std::string>& SourceKeys() {
  static const std::vector<std::string> keys = {
      "name",           "git",      "folder",  "file",    "page",   "ref", "include", "exclude",
      "max_file_bytes", "known_as", "toolkit", "version", "history"};
  return keys;
}

constexpr std::string_view kAddressHint = "use an http or https address: page = \"https://…\"";

// The key as older drafts of plans call it.
constexpr std::string_view kOtherNameOfPage = "url";

/// Turns one table into a SourceSpec.
class SourceReader {
 public:
  SourceReader(const TomlTableReader& reader, std::vector<Finding>& findings)
      : reader_(reader), findings_(findings) {}

  Result<SourceSpec> Read(const toml::table& table) {
    SourceSpec spec;
    spec.line = table.source().begin.line;
    for (const auto& [key, node] : table) {
      SIBYL_TRY(ReadKey(key.str(), node, spec));
    }
    if (!toolkit_.name.empty() || !toolkit_.version.empty()) SIBYL_TRY(TakeToolkit(table, spec));
    if (!has_origin_) {
      return reader_.Complain(table, "a source without git, folder, file or page", HintForOrigin());
    }
    if (spec.name.empty()) return reader_.Complain(table, "a source without a name", {});
    if (!spec.ref.empty() && spec.kind != SourceKind::kGit) {
      return reader_.Complain(table, fmt::format("{}: only git sources have a ref", spec.name), {});
    }
    if (spec.has_history && spec.kind != SourceKind::kGit) {
      return reader_.Complain(table, fmt::format("{}: only git sources have a history", spec.name),
                              {});
    }
    if (spec.kind == SourceKind::kPage) spec.origin = PagesOrigin(spec.name, spec.urls);
    return spec;
  }

 private:
  // Probably one of them was misspelt.
  std::string HintForOrigin() const {
    const std::vector<std::string> origins = {"git", "folder", "file", "page"};
    const std::optional<std::string> near = NearestName(unknown_, origins);
    return near ? fmt::format("did you mean '{}' instead of '{}'?", *near, unknown_)
                : "add one, such as git = \"https://…\"";
  }

  Status ReadKey(std::string_view key, const toml::node& node, SourceSpec& spec) {
    if (const std::optional<SourceKind> kind =
            ParseSourceKind(key == kOtherNameOfPage ? "page" : key)) {
      if (has_origin_) {
        return reader_.Complain(node, "a source with two origins",
                                "give each its own [[source]] table");
      }
      has_origin_ = true;
      spec.kind = *kind;
      if (spec.kind == SourceKind::kPage) return ReadAddresses(key, node, spec);
      spec.origin = SIBYL_TRY(reader_.Text(key, node));
      if (spec.kind == SourceKind::kGit) TakeCredentials(node, spec.origin, spec);
      return {};
    }
    if (key == "name") {
      spec.name = SIBYL_TRY(reader_.Text(key, node));
      if (IsSourceName(spec.name)) return {};
      return reader_.Complain(node, fmt::format("'{}' is not a valid source name", spec.name),
                              "use up to 64 letters, digits, '.', '_' and '-'");
    }
    if (key == "toolkit") {
      toolkit_.name = SIBYL_TRY(reader_.Text(key, node));
    } else if (key == "version") {
      toolkit_.version = SIBYL_TRY(reader_.Text(key, node));
    } else if (key == "ref") {
      spec.ref = SIBYL_TRY(reader_.Text(key, node));
    } else if (key == "include") {
      spec.filter.include = SIBYL_TRY(List(key, node));
    } else if (key == "exclude") {
      spec.filter.exclude = SIBYL_TRY(List(key, node));
    } else if (key == "known_as") {
      return ReadNames(node, spec);
    } else if (key == "history") {
      const std::optional<bool> wanted = node.value_exact<bool>();
      if (!wanted) return reader_.Complain(node, "history is not true or false", "history = true");
      spec.has_history = *wanted;
    } else if (key == "max_file_bytes") {
      const std::optional<std::int64_t> bytes = node.value_exact<std::int64_t>();
      if (!bytes || *bytes <= 0) {
        return reader_.Complain(node, "max_file_bytes is not a size",
                                "for example: max_file_bytes = 2097152");
      }
      spec.filter.max_file_bytes = static_cast<std::uint64_t>(*bytes);
    } else {
      unknown_ = key;
      findings_.push_back(reader_.UnknownKey("source/unknown-key", key, node, SourceKeys()));
    }
    return {};
  }

  // toolkit = "cuda", version = "13.0"
  Status TakeToolkit(const toml::table& table, SourceSpec& spec) {
    if (has_origin_) {
      return reader_.Complain(table, "a source with two origins",
                              "give each its own [[source]] table");
    }
    if (std::string mistake = MistakeOfToolkit(toolkit_); !mistake.empty()) {
      return reader_.Complain(table, std::move(mistake),
                              "write toolkit = \"cuda\" and version = \"13.0\"");
    }
    has_origin_ = true;
    spec.kind = SourceKind::kFolder;
    spec.origin = ToolkitOrigin(toolkit_);
    return {};
  }

  // Such files exist, so they are still read; but the secret goes no further.
  void TakeCredentials(const toml::node& node, std::string& address, SourceSpec& spec) {
    if (!git::HasCredentials(address)) return;
    Error refused = SourceCredentialsRefused(address, spec.kind);
    address = git::WithoutCredentials(address);
    spec.has_credentials = true;
    findings_.push_back(Finding{.severity = Severity::kWarning,
                                .code = "source/credentials",
                                .message = std::move(refused.message),
                                .hint = std::move(refused.hint),
                                .place = reader_.PlaceOf(node)});
  }

  // One address, or a list of them, which may be empty.
  Status ReadAddresses(std::string_view key, const toml::node& node, SourceSpec& spec) {
    spec.urls = SIBYL_TRY(reader_.Texts(key, node));
    for (std::string& url : spec.urls) {
      TakeCredentials(node, url, spec);
      if (url.starts_with("https://") || url.starts_with("http://")) continue;
      spec.mistake = fmt::format("'{}' is not the address of a page", url);
      findings_.push_back(Finding{.severity = Severity::kError,
                                  .code = "source/address",
                                  .message = spec.mistake,
                                  .hint = std::string(kAddressHint),
                                  .place = reader_.PlaceOf(node)});
    }
    return {};
  }

  Status ReadNames(const toml::node& node, SourceSpec& spec) {
    constexpr std::size_t kMostNames = 32;
    constexpr std::size_t kMostBytes = 64;
    spec.known_as = SIBYL_TRY(reader_.Texts("known_as", node));
    const auto is_wrong = [](const std::string& name) {
      return name.size() > kMostBytes || std::none_of(name.begin(), name.end(), IsNameByte);
    };
    if (spec.known_as.size() <= kMostNames &&
        std::none_of(spec.known_as.begin(), spec.known_as.end(), is_wrong)) {
      return {};
    }
    return reader_.Complain(node, "known_as is not a list of names",
                            "use up to 32 names of up to 64 bytes: known_as = [\"PyTorch\"]");
  }

  Result<std::vector<std::string>> List(std::string_view key, const toml::node& node) const {
    if (node.is_array()) return reader_.Texts(key, node);
    return reader_.Complain(node, fmt::format("{} is not a list", key), "include = [\"docs/**\"]");
  }

  const TomlTableReader& reader_;
  std::vector<Finding>& findings_;
  bool has_origin_ = false;
  Toolkit toolkit_;
  std::string unknown_;  // the last key that is none
};

}  // namespace

const SourceSpec* SourceConfig::Find(std::string_view name) const {
  const auto found = std::find_if(sources.begin(), sources.end(), [name](const SourceSpec& spec) {
    sibyl::Work::Add(1);
    return spec.name == name;
  });
  return found == sources.end() ? nullptr : &*found;
}

Result<SourceConfig> ParseSourceConfig(std::string_view text, const std::string& file) {
  const toml::table root = SIBYL_TRY(ParseToml(text, file));
  SourceConfig config;
  const toml::node* node = root.get("source");
  if (node == nullptr) return config;
  const toml::array* list = node->as_array();
  if (list == nullptr || (!list->empty() && !list->is_array_of_tables())) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "reading the sources: source is not an array of tables",
                 .hint = "write [[source]] with two brackets",
                 .place = Place{.file = file, .line = node->source().begin.line}};
  }
  const TomlTableReader reader(file, "the sources");
  std::unordered_set<std::string> names;
  for (const toml::node& element : *list) {
    SourceSpec spec = SIBYL_TRY(SourceReader(reader, config.findings).Read(*element.as_table()));
    if (!names.insert(spec.name).second) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("reading the sources: two sources named {}", spec.name),
                   .hint = {},
                   .place = Place{.file = file, .line = spec.line}};
    }
    config.sources.push_back(std::move(spec));
  }
  return config;
}

}  // namespace sibyl::evidence
