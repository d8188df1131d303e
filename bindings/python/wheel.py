"""Packs build/python/glassformer as a wheel: wheel.py [aarch64 | windows | pyodide | pyodide-2024].

Needs nothing but Python. By default the wheel is for this machine. All wheels hold the same Python, and a
library each: `make wheels` builds them. A wheel is a zip file with a list of what is in it (PEP 427). Equal
contents give equal bytes.
"""

import base64
import hashlib
import json
import platform
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build/python"
LIBRARY = "libglassformer.so"
#: The earliest that a zip file can tell.
DATE = (1980, 1, 1, 0, 0, 0)
#: The library asks nothing of Linux that glibc 2.17 (PEP 600) and musl 1.1 (PEP 656) do not have.
LINUX = ("manylinux_2_17", "musllinux_1_1")
#: Of macOS the oldest that is named there, which the Makefile compiles for.
SYSTEMS = {"linux": LINUX, "darwin": ("macosx_11_0",)}
#: The platforms of a wheel, where it is not for this machine. The library needs strcmp, strncmp and strlen,
#: which every Pyodide has. PEP 783 renamed its platforms, and PyPI takes none of the old names.
PLATFORMS = {
    "aarch64": [f"{system}_aarch64" for system in LINUX],
    "windows": ["win_amd64"],
    "pyodide": ["pyemscripten_2025_0_wasm32", "pyemscripten_2026_0_wasm32"],
    "pyodide-2024": ["pyodide_2024_0_wasm32", "pyodide_2025_0_wasm32"],
}


def main(machine: str = "") -> None:
    here = [f"{system}_{platform.machine()}" for system in SYSTEMS.get(sys.platform, ())]
    platforms = PLATFORMS[machine] if machine else here
    package = json.loads((ROOT / "package.json").read_text())
    version = package["version"]
    tag = f"py3-none-{'.'.join(platforms)}"
    info = f"glassformer-{version}.dist-info"
    repository = package["repository"]["url"].removeprefix("git+").removesuffix(".git")
    # Relative links lead nowhere on PyPI.
    readme = (ROOT / "bindings/python/README.md").read_text()
    readme = readme.replace("](../../", f"]({repository}/blob/HEAD/")
    metadata = [
        "Metadata-Version: 2.1",
        "Name: glassformer",
        f"Version: {version}",
        f"Summary: {package['description']}",
        f"License: {package['license']}",
        f"Project-URL: Repository, {repository}",
        "Requires-Python: >=3.10",
        "Requires-Dist: numpy>=1.24",
        "Description-Content-Type: text/markdown",
        "",
        readme,
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: glassformer", "Root-Is-Purelib: false"]
    wheel += [f"Tag: py3-none-{one}" for one in platforms]
    sources = sorted(path for path in (BUILT / "glassformer").iterdir() if path.is_file())
    files = {f"glassformer/{path.name}": path.read_bytes() for path in sources}
    files[f"glassformer/{LIBRARY}"] = (ROOT / "build" / machine.partition("-")[0] / LIBRARY).read_bytes()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = "\n".join(metadata).encode()
    files[f"{info}/WHEEL"] = "\n".join([*wheel, ""]).encode()
    record = "".join(f"{name},{hash_of(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    # Apart: pip installs build/*.whl.
    folder = ROOT / ("build/wheels" if machine else "build")
    folder.mkdir(exist_ok=True)
    target = folder / f"glassformer-{version}-{tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    print(target.relative_to(ROOT))


def hash_of(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"


if __name__ == "__main__":
    main(*sys.argv[1:])
