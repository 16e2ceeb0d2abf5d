#include "compiler/compiler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bytecode/writer.hpp"
#include "compiler/requirements.hpp"
#include "ir/builder.hpp"
#include "support/files.hpp"

namespace cutile::compiler {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ir::Module empty_kernel(std::string name = "k") {
  ir::Module module;
  ir::Builder b = ir::Builder::entry(module, std::move(name), {});
  b.emit_groups(ir::Op::return_, {}, {});
  return module;
}

/// A folder with programs that play tileiras.
class FakeTools : public testing::Test {
 protected:
  void SetUp() override {
    setenv("CUTILE_CACHE_DIR", (folder_->path() / "cache").c_str(), 1);
    unsetenv("CUTILE_COMPILE_TIMEOUT_S");
  }
  fs::path script(const std::string& name, const std::string& body) {
    const fs::path path = folder_->path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/bash\n" << body << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  /// Runs a compilation with this program and gives the message of its failure.
  std::string failure(const std::string& body, const Options& options = {}) {
    Tool tool;
    tool.tileiras = script("tileiras", body);
    tool.version = "1.2.3";
    const auto bytecode = bytecode::write(empty_kernel(), ir::V13_1).value();
    const auto cubin = run_tileiras(tool, bytecode, "my_kernel", "sm_90", options);
    if (cubin) {
      ADD_FAILURE() << "it compiled";
      return "";
    }
    EXPECT_EQ(cubin.failure().fault, Fault::device);
    return cubin.failure().message;
  }
  [[nodiscard]] const fs::path& folder() const { return folder_->path(); }

 private:
  Result<support::TemporaryFolder> folder_ = support::TemporaryFolder::make();
};

TEST_F(FakeTools, AFailureNamesKernelCodeAndOutputAndKeepsTheInput) {
  const std::string message = failure("echo some reason >&2; exit 3");
  EXPECT_THAT(message,
              AllOf(HasSubstr("kernel 'my_kernel' for sm_90"), HasSubstr("tileiras 1.2.3"),
                    HasSubstr("exit code 3: it rejects the bytecode"), HasSubstr("some reason"),
                    HasSubstr("--gpu-name sm_90 -O3 -o out.cubin")));
  // The command of the message works on the kept file.
  const std::size_t start = message.rfind(' ') + 1;
  const auto kept = support::read_file(message.substr(start));
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, bytecode::write(empty_kernel(), ir::V13_1).value());
}

TEST_F(FakeTools, ExitFiveHintsAtTheHelpers) {
  EXPECT_THAT(
      failure("exit 5"),
      HasSubstr(
          "exit code 5: its back end refused the kernel, or a helper (ptxas, libnvvm) is missing"));
}

TEST_F(FakeTools, ACrashNamesTheSignal) {
  EXPECT_THAT(failure("kill -SEGV $$"), HasSubstr("crashed with signal 11"));
}

TEST_F(FakeTools, AHangIsStopped) {
  setenv("CUTILE_COMPILE_TIMEOUT_S", "1", 1);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(failure("sleep 60 & sleep 60"),
              HasSubstr("did not end within 1 s (CUTILE_COMPILE_TIMEOUT_S)"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(FakeTools, AProgramThatClosesItsOutputAndStaysIsStoppedToo) {
  setenv("CUTILE_COMPILE_TIMEOUT_S", "1", 1);
  EXPECT_THAT(failure("exec >&- 2>&-; sleep 60"), HasSubstr("did not end within"));
}

TEST_F(FakeTools, AnEmptyOrMissingCubinIsSeen) {
  EXPECT_THAT(failure("exit 0"), HasSubstr("wrote no cubin"));
  EXPECT_THAT(failure(R"(while [ "$1" != -o ]; do shift; done; : > "$2")"),
              HasSubstr("a file of 0 bytes that is no cubin; is the disk full?"));
}

TEST_F(FakeTools, AProgramThatCannotBeRun) {
  Tool tool;
  tool.tileiras = folder() / "missing";
  const auto cubin = run_tileiras(tool, {}, "k", "sm_90", {});
  ASSERT_FALSE(cubin);
  EXPECT_THAT(cubin.failure().message, AllOf(HasSubstr("missing"), HasSubstr("cannot be run")));
}

TEST_F(FakeTools, TheEnvironmentIsClean) {
  for (const char* name :
       {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "LD_LIBRARY_PATH", "SOMETHING_ELSE"})
    setenv(name, "/elsewhere", 1);
  const std::string message = failure("env; exit 1");
  for (const char* name :
       {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "LD_LIBRARY_PATH", "SOMETHING_ELSE"}) {
    EXPECT_THAT(message, Not(HasSubstr(name)));
    unsetenv(name);
  }
  EXPECT_THAT(message, HasSubstr("PATH=/usr/local/bin:/usr/bin:/bin"));
}

// find_tool looks once in a process, so each case is a process of its own.
void find(const fs::path& tileiras) {
  setenv("CUTILE_TILEIRAS", tileiras.c_str(), 1);
  const auto tool = find_tool();
  std::fputs(tool ? ("found " + tool->version).c_str() : tool.failure().message.c_str(), stderr);
  std::exit(0);
}

constexpr const char* good_tool = R"(case $1 in
  --version) echo "release 13.4, V13.4.92";;
  --list-versions) printf '13.1\n13.2\n13.3\n13.4\n13.9\n';;
esac)";

TEST_F(FakeTools, FindingChecksTheHelpers) {
  const fs::path missing = folder() / "nothing";
  EXPECT_EXIT(find(missing), testing::ExitedWithCode(0),
              "CUTILE_TILEIRAS: .*nothing is no program; run scripts/get_tileiras");
  const fs::path wrong = script("wrong/bin/tileiras", "echo hello");
  EXPECT_EXIT(find(wrong), testing::ExitedWithCode(0), "does not answer as tileiras does: hello");
  const fs::path tool = script("toolkit/bin/tileiras", good_tool);
  EXPECT_EXIT(find(tool), testing::ExitedWithCode(0),
              "has no ptxas beside it .*toolkit/bin/ptxas.*nvidia-cuda-nvcc");
  script("toolkit/bin/ptxas", "");
  EXPECT_EXIT(find(tool), testing::ExitedWithCode(0),
              "finds no libnvvm.so.4 .*toolkit/lib.*nvidia-nvvm");
  script("toolkit/lib/libnvvm.so.4", "");
  EXPECT_EXIT(find(tool), testing::ExitedWithCode(0), "^found 13.4.92");
}

TEST_F(FakeTools, OldToolsAreProbedForTheirBytecode) {
  // Reads 13.1 and 13.2: the byte after the major version is the minor.
  const fs::path tool = script("old/bin/tileiras", R"(case $1 in
  --version) echo "release 13.2, V13.2.86";;
  --list-versions) exit 2;;
  *) minor=$(od -An -tu1 -j9 -N1 "${@: -1}"); [ "$minor" -le 2 ];;
