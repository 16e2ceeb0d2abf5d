#pragma once

#include <optional>
#include <vector>

#include "bytecode/read_tables.hpp"

namespace cutile::bytecode {

/// The debug section: where each function and operation stands in the source; the counterpart of
/// DebugSection.
class DebugReader {
 public:
  explicit DebugReader(const ReadTables& tables) : tables_(tables) {}

  void read(Decoder section);
  /// Reads what a function record holds, starts with that function and gives its place.
  SourceLoc begin_function(Decoder& in);
  /// The place of the function's next operation. `in` stands at it, for messages.
  SourceLoc next(const Decoder& in);

 private:
  SourceLoc entry(const Decoder& in);
  SourceLoc attribute(std::uint64_t number, int depth);

  const ReadTables& tables_;
  bool present_ = false;
  std::vector<std::uint32_t> firsts_; ///< of each function in entries_
  Decoder entries_;                   ///< all u64
  std::vector<Decoder> attributes_;
  std::vector<std::optional<SourceLoc>> places_; ///< of attributes_, once known
  std::optional<std::uint64_t> at_; ///< the next entry; nothing where the function has none
};

} // namespace cutile::bytecode
