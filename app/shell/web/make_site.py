#!/usr/bin/env python3
"""Makes the folder that a host serves: the page, named by content, with a compressed twin beside each file.

Usage: make_site.py PAGE-FOLDER BUILD-FOLDER OUT
Every address in it is relative, and nothing is asked of any other host. Only index.html keeps its name, so that all
others can be kept by a browser for ever.
"""
import gzip
import hashlib
import pathlib
import shutil
import subprocess
import sys

NAMED_BY_CONTENT = ['tilewalk.wasm', 'tilewalk.js', 'page.css', 'page.js']


def twins(path):
    content = path.read_bytes()
    path.with_name(path.name + '.gz').write_bytes(gzip.compress(content, 9, mtime=0))
    if brotli := shutil.which('brotli'):
        subprocess.run([brotli, '--best', '--force', '--keep', str(path)], check=True)


def main(page, build, out):
    page, build, out = pathlib.Path(page), pathlib.Path(build), pathlib.Path(out)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    index = (page / 'index.html').read_text()
    for name in NAMED_BY_CONTENT:
        folder = build if name in ('tilewalk.wasm', 'tilewalk.js') else page
        content = (folder / name).read_bytes()
        stem, ending = name.rsplit('.', 1)
        unique = f'{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}'
        (out / unique).write_bytes(content)
        assert f'"{name}"' in index, name
        index = index.replace(f'"{name}"', f'"{unique}"')
    (out / 'index.html').write_text(index)
    for path in sorted(out.iterdir()):
        twins(path)


if __name__ == '__main__':
    main(*sys.argv[1:])
