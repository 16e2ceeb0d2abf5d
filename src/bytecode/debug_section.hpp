#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bytecode/tables.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// Source locations: for each function its own and one per operation, in the order in which
/// operations are written.
class DebugSection {
 public:
  /// Starts a function. Returns what its record holds: 0 without a location, else 1 + its number in
  /// this section.
  std::uint64_t begin_function(const ir::Function& function);
  /// The location of the next operation.
  void add(SourceLoc loc);
  /// The section's payload; empty when no function has a location.
  [[nodiscard]] Encoder write(Tables& tables, ir::Version version) const;

 private:
  struct Function {
    std::string name;
    SourceLoc loc;
    std::vector<SourceLoc> ops;
  };
  std::vector<Function> functions_;
  bool recording_ = false;
};

} // namespace cutile::bytecode
