#pragma once

#include <vector>

#include "bytecode/decoder.hpp"
#include "bytecode/read_tables.hpp"
#include "cutile/source_loc.hpp"

namespace cutile::bytecode {

/// Source locations of a file; the counterpart of DebugSection.
class ReadDebug {
 public:
  void read(Decoder section, const ReadTables& tables);
  /// Location `i` of the function whose record holds `number` (0: none): 0 is its own, 1 that of
  /// the first operation, and so on.
  [[nodiscard]] SourceLoc at(std::uint64_t number, std::size_t i) const;

 private:
  std::vector<std::size_t> first_;   ///< of each function, in `indices_`
  std::vector<std::size_t> indices_; ///< 0: unknown, else 1 + number of a location
  std::vector<SourceLoc> locations_;
};

} // namespace cutile::bytecode
