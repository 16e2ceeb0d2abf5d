#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bytecode/reader.hpp"
#include "compiler/compiler.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"
#include "tools/doctor.hpp"
#include "tools/run_module.hpp"

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

ir::Module read_module(const std::string& input) {
  const auto module = bytecode::read(read_file(input));
  if (!module) throw UsageError(fmt::format("{}: {}", input, module.failure().message));
  return *module;
}

void disasm(const std::string& input, bool with_tool) {
  fmt::print("{}",
             with_tool
                 ? compiler::disassemble(compiler::find_tool().value(), read_file(input)).value()
                 : ir::print(read_module(input)));
}

int verify(const std::string& input) {
  const ir::Module module = read_module(input);
  const auto problems = ir::verify(module);
  for (const ir::Diagnostic& p : problems) {
    if (p.loc.line != 0) fmt::print("{}:{}: ", p.loc.file, p.loc.line);
    fmt::print("{}\n", p.message);
  }
  if (problems.empty()) {
    const ir::Version v = bytecode::version_of(read_file(input)).value();
    fmt::print("{}: bytecode {}.{}, verifies; entries:", input, v / 100, v % 100);
    for (const ir::Function& f : module.functions) fmt::print(" {}", f.name);
    fmt::print("\n");
  }
  return problems.empty() ? 0 : 1;
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

  bool with_tool = false;
  auto* disasm_command = app.add_subcommand("disasm", "print Tile IR bytecode as text");
  disasm_command->add_option("input", input, "a .tilebc file")->required();
  disasm_command->add_flag("--tileirdisasm", with_tool, "let NVIDIA's disassembler print it");
  disasm_command->callback([&] { disasm(input, with_tool); });

  auto* verify_command = app.add_subcommand("verify", "check Tile IR bytecode");
  verify_command->add_option("input", input, "a .tilebc file")->required();
  verify_command->callback([&] { status = verify(input); });

  RunRequest request;
  auto* run_command = app.add_subcommand("run", "launch an entry of a Tile IR module");
  run_command->add_option("input", request.module, "a .tilebc file")->required();
  run_command->add_option("--entry", request.entry, "the entry, where there are several");
  run_command->add_option("--grid", request.grid, "tile blocks, for example 8,1,1")
      ->delimiter(',')
      ->required();
  run_command->add_option("--device", request.device, "cpu (default), cuda or cuda:N");
  run_command
      ->add_option("--arg", request.args,
                   "the next argument: an array (x.npy) or a number with its type (3:i32)")
      ->allow_extra_args(false);
  run_command->add_option("--save", request.saves, "write an argument after the run: 2=out.npy")
      ->allow_extra_args(false);
  run_command->callback([&] { run_module(request); });

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
