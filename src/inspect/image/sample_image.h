// SPDX-License-Identifier: Apache-2.0
// Small container images made in memory, for tests and fuzz targets. Not used
// by the program itself.
#pragma once

#include <string>
#include <vector>

namespace sibyl::inspect {

/// A header and its content, padded; with a GNU long name before it if needed.
std::string TarMember(std::string name, const std::string& content, char type = '0');
std::string TarEnd();

std::string Gzipped(const std::string& bytes);
std::string Zstandard(const std::string& bytes);

/// What docker save writes: layers as stored, and a configuration that names the
/// hashes of `plain`.
std::string DockerArchive(const std::vector<std::string>& layers,
                          const std::vector<std::string>& plain);

}  // namespace sibyl::inspect
