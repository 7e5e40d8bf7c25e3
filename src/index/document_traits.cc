// SPDX-License-Identifier: Apache-2.0
#include "index/document_traits.h"

#include <array>
#include <string>

#include "base/generated.h"
#include "base/strings.h"

namespace sibyl::index {
namespace {

// Called for every document of a build. Most needles begin with a slash, so one check at each
// slash serves all of them.
template <std::size_t kCount>
bool ContainsAny(std::string_view text, const std::array<std::string_view, kCount>& needles) {
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    const std::string_view rest = text.substr(at);
    for (const std::string_view needle : needles) {
      if (rest.size() > 1 && needle[0] == '/' && needle[1] == rest[1] && rest.starts_with(needle)) {
        return true;
      }
    }
  }
  for (const std::string_view needle : needles) {
    if (needle[0] != '/' && text.find(needle) != std::string_view::npos) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 7> kTestPlaces = {
    "/test/", "/tests/", "/testing/", "/unit_test", "_test.", "_tests.", "/test_"};
constexpr std::array<std::string_view, 6> kVendorPlaces = {
    "/third_party/", "/third-party/", "/thirdparty/", "/vendor/", "/external/", "/node_modules/"};
constexpr std::array<std::string_view, 3> kGeneratedPlaces = {"/generated/", ".generated.",
                                                              "_pb2.py"};
constexpr std::array<std::string_view, 4> kProseLanguages = {"markdown", "restructuredtext", "text",
                                                             "rst"};
constexpr std::array<std::string_view, 6> kExamplePlaces = {"/example", "/sample",   "/tutorial",
                                                            "/bench",   "/scripts/", "/tools/"};
constexpr std::array<std::string_view, 3> kChangelogPlaces = {"/changelog", "/release/",
                                                              "/releases/"};

}  // namespace

float DocumentTraits::Prior() const {
  float prior = is_prose ? 1.0F : 0.93F;
  if (is_test) prior *= 0.8F;
  if (is_generated) prior *= 0.75F;
  if (is_vendored) prior *= 0.8F;
  if (is_changelog) prior *= 0.85F;
  return prior;
}

DocumentTraits TraitsOf(std::string_view path, std::string_view language, std::string_view text) {
  const std::string place = "/" + LowerCase(path);
  DocumentTraits traits;
  for (const std::string_view prose : kProseLanguages) traits.is_prose |= language == prose;
  traits.is_test = ContainsAny(place, kTestPlaces);
  traits.is_vendored = ContainsAny(place, kVendorPlaces);
  traits.is_generated = ContainsAny(place, kGeneratedPlaces) || SaysGenerated(text);
  traits.is_changelog = traits.is_prose && ContainsAny(place, kChangelogPlaces);
  traits.is_example = ContainsAny(place, kExamplePlaces);
  return traits;
}

}  // namespace sibyl::index
