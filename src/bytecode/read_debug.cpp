#include "bytecode/read_debug.hpp"

#include "bytecode/layout.hpp"
#include "support/text.hpp"

namespace cutile::bytecode {

void ReadDebug::read(Decoder section, const ReadTables& tables) {
  std::size_t n = section.count("functions with locations", sizeof(std::uint32_t));
  section.align(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < n; ++i)
    first_.push_back(section.fixed<std::uint32_t>("first location"));
  n = section.count("locations", sizeof(std::uint64_t));
  section.align(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < n; ++i) indices_.push_back(section.fixed<std::uint64_t>("location"));
  n = section.count("debug entries", sizeof(std::uint32_t));
  section.align(sizeof(std::uint32_t));
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < n; ++i)
    offsets.push_back(section.fixed<std::uint32_t>("offset of a debug entry"));
  for (std::size_t i = 0; i < n; ++i) {
    Decoder entry = section;
    static_cast<void>(entry.take(offsets[i], "offset of a debug entry"));
    SourceLoc loc;
    switch (entry.varint("kind of a debug entry")) {
    case loc_info:
      static_cast<void>(entry.varint("scope"));
      loc.file = static_text(tables.string(entry, "file of a location"));
      loc.line = static_cast<std::uint32_t>(entry.varint("line"));
      break;
    case call_site_info: { // where the code that was called stands
      const std::uint64_t callee = entry.varint("location of a callee");
      if (callee != 0 && callee <= i) loc = locations_[static_cast<std::size_t>(callee) - 1];
      break;
    }
    default: break;
    }
    locations_.push_back(loc);
  }
}

SourceLoc ReadDebug::at(std::uint64_t number, std::size_t i) const {
  if (number == 0 || number > first_.size()) return {};
  const std::size_t position = first_[static_cast<std::size_t>(number) - 1] + i;
  if (position >= indices_.size()) return {};
  const std::size_t index = indices_[position];
  return index == 0 || index > locations_.size() ? SourceLoc{} : locations_[index - 1];
}

} // namespace cutile::bytecode
