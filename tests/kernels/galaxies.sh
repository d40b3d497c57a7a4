#!/bin/sh
# SPDX-License-Identifier: MIT
# galaxies - the demo's device and CPU agree, and its picture is a PNG file that can be read, dark at its edge and bright
# where the centres are.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
picture=$folder/galaxies.png
"$srcdir/tests/on-opencl" examples/07-galaxies/galaxies 20000 "$picture" || exit
size=$(od -An -v -tx1 -j16 -N8 "$picture" | tr -d ' \n')
[ "$size" = 00000640000003e8 ] || { echo "the picture's width and height are $size"; exit 1; }
if "$srcdir/tests/on-opencl" examples/07-galaxies/galaxies 100 "$folder/none/galaxies.png" >"$folder/said.txt" 2>&1; then
  echo 'a picture that cannot be written is no failure'
  exit 1
fi
grep -q 'none/galaxies.png cannot be written: No such file' "$folder/said.txt" || { cat "$folder/said.txt"; exit 1; }

command -v python3 >/dev/null || { echo 'the picture was not looked at: no python3 here'; exit 0; }
python3 - "$picture" <<'END'
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG file'
at, chunks = 8, {}
while at < len(data):
    length, kind = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body), kind
    chunks[kind], at = body, at + 12 + length
rows = zlib.decompress(chunks[b'IDAT'])
assert len(rows) == 1000 * (1 + 3 * 1600), len(rows)
bright = sum(1 for value in rows if value > 200)
assert sum(rows[1:300]) / 300 < 30, 'the corner is not dark'
assert 300 < bright < len(rows) / 20, '%d bright values' % bright
END
