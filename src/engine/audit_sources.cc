// SPDX-License-Identifier: Apache-2.0
#include "engine/audit_sources.h"

#include <map>
#include <string>
#include <string_view>

#include "evidence/config.h"
#include "evidence/oracle_files.h"
#include "evidence/source.h"

namespace sibyl::engine {

Result<std::vector<audit::WitnessSource>> WitnessSources(const oracle::SourceIndexes& indexes,
                                                         const evidence::Surroundings& around) {
  const std::string text = SIBYL_TRY(evidence::ReadConfigText(around));
  const evidence::SourceConfig config =
      SIBYL_TRY(evidence::ParseSourceConfig(text, std::string(evidence::kConfigFile)));
  std::map<std::string_view, const evidence::SourceSpec*> declared;
  for (const evidence::SourceSpec& spec : config.sources) declared.emplace(spec.name, &spec);
  std::vector<audit::WitnessSource> sources;
  for (const oracle::SourceIndex& source : indexes.sources) {
    const auto spec = declared.find(source.pin.name);
    sources.push_back(
        {.name = source.pin.name,
         .pin = evidence::ShortPin(source.pin),
         .origin = source.pin.origin,
         .known_as = spec == declared.end() ? std::vector<std::string>{} : spec->second->known_as});
  }
  return sources;
}

}  // namespace sibyl::engine
