"""PNG files as the tests of pictures look at them: their size, and whether there is something in them."""
import struct
import zlib


def size_and_contents(path):
    """Width, height and the uncompressed bytes of a PNG file; checks the parts' sums on the way."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
    at, body, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        part = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + part) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0], "sum"
        if kind == b"IHDR":
            size = struct.unpack(">II", part[:8])
        elif kind == b"IDAT":
            body += part
        at += 12 + length
    return size, zlib.decompress(body)


def check_picture(lab, what, done, path, size=None):
    path = lab.folder / path
    if not lab.check(done.returncode == 0 and done.stderr == "" and path.is_file(), what, done):
        return b""
    lab.check(done.stdout.strip() == str(path) or str(path).endswith(done.stdout.strip()), f"{what}: names the file", done)
    found, contents = size_and_contents(path)
    lab.check(size is None or found == size, f"{what}: {size}", found)
    lab.check(len(set(contents)) > 8, f"{what}: more than one colour")
    return contents
