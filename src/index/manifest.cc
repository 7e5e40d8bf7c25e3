// SPDX-License-Identifier: Apache-2.0
#include "index/manifest.h"

#include <algorithm>
#include <utility>

#include "base/files/files.h"
#include "base/hex.h"
#include "base/json.h"
#include "index/segment/checksum.h"
#include "index/segment/segment_writer.h"

namespace sibyl::index {
namespace {

constexpr std::string_view kFormat = "sibyl-index";
constexpr int kVersion = 3;

// Not SHA-256: OpenSSL takes a millisecond to initialise, longer than a search.
std::uint32_t ChecksumOf(const Json& body) {
  return Crc32c(FormatJson(body, JsonLayout::kCompact));
}

Error Corrupt(std::string what) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = std::move(what),
               .hint = "delete the file; it is rebuilt when needed",
               .place = std::nullopt};
}

Json BodyOf(const Manifest& manifest) {
  Json segments = Json::array();
  for (const ManifestSegment& segment : manifest.segments) {
    segments.push_back({{"id", segment.id}, {"dead", segment.dead_documents}});
  }
  return {{"fingerprint", manifest.fingerprint}, {"segments", std::move(segments)}};
}

// A member of another type is not equal.
bool Has(const Json& object, const char* member, const Json& value) {
  const auto found = object.find(member);
  return found != object.end() && *found == value;
}

bool IsSegmentId(std::string_view id) { return id.size() == 32 && IsLowerHex(id); }

Result<Manifest> FromBody(const Json& body) {
  const auto wrong = [] { return Corrupt("missing or invalid members"); };
  if (!body.contains("fingerprint") || !body["fingerprint"].is_string()) return wrong();
  if (!body.contains("segments") || !body["segments"].is_array()) return wrong();
  Manifest manifest;
  manifest.fingerprint = body["fingerprint"].get<std::string>();
  for (const Json& segment : body["segments"]) {
    if (!segment.is_object() || !segment.contains("id") || !segment["id"].is_string() ||
        !segment.contains("dead") || !segment["dead"].is_array()) {
      return wrong();
    }
    ManifestSegment& added = manifest.segments.emplace_back();
    added.id = segment["id"].get<std::string>();
    // The id becomes part of a path: only digits are allowed.
    if (!IsSegmentId(added.id)) return wrong();
    for (const Json& dead : segment["dead"]) {
      if (!dead.is_number_unsigned() || dead.get<std::uint64_t>() > 0xFFFFFFFF) return wrong();
      added.dead_documents.push_back(dead.get<std::uint32_t>());
    }
  }
  return manifest;
}

}  // namespace

Result<Manifest> ReadManifest(const std::filesystem::path& path) {
  const std::string doing = "reading the index manifest " + path.string();
  Result<std::string> text = ReadFile(path);
  if (!text.ok()) return While(doing, std::move(text).error());
  Result<Json> json = ParseJson(*text);
  if (!json.ok()) return Corrupt(doing + ": " + json.error().message);
  if (!json->is_object() || !Has(*json, "format", kFormat) || !json->contains("body")) {
    return Corrupt(doing + ": not an index manifest");
  }
  if (!Has(*json, "version", kVersion)) {
    return Corrupt(doing + ": not of version " + std::to_string(kVersion));
  }
  const Json& body = (*json)["body"];
  if (!Has(*json, "crc32c", ChecksumOf(body))) return Corrupt(doing + ": damaged");
  Result<Manifest> manifest = FromBody(body);
  if (!manifest.ok()) return While(doing, std::move(manifest).error());
  return manifest;
}

Status WriteManifest(const std::filesystem::path& path, const Manifest& manifest) {
  const Json body = BodyOf(manifest);
  const Json whole = {
      {"format", kFormat}, {"version", kVersion}, {"crc32c", ChecksumOf(body)}, {"body", body}};
  return WriteFileAtomically(path, FormatJson(whole, JsonLayout::kCompact) + "\n");
}

Result<Index> Index::Open(const std::filesystem::path& manifest,
                          const std::filesystem::path& segment_folder, std::string name) {
  Index index;
  index.name_ = std::move(name);
  index.manifest_ = SIBYL_TRY(ReadManifest(manifest));
  for (const ManifestSegment& listed : index.manifest_.segments) {
    Result<Segment> segment = Segment::Open(SegmentPath(segment_folder, listed.id));
    if (!segment.ok()) {
      // Missing and damaged segments have the same remedy.
      Error error = std::move(segment).error();
      if (error.kind == ErrorKind::kNotFound) error.kind = ErrorKind::kCorrupt;
      return error;
    }
    const std::size_t documents = segment->document_count();
    Part& part = index.parts_.emplace_back(Part{
        .segment = std::move(segment).value(), .dead_documents = {}, .live_documents = documents});
    if (listed.dead_documents.empty()) continue;
    part.dead_documents.resize((documents + 63) / 64);
    for (const std::uint32_t dead : listed.dead_documents) {
      if (dead >= documents) return Corrupt("a dead document that segment " + listed.id + " lacks");
      part.dead_documents[dead / 64] |= std::uint64_t{1} << dead % 64;
    }
    part.live_documents = documents - std::min(documents, listed.dead_documents.size());
  }
  return index;
}

Status Index::Check() const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (Status checked = parts_[i].segment.Check(); !checked.ok()) {
      return While("checking the index segment " + manifest_.segments[i].id,
                   std::move(checked).error());
    }
  }
  return {};
}

}  // namespace sibyl::index
