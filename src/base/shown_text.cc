// SPDX-License-Identifier: Apache-2.0
#include "base/shown_text.h"

#include <string>
#include <string_view>

#include "base/userinfo.h"

namespace sibyl {
namespace {

void HideIn(std::string& text) {
  if (HasUserinfo(text)) text = WithoutUserinfo(text);
}

void HideIn(Place& place) {
  if (!HasUserinfo(place.text)) return;
  if (place.column > 1 && place.column <= place.text.size()) {
    const std::string_view before = std::string_view(place.text).substr(0, place.column - 1);
    place.column = WithoutUserinfo(before).size() + 1;
  }
  place.text = WithoutUserinfo(place.text);
}

}  // namespace

void HideUserinfo(Error& error) {
  HideIn(error.message);
  HideIn(error.hint);
  if (error.place) HideIn(*error.place);
}

void HideUserinfo(Finding& finding) {
  HideIn(finding.message);
  HideIn(finding.hint);
  HideIn(finding.place);
}

void HideUserinfo(Json& json) {
  if (json.is_string()) {
    HideIn(json.get_ref<std::string&>());
  } else if (json.is_structured()) {
    for (Json& value : json) HideUserinfo(value);
  }
}

}  // namespace sibyl