esac)");
  script("old/bin/ptxas", "");
  script("old/lib/libnvvm.so.4", "");
  const auto probe = [&] {
    setenv("CUTILE_TILEIRAS", tool.c_str(), 1);
    const Tool found = find_tool().value();
    for (const ir::Version v : found.bytecode) std::fprintf(stderr, "%d ", v);
    std::exit(0);
  };
  EXPECT_EXIT(probe(), testing::ExitedWithCode(0), "^1301 1302 $");
}

TEST(Architectures, WrongOnesAreToldThoseThatExist) {
  for (const char* wrong : {"sm_75", "sm_90a", "90", ""}) {
    const auto known = check_architecture(wrong);
    ASSERT_FALSE(known);
    EXPECT_EQ(known.failure().fault, Fault::usage);
    EXPECT_THAT(known.failure().message, AllOf(HasSubstr("'" + std::string(wrong) + "'"),
                                               HasSubstr("sm_80, sm_86"), HasSubstr("sm_121")));
  }
  EXPECT_TRUE(check_architecture("sm_90"));
}

TEST(Architectures, WhatAnOldOneLacksIsNamedWithItsPlace) {
  ir::Module module;
  ir::Builder b = ir::Builder::entry(module, "k", {});
  const std::int64_t n = 16;
  const ir::ValueId x =
      b.value(ir::Op::iota, {}, module.types.tile(ir::TypeKind::i8, std::span(&n, 1)));
  b.value(ir::Op::bitcast, {x}, module.types.tile(ir::TypeKind::f8e4m3fn, std::span(&n, 1)), {},
          {"file.cpp", 7});
  b.emit_groups(ir::Op::return_, {}, {});
  EXPECT_TRUE(check_requirement(module, "sm_90"));
  EXPECT_EQ(
      check_requirement(module, "sm_80").failure().message,
      "file.cpp:7: kernel 'k' needs sm_89 or newer for elements of f8E4M3FN, and was asked for "
      "sm_80; use another element type there, or run it on the CPU device");
  EXPECT_EQ(cubin_for(module, "sm_80").failure().fault, Fault::usage);
  EXPECT_TRUE(check_requirement(empty_kernel(), "sm_80"));
}

