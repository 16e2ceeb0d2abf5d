#pragma once

#include "bytecode/read_debug.hpp"
#include "bytecode/read_tables.hpp"

namespace cutile::bytecode {

/// Adds the functions of a section to `module`.
void read_functions(Decoder section, ir::Module& module, ir::Version version, ReadTables& tables,
                    DebugReader& debug);

} // namespace cutile::bytecode
