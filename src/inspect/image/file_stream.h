// SPDX-License-Identifier: Apache-2.0
// Inspects a streamed file, such as one in the layer of an image: its hash, SONAME and device
// code. Files of up to 32 MB are buffered and read as usual; larger ones are inspected while
// they are streamed, in a few megabytes of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "inspect/cuda/device_code.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

struct PassedFile {
  std::string sha256;
  std::string soname;
  bool is_elf = false;
  DeviceCode code;
};

class FileStream {
 public:
  /// The budget of the artifact that contains the file; it must outlive this.
  FileStream(std::uint64_t bytes, Budget& budget);
  ~FileStream();
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;

  void Feed(std::string_view piece);
  PassedFile Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sibyl::inspect
