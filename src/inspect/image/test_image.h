// SPDX-License-Identifier: Apache-2.0
// Builds small container images in memory, for tests and fuzz targets.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/hash.h"

namespace sibyl::inspect {

/// A header and its padded content; preceded by a GNU long name if needed.
inline std::string TarMember(std::string name, const std::string& content, char type = '0') {
  std::string out;
  if (name.size() > 99) {
    out = TarMember("././@LongLink", name + '\0', 'L');
    name.resize(99);
  }
  std::string header = name;
  header.resize(512);
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  char size[16];
  std::snprintf(size, sizeof(size), "%011zo", content.size());
  put(100, "0000644");
  put(124, size);
  header[156] = type;
  put(257, std::string("ustar\0"
                       "00",
                       8));
  put(148, "        ");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(size, sizeof(size), "%06o", sum);
  put(148, std::string(size) + '\0' + ' ');
  out += header + content;
  out.resize((out.size() + 511) / 512 * 512);
  return out;
}

inline std::string TarEnd() { return std::string(1024, '\0'); }

inline std::string Gzipped(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string Zstandard(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

/// An archive as docker save writes it: layers as stored, and a configuration with the hashes
/// of `plain`.
inline std::string DockerArchive(const std::vector<std::string>& layers,
                                 const std::vector<std::string>& plain) {
  std::string names;
  std::string ids;
  std::string history;
  std::string out;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = "l" + std::to_string(i) + "/layer.tar";
    names += (i > 0 ? ",\"" : "\"") + name + '"';
    ids += (i > 0 ? ",\"sha256:" : "\"sha256:") + Sha256(plain[i]) + '"';
    history += std::string(i > 0 ? "," : "") + "{\"created_by\":\"RUN " + std::to_string(i) +
               "\"},{\"created_by\":\"ENV\",\"empty_layer\":true}";
    out += TarMember(name, layers[i]);
  }
  out += TarMember("config.json",
                   "{\"config\":{\"Env\":[\"CUDA_VERSION=13.0.1\",\"HOME=/\"]},"
                   "\"history\":[" +
                       history + "],\"rootfs\":{\"diff_ids\":[" + ids + "]}}");
  out += TarMember("manifest.json", "[{\"Config\":\"config.json\",\"Layers\":[" + names + "]}]");
  return out + TarEnd();
}

}  // namespace sibyl::inspect
