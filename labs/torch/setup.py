# SPDX-License-Identifier: Apache-2.0
"""Ahead of time: python3 setup.py build_ext --inplace, or pip install --no-build-isolation labs/torch."""
import os
import pathlib
import runpy

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

here = pathlib.Path(__file__).parent.resolve()
labs = here.parent
os.chdir(here)
build = runpy.run_path(str(here / "sibyl_vision" / "build.py"))

setup(
    name="sibyl-vision",
    version="1.0",
    packages=["sibyl_vision"],
    ext_modules=[CUDAExtension(
        "sibyl_vision._C",
        sources=[os.path.relpath(labs / source, here) for source in build["sources"]()],
        include_dirs=[str(labs), str(here / "csrc")],
        extra_compile_args={"cxx": build["flags"]("cxx"), "nvcc": build["flags"]("nvcc")})],
    cmdclass={"build_ext": BuildExtension},
)
