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


def pixels(path):
    """Width, height and rows of (r, g, b) of a PNG file of 8 bits without interlace, such as all programs here write."""
    data = path.read_bytes()
    channels = {2: 3, 6: 4}[data[25]]
    assert data[24] == 8 and data[28] == 0, "8 bits, not interlaced"
    (width, height), raw = size_and_contents(path)
    stride, rows, last = width * channels, [], bytes(width * channels)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            up, corner = last[i], last[i - channels] if i >= channels else 0
            if kind == 4:  # Paeth
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            else:
                near = (0, left, up, (left + up) // 2)[kind]
            line[i] = (line[i] + near) & 255
        rows.append([tuple(line[i : i + 3]) for i in range(0, stride, channels)])
        last = line
    return width, height, rows


def blobs(mask):
    """Sizes of the connected sets of true cells of a grid, largest first."""
    left = {(x, y) for y, row in enumerate(mask) for x, cell in enumerate(row) if cell}
    sizes = []
    while left:
        front, size = [left.pop()], 0
        while front:
            x, y = front.pop()
            size += 1
            for beside in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if beside in left:
                    left.remove(beside)
                    front.append(beside)
        sizes.append(size)
    return sorted(sizes, reverse=True)
