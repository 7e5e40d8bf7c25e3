// SPDX-License-Identifier: Apache-2.0
// A starter plan: it uses every element of the plan language once, explained in
// comments, and passes all checks.
#pragma once

#include <string>
#include <string_view>

namespace sibyl::plan {

struct StarterOptions {
  std::string topic;     ///< As a person says it: "GPU memory".
  std::string slug;      ///< SlugOf(topic): names the folder and the drops.
  std::string date;      ///< YYYY-MM-DD
  int parts = 2;         ///< From one.
  int first_number = 1;  ///< Of the first knowledge file; the next free one.
};

std::string MakeStarter(const StarterOptions& options);

/// Whether a point is one of the starter's, which says nothing about a subject.
bool IsStarterPoint(std::string_view point);

/// The topic as part of a file name: lower-case words joined by hyphens, at
/// most 60 bytes. Letters outside ASCII stay as they are. Empty when there is
/// no letter or digit at all.
std::string SlugOf(std::string_view topic);

}  // namespace sibyl::plan
