// SPDX-License-Identifier: Apache-2.0
// What is in an artifact that was pasted, dropped or uploaded: the verdict for a
// GPU and a driver, its architectures as a chart, findings and facts.
#pragma once

#include "base/json.h"
#include "interface/room/text/html.h"
#include "interface/room/views.h"

namespace sibyl::interface {

/// `artifact` is one of those of `answers.inspection`.
void AddArtifact(const Json& artifact, const CheckAnswers& answers, Html& html);

}  // namespace sibyl::interface
