#pragma once

#include <map>
#include <optional>

#include "ir/lexer.hpp"
#include "ir/module.hpp"

namespace cutile::ir {

/// Locations in a text: `loc("k.py":3:7)` behind operations, and `#loc1 = loc(...)`, which may be
/// named before it stands. Of a call the location is that of what was called, of several fused
/// together the first.
class Locations {
 public:
  /// `loc(...)`: a place, or the alias of one.
  struct Place {
    SourceLoc loc;
    std::optional<Token> alias;
  };
  /// Reads `loc(...)` if it comes next.
  std::optional<Place> trailer(Lexer& in);
  /// Reads `#name = ...`; what is no location is skipped.
  void definition(Lexer& in);
  /// What an alias stands for; after the last definition.
  [[nodiscard]] SourceLoc resolve(const Lexer& in, const Place& place) const;

 private:
  Place place(Lexer& in, int depth);
  Place in_file(Lexer& in, int depth);
  std::map<std::string_view, Place> aliases_;
};

} // namespace cutile::ir
