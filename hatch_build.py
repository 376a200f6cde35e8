"""Put the extension module into the wheel, if it can be built; otherwise the wheel is for every system, without it.

An installation in place (`pip install -e .`) is left alone: there `make native` builds the module. With
BIRTHMARK_NATIVE=required in the environment there is no wheel without the module.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NativeModuleHook(BuildHookInterface[Any]):
    """What hatchling calls before it writes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        native = _load_build(Path(self.root))
        platform = re.sub("[-.]", "_", sysconfig.get_platform())
        try:
            module = native.build(Path(self.root) / "build" / platform)
        except native.BuildError as error:
            if os.environ.get("BIRTHMARK_NATIVE") == "required":
                raise
            print(f"native module: {error}; the wheel has none", file=sys.stderr)
            return
        build_data["force_include"][str(module)] = f"birthmark/{module.name}"
        build_data["extra_metadata"] |= native.find_licences()  # of what is compiled into it
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"


def _load_build(root: Path) -> Any:
    spec = importlib.util.spec_from_file_location("native_build", root / "native" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