Bundle small_bundle() {
  Bundle b;
  b.insert(
      {1, 2, "kernel_a", "sm_90", "13.5.37", ir::V13_5, std::vector<std::byte>(100, std::byte{7})});
  b.insert(
      {3, 4, "kernel_b", "sm_100", "13.5.37", ir::V13_5, std::vector<std::byte>(3, std::byte{9})});
  return b;
}

TEST(Bundles, RoundTrip) {
  const auto folder = support::TemporaryFolder::make();
  const fs::path path = folder->path() / "deep/er/b.ctbundle";
  small_bundle().write(path).value();
  const Bundle read = Bundle::read(path).value();
  ASSERT_EQ(read.entries().size(), 2U);
  EXPECT_EQ(read.entries()[0].kernel, "kernel_a");
  EXPECT_EQ(read.entries()[1].arch, "sm_100");
  EXPECT_EQ(read.entries()[1].cubin, std::vector<std::byte>(3, std::byte{9}));
  EXPECT_EQ(read.entries()[0].key_high, 2U);
}

TEST(Bundles, AnyDamageIsAFailureThatNamesTheFile) {
  const auto folder = support::TemporaryFolder::make();
  const fs::path path = folder->path() / "b.ctbundle";
  small_bundle().write(path).value();
  const std::vector<std::byte> whole = support::read_file(path).value();
  const auto expect_damaged = [&](std::span<const std::byte> bytes, std::size_t at) {
    support::write_file(path, bytes).value();
    const auto bundle = Bundle::read(path);
    ASSERT_FALSE(bundle) << at;
    EXPECT_THAT(bundle.failure().message, AllOf(HasSubstr(path.string()), HasSubstr("damaged")));
  };
  for (std::size_t size = 0; size < whole.size(); ++size)
    expect_damaged(std::span(whole).first(size), size);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::byte> flipped = whole;
    flipped[i] ^= std::byte{0x10};
    expect_damaged(flipped, i);
  }
  const auto missing = Bundle::read(folder->path() / "none");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.failure().message, HasSubstr("none: cannot be read"));
}

// With the real compiler.

class RealTool : public testing::Test {
 protected:
  void SetUp() override {
    tool_ = find_tool();
    if (!*tool_) GTEST_SKIP() << tool_->failure().message;
  }
  std::optional<Result<Tool>> tool_;
};

TEST_F(RealTool, CompilesForEveryArchitectureAndIsAskedOnce) {
  for (const char* arch : {"sm_80", "sm_90", "sm_100", "sm_120"}) {
    const ir::Module module = empty_kernel();
    std::vector<std::thread> threads;
    std::vector<std::shared_ptr<const Cubin>> cubins(8);
    for (auto& cubin : cubins)
      threads.emplace_back([&] { cubin = cubin_for(module, arch).value(); });
    for (std::thread& t : threads) t.join();
    for (const auto& cubin : cubins) EXPECT_EQ(cubin, cubins[0]) << "one compilation serves all";
    EXPECT_THAT(cubins[0]->origin, HasSubstr("tileiras"));
  }
}

TEST_F(RealTool, BundlesServeWhatTheyHold) {
  const auto folder = support::TemporaryFolder::make();
  const fs::path path = folder->path() / "b.ctbundle";
  Bundle bundle;
  const ir::Module module = empty_kernel("bundled");
  bundle.add(module, "sm_90").value();
  bundle.add(module, "sm_90").value(); // there already
  EXPECT_EQ(bundle.entries().size(), 1U);
  bundle.write(path).value();
  load_bundle(path).value();
  EXPECT_THAT(cubin_for(module, "sm_90").value()->origin, HasSubstr("bundle " + path.string()));
  EXPECT_THAT(cubin_for(module, "sm_90", {.opt_level = 1}).value()->origin, HasSubstr("tileiras"));
  EXPECT_EQ(bundle.find(empty_kernel("other"), "sm_90"), nullptr);
  EXPECT_EQ(bundle.find(module, "sm_100"), nullptr);
}

} // namespace
} // namespace cutile::compiler
