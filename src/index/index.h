// SPDX-License-Identifier: Apache-2.0
// Start here. An index of one or more source snapshots: built from documents,
// searched by words or by regular expression.
//
//   BuildIndex(source, {.segment_folder = segments, .manifest = path});
//   Searcher searcher({&index_of_one_source, &index_of_another});
//   searcher.Search({.text = "how does cmake find cupti", .limit = 10});
//   Grep(searcher, {.text = R"(__launch_bounds__\(\s*\d+)"});
#pragma once

#include "index/builder/index_builder.h"
#include "index/document.h"
#include "index/grep/grep.h"
#include "index/manifest.h"
#include "index/rank/find_cards.h"
#include "index/rank/searcher.h"
