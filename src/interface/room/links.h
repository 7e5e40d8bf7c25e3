// SPDX-License-Identifier: Apache-2.0
// Where the pages of the reading room are: as paths of the server, or as
// relative links between the files of a static site.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sibyl::interface {

class LinkStyle {
 public:
  /// Paths of `sibyl serve`: "/page/cuda/01-x.md".
  static LinkStyle Server() { return LinkStyle(Kind::kServer, {}).WithLabs(); }
  /// Files of a site, relative to the file `from`: "../page/cuda/01-x.html".
  static LinkStyle Site(std::string from) { return LinkStyle(Kind::kSite, std::move(from)); }

  /// A site that has the runs of labs too.
  LinkStyle WithLabs() const {
    LinkStyle links = *this;
    links.has_labs_ = true;
    return links;
  }

  bool is_server() const { return kind_ == Kind::kServer; }

  std::string Home() const { return Address("", "index.html"); }
  /// `page` is the path of its Markdown in the oracle.
  std::string Page(std::string_view page, std::string_view anchor = {}) const;
  /// The receipts of a statement, by its number on the page. A site has those of
  /// a page in one file.
  std::string Receipt(std::string_view page, std::size_t statement) const;
  /// Lines of a pinned file; empty in a site, which does not have the sources. With
  /// the id of the file, the link leads to these bytes after the pin has moved too.
  struct Lines {
    std::size_t first = 0;
    std::size_t last = 0;
    std::string_view blob = {};
  };
  std::string Source(std::string_view source, std::string_view path) const {
    return Source(source, path, Lines());
  }
  std::string Source(std::string_view source, std::string_view path, const Lines& lines) const;
  std::string Search() const { return Address("search", "search.html"); }
  /// Only on a server; empty in a site.
  std::string Ask() const { return is_server() ? "/ask" : std::string(); }
  std::string Runs() const { return is_server() ? "/runs" : std::string(); }
  std::string Run(std::uint64_t number) const {
    return is_server() ? "/run/" + std::to_string(number) : std::string();
  }
  std::string Check() const { return is_server() ? "/check" : std::string(); }
  std::string Sources() const { return is_server() ? "/source" : std::string(); }
  /// Empty in a site without runs, as the two below.
  std::string Labs() const {
    return has_labs_ ? Address("labs", "labs/index.html") : std::string();
  }
  std::string Lab(std::string_view run) const;
  /// The picture of a run; with a metric, of its case only.
  std::string LabPlot(std::string_view run, std::string_view metric = {}) const;
  /// "room.css", "room.js", "icon.svg"
  std::string Asset(std::string_view name) const;

  /// The file of a page in a site: "page/cuda/01-x.html".
  static std::string PageFile(std::string_view page);
  /// The file of a page's receipts in a site: "receipt/cuda/01-x.html".
  static std::string ReceiptFile(std::string_view page);
  /// The files of a run in a site: "labs/0f1e2d.html", "labs/0f1e2d.svg".
  static std::string LabFile(std::string_view run);
  static std::string LabPlotFile(std::string_view run, std::string_view metric = {});

 private:
  enum class Kind : std::uint8_t { kServer, kSite };
  LinkStyle(Kind kind, std::string from) : kind_(kind), from_(std::move(from)) {}
  /// One of two paths, neither of which starts with a slash.
  std::string Address(std::string_view on_server, std::string_view in_site) const;

  Kind kind_;
  std::string from_;
  bool has_labs_ = false;
};

/// An address from foreign text that may be linked to: http, https and mailto,
/// without controls, blanks and backslashes. Empty for all others.
std::string SafeAddress(std::string_view address);

/// The path of a page that a relative link on the page `from` leads to, without
/// its anchor; empty if it leads out of the oracle or is not relative.
std::string LinkedPath(std::string_view from, std::string_view link);

}  // namespace sibyl::interface
