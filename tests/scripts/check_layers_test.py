"""Each rule of scripts/check_layers is broken once in a small tree of its own; the script must name file and line."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class CheckLayers(unittest.TestCase):
    def check(self, files, *arguments):
        """Exit code and messages of the script on a tree of these files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            script = Path(folder) / "scripts" / "check_layers"
            script.parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / "scripts" / "check_layers", script)
            done = subprocess.run([script, *arguments], capture_output=True, text=True)
            return done.returncode, done.stderr

    def expect(self, files, *messages):
        code, text = self.check(files, "--no-compile")
        self.assertEqual(code, 1, text)
        for message in messages:
            self.assertIn(message, text)

    def test_order_kept(self):
        files = {"src/ir/a.hpp": "", "src/trace/b.cpp": '#include "ir/a.hpp"\n#include <vector>\n#include "cutile/c.hpp"\n'}
        code, text = self.check({**files, "include/cutile/c.hpp": "#pragma once\n#include <array>\n"})
        self.assertEqual(code, 0, text)

    def test_upward_include(self):
        self.expect({"src/ir/a.cpp": '#include <vector>\n#include "trace/b.hpp"\n'}, "src/ir/a.cpp:2: ir includes trace/b.hpp")
        self.expect({"src/cuda/a.cpp": '#include "cpu/program.hpp"\n'}, "src/cuda/a.cpp:1:")
        self.expect({"src/cpu/a.cpp": '#include "cuda/driver.hpp"\n'}, "src/cpu/a.cpp:1:")
        self.expect({"src/runtime/a.cpp": '#include "kernels/gemm.hpp"\n'}, "src/runtime/a.cpp:1:")

    def test_unknown_layer(self):
        self.expect({"src/misc/a.cpp": ""}, "src/misc is no layer")

    def test_public_header(self):
        self.expect({"include/cutile/a.hpp": "#include <fmt/format.h>\n"}, "include/cutile/a.hpp:1: public header includes fmt")
        self.expect({"include/cutile/a.hpp": '#include "ir/module.hpp"\n'}, "include/cutile/a.hpp:1:")
        self.expect({"include/cutile/a.hpp": '#include "cutile/none.hpp"\n'}, "include/cutile/a.hpp:1:")

    def test_kernels_see_public_headers_only(self):
        self.expect({"src/ir/m.hpp": "", "kernels/k.hpp": '\n#include "ir/m.hpp"\n'}, "kernels/k.hpp:2:")

    def test_driver_names(self):
        for name in ("cuInit(0)", "CUdeviceptr p", "CUDA_SUCCESS", "cudaMalloc(0)"):
            self.expect({"src/runtime/a.cpp": f"// comment\nauto x = {name};\n"}, "src/runtime/a.cpp:2:")
        code, text = self.check({"src/cuda/a.cpp": "cuInit(0);\n", "src/ir/b.cpp": '// cuInit\nauto s = "cuInit"; CUTILE_X\n'},
                                "--no-compile")
        self.assertEqual(code, 0, text)

    def test_header_that_needs_another(self):
        code, text = self.check({"include/cutile/a.hpp": "#pragma once\nstd::vector<int> v;\n"})
        self.assertEqual(code, 1)
        self.assertIn("include/cutile/a.hpp:1: does not compile alone", text)


if __name__ == "__main__":
    unittest.main()
