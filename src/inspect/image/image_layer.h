// SPDX-License-Identifier: Apache-2.0
// Reads one layer of an image: the files it adds, their content, and what it deletes of the
// layers below. Layers are read independently, so several threads can; image.h stacks them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/device_code.h"
#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

struct ImageFile {
  std::uint64_t bytes = 0;
  std::size_t layer = 0;
  std::string sha256;  ///< Only of large files.
  std::string soname;
  bool is_elf = false;
};

struct LayerContent {
  std::map<std::string, ImageFile> files;
  std::map<std::string, DeviceCode> code;  ///< By the path of its file.
  std::vector<std::string> opaque;         ///< Folders whose earlier content is hidden.
  std::vector<std::string> deleted;
  std::size_t escapes = 0;  ///< Paths that lead outside; they are skipped.
  std::uint64_t bytes = 0;  ///< Of the plain tar.
  std::string digest;       ///< sha256 of the plain tar, as in the configuration.
  bool is_whole = false;    ///< It was unpacked to its end.
};

/// Never fails: if the layer is damaged or exceeds the budget, returns what came before.
LayerContent ReadLayer(std::string_view stored, Memory memory, Budget& budget);

}  // namespace sibyl::inspect
