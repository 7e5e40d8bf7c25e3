// SPDX-License-Identifier: Apache-2.0
#include "interface/room/links.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/percent.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

std::string WithoutMarkdownEnding(std::string_view page) {
  return std::string(page.ends_with(".md") ? page.substr(0, page.size() - 3) : page);
}

// How a file says "the folder of the site": "../" for each folder it is in.
std::string UpTo(std::string_view from) {
  std::string up;
  for (auto i = std::count(from.begin(), from.end(), '/'); i > 0; --i) up += "../";
  return up;
}

}  // namespace

std::string LinkStyle::Address(std::string_view on_server, std::string_view in_site) const {
  return is_server() ? '/' + EncodeUrlPath(on_server) : UpTo(from_) + EncodeUrlPath(in_site);
}

std::string LinkStyle::PageFile(std::string_view page) {
  return "page/" + WithoutMarkdownEnding(page) + ".html";
}

std::string LinkStyle::ReceiptFile(std::string_view page) {
  return "receipt/" + WithoutMarkdownEnding(page) + ".html";
}

std::string LinkStyle::Page(std::string_view page, std::string_view anchor) const {
  std::string address = Address("page/" + std::string(page), PageFile(page));
  if (!anchor.empty()) address += '#' + EncodeUrlValue(anchor);
  return address;
}

std::string LinkStyle::Receipt(std::string_view page, std::size_t statement) const {
  const std::string number = std::to_string(statement);
  const std::string address =
      Address("receipt/" + std::string(page) + '/' + number, ReceiptFile(page));
  return is_server() ? address : address + "#s" + number;
}

std::string LinkStyle::Source(std::string_view source, std::string_view path,
                              const Lines& lines) const {
  if (!is_server() || source.empty()) return {};
  std::string address = "/source/" + EncodeUrlPath(std::string(source) + '/' + std::string(path));
  if (!lines.blob.empty()) address += "?at=" + EncodeUrlValue(lines.blob);
  if (lines.first == 0) return address;
  address += (lines.blob.empty() ? "?from=" : "&from=") + std::to_string(lines.first);
  if (lines.last > lines.first) address += "&to=" + std::to_string(lines.last);
  return address + "#L" + std::to_string(lines.first);
}

std::string LinkStyle::LabFile(std::string_view run) {
  return "labs/" + std::string(run) + ".html";
}

std::string LinkStyle::LabPlotFile(std::string_view run, std::string_view metric) {
  constexpr std::size_t kDigits = 12;  // a metric has slashes, and may be long
  const std::string name(run);
  if (metric.empty()) return "labs/" + name + ".svg";
  return "labs/" + name + '-' + Sha256(metric).substr(0, kDigits) + ".svg";
}

std::string LinkStyle::Lab(std::string_view run) const {
  return has_labs_ ? Address("labs/" + std::string(run), LabFile(run)) : std::string();
}

std::string LinkStyle::LabPlot(std::string_view run, std::string_view metric) const {
  if (!has_labs_) return {};
  const std::string plot = Address(LabPlotFile(run), LabPlotFile(run, metric));
  return is_server() && !metric.empty() ? plot + "?metric=" + EncodeUrlValue(metric) : plot;
}

std::string LinkStyle::Asset(std::string_view name) const {
  const std::string path = "static/" + std::string(name);
  return Address(path, path);
}

std::string SafeAddress(std::string_view address) {
  const bool is_plain = std::none_of(address.begin(), address.end(), [](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return value <= 0x20 || value == 0x7f || byte == '\\';
  });
  if (!is_plain) return {};
  for (const std::string_view scheme : {"https://", "http://", "mailto:"}) {
    if (StartsWithIgnoringCase(address, scheme) && address.size() > scheme.size()) {
      return std::string(address);
    }
  }
  return {};
}

std::string LinkedPath(std::string_view from, std::string_view link) {
  const std::string_view written = link.substr(0, link.find_first_of("#?"));
  const std::size_t colon = written.find(':');
  if (written.empty() || written.front() == '/' || Contains(written, "\\") ||
      (colon != std::string_view::npos && colon < written.find('/'))) {
    return {};
  }
  const std::string decoded = DecodePercentLeniently(written);
  std::vector<std::string_view> parts;
  const auto add = [&parts](std::string_view path) {
    while (!path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      const std::string_view part = path.substr(0, slash);
      path.remove_prefix(std::min(slash + 1, path.size()));
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.push_back(part);
      } else if (parts.empty()) {
        return false;
      } else {
        parts.pop_back();
      }
    }
    return true;
  };
  const std::size_t folder = from.rfind('/');
  if (folder != std::string_view::npos && !add(from.substr(0, folder))) return {};
  if (!add(decoded)) return {};
  std::string path;
  for (const std::string_view part : parts) {
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

}  // namespace sibyl::interface
