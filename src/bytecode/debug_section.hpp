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
  /// `always`: functions without a location are recorded too.
  explicit DebugSection(bool always) : always_(always) {}

  /// Starts a function. Returns what its record holds: 1 + its number in this section, or 0 when it
  /// is not recorded.
  std::uint64_t begin_function(const ir::Function& function);
  /// The location of the next operation.
  void add(SourceLoc loc);
  /// The section's payload; empty when no function is recorded.
  [[nodiscard]] Encoder write(Tables& tables, ir::Version version) const;

 private:
  struct Function {
    std::string name;
    SourceLoc loc;
    std::vector<SourceLoc> ops;
  };
  bool always_;
  bool recording_ = false;
  std::vector<Function> functions_;
};

} // namespace cutile::bytecode
