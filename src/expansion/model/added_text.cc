// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/added_text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "draft/model/model_page.h"
#include "draft/model/page_budget.h"
#include "expansion/model/lead_ins.h"

namespace sibyl::expansion {
namespace {

using draft::ModelUnit;
using draft::WrittenKind;

class Placer {
 public:
  Placer(draft::Manuscript& manuscript, const draft::PassageKeys& keys,
         const draft::UnitPlace& place)
      : manuscript_(manuscript),
        keys_(keys),
        place_(place),
        units_(manuscript.PointOf(place).units) {}

  void Place() {
    const std::size_t first = place_.unit;
    if (first == 0 || first >= units_.size()) return;
    std::vector<draft::CitedLines> cited;
    for (std::size_t u = first; u < units_.size() && cited.empty(); ++u) {
      cited = draft::CitedBy(units_[u], keys_);
    }
    const bool is_list = units_[first].kind == WrittenKind::kItem;
    const std::size_t at = cited.empty() ? first : PlaceFor(*cited.front().excerpt);
    std::rotate(Unit(at), Unit(first), units_.end());
    if (!is_list) return;
    draft::UnitPlace before = place_;
    before.unit = at - 1;
    manuscript_.AddOwn(before, PlaceLine("Also in", cited));
  }

 private:
  std::vector<ModelUnit>::iterator Unit(std::size_t u) {
    return units_.begin() + static_cast<std::ptrdiff_t>(u);
  }

  bool Cites(const ModelUnit& unit, const draft::Excerpt& file) const {
    const auto cited = draft::CitedBy(unit, keys_);
    return std::any_of(cited.begin(), cited.end(), [&](const draft::CitedLines& lines) {
      return lines.excerpt->blob == file.blob && lines.excerpt->path == file.path;
    });
  }

  // Behind the block of the last earlier statement that cites the file, and behind what
  // this block leads in; otherwise where it is.
  std::size_t PlaceFor(const draft::Excerpt& file) const {
    const std::size_t first = place_.unit;
    std::optional<std::size_t> last;
    for (std::size_t u = 0; u < first; ++u) {
      const bool is_kept = !manuscript_.refused().contains(units_[u].id);
      if (is_kept && Cites(units_[u], file)) last = u;
    }
    if (!last) return first;
    std::size_t end = *last + 1;
    const auto goes_on = [&] {
      return end < first && !draft::IsSeparated(units_[end - 1], units_[end]);
    };
    while (goes_on()) ++end;
    const bool may_lead_in = units_[end - 1].kind == WrittenKind::kSentence && end < first &&
                             units_[end].kind != WrittenKind::kSentence;
    if (may_lead_in) {
      ++end;
      while (goes_on()) ++end;
    }
    return end < first && draft::RefersBack(units_[end].text) ? first : end;
  }

  draft::Manuscript& manuscript_;
  const draft::PassageKeys& keys_;
  draft::UnitPlace place_;
  std::vector<ModelUnit>& units_;
};

}  // namespace

void PlaceAdded(draft::Manuscript& manuscript, const draft::PassageKeys& keys,
                const draft::UnitPlace& place) {
  Placer(manuscript, keys, place).Place();
}

}  // namespace sibyl::expansion
