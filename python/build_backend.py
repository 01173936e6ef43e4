"""Builds the package with the standard library alone (PEP 517), so that installing it needs no download."""
import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent
NAME = "cowrie"
VERSION = re.search(r'^VERSION = "(.+)"$', (ROOT / NAME / "_operations.py").read_text(), re.M).group(1)
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: The Cowrie API: prepaid AI coding with a wallet in local currency.
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{(ROOT / "README.md").read_text()}"""
FILES = sorted(path for path in (ROOT / NAME).iterdir() if path.suffix in (".py", ".pyi", ".typed"))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    info = f"{NAME}-{VERSION}.dist-info"
    contents = {f"{NAME}/{path.name}": path.read_bytes() for path in FILES}
    contents[f"{info}/METADATA"] = METADATA.encode()
    contents[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: cowrie\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in contents.items())
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            # A fixed time: the same source gives the same file.
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{VERSION}"
    sources = [ROOT / name for name in ("README.md", "build_backend.py", "pyproject.toml")]
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for path in [*sources, *FILES]:
            archive.add(path, f"{base}/{path.relative_to(ROOT)}")
        info = tarfile.TarInfo(f"{base}/PKG-INFO")
        info.size = len(METADATA.encode())
        archive.addfile(info, io.BytesIO(METADATA.encode()))
    return f"{base}.tar.gz"


def _digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
