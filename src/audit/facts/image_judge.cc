// SPDX-License-Identifier: Apache-2.0
#include "audit/facts/image_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "audit/values/value_claims.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"

namespace sibyl::audit {
namespace {

bool IsImageByte(char c) { return IsNameByte(c) || c == '-' || c == '.' || c == '/' || c == ':'; }

// "nvcr.io/nvidia/pytorch" and "nvidia/pytorch" are one repository.
std::string_view RepositoryOf(std::string_view image) {
  const std::size_t first = image.find('/');
  const bool has_host = first != image.npos && image.substr(0, first).find('.') != image.npos;
  return has_host ? image.substr(first + 1) : image;
}

// All images of the repository that the text names.
std::vector<std::string> ImagesIn(std::string_view text, std::string_view repository) {
  constexpr std::size_t kMost = 50;
  std::vector<std::string> images;
  const std::string mark = std::string(repository) + ":";
  for (std::size_t at = text.find(mark); at != text.npos && images.size() < kMost;
       at = text.find(mark, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && IsImageByte(text[begin - 1])) --begin;
    std::size_t end = at + mark.size();
    while (end < text.size() && IsImageByte(text[end])) ++end;
    // "${TAG}" may be anything.
    if (end < text.size() && (text[end] == '$' || text[end] == '{')) return {};
    images.emplace_back(text.substr(begin, end - begin));
  }
  return images;
}

// The one file that the sentence names, if it is one that starts from images.
std::optional<Witness::File> FileIn(const statement::Statement& statement, const Witness& witness) {
  std::optional<Witness::File> found;
  for (const CodeName& name : CodeNames(statement)) {
    const std::string_view last = std::string_view(name.text).substr(name.text.rfind('/') + 1);
    const bool is_build = last.starts_with("Dockerfile") || last.ends_with("Dockerfile") ||
                          last.ends_with(".yml") || last.ends_with(".yaml") ||
                          last.ends_with("akefile");
    std::string path = name.text;
    // A folder with a Dockerfile in it.
    const bool is_folder = !is_build && last.find('.') == last.npos &&
                           name.text.find('/') != std::string::npos &&
                           name.text.find(':') == std::string::npos;
    if (!is_build && !is_folder) continue;
    if (is_folder) path += "/Dockerfile";
    std::vector<Witness::File> files = witness.FindFiles(path);
    if (is_folder && files.empty()) continue;
    // A path may end like others; the whole path is meant.
    const auto whole = std::ranges::find(files, path, &Witness::File::path);
    if (found || files.empty()) return std::nullopt;
    if (whole != files.end() && std::ranges::count(files, path, &Witness::File::path) == 1) {
      found = *whole;
    } else if (files.size() == 1) {
      found = files[0];
    } else {
      return std::nullopt;
    }
  }
  return found;
}

std::optional<statement::Judgement> JudgeInFile(const statement::Statement& statement,
                                                const statement::Atom& image,
                                                const Witness& witness) {
  const std::optional<Witness::File> file = FileIn(statement, witness);
  if (!file) return std::nullopt;
  const std::string_view whole = image.text;
  const std::string_view repository = RepositoryOf(whole.substr(0, whole.rfind(':')));
  const std::vector<std::string> images = ImagesIn(witness.ReadText(*file), repository);
  if (images.empty()) return std::nullopt;
  const bool has = std::ranges::any_of(
      images, [&](const std::string& one) { return RepositoryOf(one) == RepositoryOf(whole); });
  if (has) {
    return statement::Judgement{.verdict = statement::Verdict::kSupported,
                                .message = "the file has this image",
                                .where = witness.Show(*file),
                                .reason = "the file that the sentence names was read"};
  }
  return statement::Judgement{
      .verdict = statement::Verdict::kContradicted,
      .message = fmt::format("{} has `{}`", witness.Show(*file), images[0]),
      .nearest = images[0],
      .where = witness.Show(*file),
      .reason = "the file that the sentence names has another tag of this image"};
}

// The tag has a version that no toolkit has, or a flavour that the image has not.
std::optional<statement::Judgement> JudgeTag(const statement::Atom& image) {
  const std::string_view whole = image.text;
  const std::size_t colon = whole.rfind(':');
  const std::string_view name = RepositoryOf(whole.substr(0, colon));
  const auto images = field::Images();
  const auto known = std::ranges::find(images, name, &field::Image::name);
  if (known == images.end() || !known->receipts.is_confirmed) return std::nullopt;
  std::vector<std::string_view> parts;
  for (std::string_view tag = whole.substr(colon + 1);;) {
    const std::size_t dash = tag.find('-');
    parts.push_back(tag.substr(0, dash));
    if (dash == tag.npos) break;
    tag.remove_prefix(dash + 1);
  }
  statement::Judgement judgement{.verdict = statement::Verdict::kAbsent,
                                 .where = Show(known->receipts),
                                 .reason = "compared with sibyl's table of images"};
  const auto version = field::ParseCudaVersion(parts[0]);
  if (version && version->major > field::Toolkits().front().version.major + 1) {
    judgement.message = fmt::format("there is no CUDA {}", Format(*version));
    return judgement;
  }
  if (!version || parts.size() < 3) return std::nullopt;
  // The last part is the system.
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const bool is_known = std::ranges::any_of(known->flavours, [&](std::string_view flavour) {
      return parts[i].starts_with(flavour) &&
             std::ranges::all_of(parts[i].substr(flavour.size()), IsDigit);
    });
    if (is_known) continue;
    judgement.message = fmt::format("{} has no flavour `{}`", name, parts[i]);
    std::string nearest;
    for (const std::string_view flavour : known->flavours) {
      nearest += (nearest.empty() ? "" : ", ") + std::string(flavour);
    }
    judgement.nearest = std::move(nearest);
    return judgement;
  }
  return std::nullopt;
}

}  // namespace

std::optional<statement::Judgement> JudgeImage(const statement::Statement& statement,
                                               const statement::Atom& image,
                                               const Witness& witness) {
  if (image.tool != "docker" || image.text.find(':') == std::string::npos) return std::nullopt;
  if (auto judged = JudgeInFile(statement, image, witness)) return judged;
  return JudgeTag(image);
}

}  // namespace sibyl::audit
