#pragma once

#include <map>
#include <vector>

#include "ir/lexer.hpp"
#include "ir/module.hpp"

namespace cutile::ir {

/// Names of the values of a function: a name holds from its definition to the end of its region,
/// and may stand for several values, the results of one operation.
class Names {
 public:
  void open() { starts_.push_back(order_.size()); }
  void close();
  /// `name` stands for `count` values from `first` on.
  void define(const Lexer& in, const Token& name, ValueId first, std::uint32_t count = 1);
  /// Reads %name or %name#number.
  ValueId use(Lexer& in);

 private:
  struct Meaning {
    ValueId first;
    std::uint32_t count = 1, line = 1;
  };
  [[noreturn]] void undefined(const Lexer& in, const Token& name) const;

  std::map<std::string_view, Meaning> visible_;
  std::map<std::string_view, std::uint32_t> gone_; ///< lines of definitions in regions that ended
  std::vector<std::string_view> order_;            ///< visible names
  std::vector<std::size_t> starts_;                ///< of regions in order_
};

} // namespace cutile::ir
