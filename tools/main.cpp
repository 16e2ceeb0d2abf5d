#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/compiler.hpp"
#include "tools/doctor.hpp"

namespace cutile::tools {
namespace {

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DeviceError(fmt::format("{}: cannot be read", path));
  const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw DeviceError(fmt::format("{}: cannot be written; is the disk full?", path));
}

void compile(const std::string& input, const std::vector<std::string>& archs,
             const std::string& output, const compiler::Options& options) {
  const compiler::Tool tool = compiler::find_tool().value();
  const std::vector<std::byte> bytecode = read_file(input);
  const std::string stem = std::filesystem::path(input).stem().string();
  for (const std::string& arch : archs) {
    compiler::check_architecture(arch).value();
    const std::vector<std::byte> cubin =
        compiler::run_tileiras(tool, bytecode, stem, arch, options).value();
    const std::string path = !output.empty() && archs.size() == 1
                                 ? output
                                 : fmt::format("{}.{}.cubin", output.empty() ? stem : output, arch);
    write_file(path, cubin);
    fmt::print("{}: {} bytes for {}\n", path, cubin.size(), arch);
  }
}

void disasm(const std::string& input) {
  fmt::print("{}", compiler::disassemble(compiler::find_tool().value(), read_file(input)).value());
}

void bundle(const std::string& input) {
  const compiler::Bundle b = compiler::Bundle::read(input).value();
  for (const compiler::Bundle::Entry& e : b.entries()) {
    fmt::print("{:<24} {:<8} {:>8} bytes  bytecode {}.{}, tileiras {}\n", e.kernel, e.arch,
               e.cubin.size(), e.bytecode / 100, e.bytecode % 100, e.tool_version);
  }
}

int run(int argc, char** argv) {
  CLI::App app("cutile: kernels over tiles for CPUs and NVIDIA GPUs");
  app.require_subcommand(1);
  int status = 0;
  std::string input, output;
  std::vector<std::string> archs{"sm_90"};
  compiler::Options options;

  auto* doctor_command = app.add_subcommand(
      "doctor", "check driver, devices, compiler and CPU, and run a kernel on each device");
  doctor_command->callback([&] { status = doctor(); });

  auto* compile_command = app.add_subcommand("compile", "compile Tile IR bytecode to cubins");
  compile_command->add_option("input", input, "a .tilebc file")->required();
  compile_command->add_option("--arch", archs, "architectures, for example sm_90,sm_100")
      ->delimiter(',');
  compile_command->add_option("-o,--output", output,
                              "the cubin, or its stem when there are several");
  compile_command->add_option("-O", options.opt_level, "optimisation level, 0 to 3")
      ->check(CLI::Range(0, 3));
  compile_command->add_flag("--lineinfo", options.line_info, "add a line table");
  compile_command->callback([&] { compile(input, archs, output, options); });

  auto* disasm_command =
      app.add_subcommand("disasm", "print Tile IR bytecode as text, with tileirdisasm");
  disasm_command->add_option("input", input, "a .tilebc file")->required();
  disasm_command->callback([&] { disasm(input); });

  auto* bundle_command =
      app.add_subcommand("bundle", "list the kernels in an ahead-of-time bundle");
  bundle_command->add_option("input", input, "a .ctbundle file")->required();
  bundle_command->callback([&] { bundle(input); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  }
  return status;
}

} // namespace
} // namespace cutile::tools

int main(int argc, char** argv) {
  try {
    return cutile::tools::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "cutile: {}\n", e.what());
    return 1;
  }
}
