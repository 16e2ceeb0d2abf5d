#pragma once

#include <unordered_map>
#include <vector>

#include "ir/lexer.hpp"
#include "ir/module.hpp"
#include "ir/parse_locations.hpp"

namespace cutile::ir {

/// A module while its text is read.
struct ModuleText {
  explicit ModuleText(std::string_view text) : in(text) {}

  /// Adds a constant, or finds an equal one. Module::intern compares with every constant.
  ConstantId intern(Constant constant);

  Lexer in;
  Module module;
  Locations locations;
  const char* file = "";

  /// Locations whose aliases may be defined further on.
  struct Unresolved {
    std::size_t function;
    OpId op; ///< invalid: of the function itself
    Locations::Place place;
  };
  std::vector<Unresolved> unresolved;

 private:
  std::unordered_multimap<std::size_t, ConstantId> by_hash_;
};

/// Reads an entry behind its keyword.
void parse_function(ModuleText& text, const Token& start);

} // namespace cutile::ir
