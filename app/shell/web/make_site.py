#!/usr/bin/env python3
"""Makes the folder that a host serves: the page, named by content, with a compressed twin beside each file.

Usage: make_site.py PAGE-FOLDER BUILD-FOLDER RECORDINGS-FOLDER PAGES-FOLDER OUT
Every address in it is relative, and nothing is asked of any other host. What the program consists of is named by its
content, so that a browser can keep it for ever; index.html, worker.js and the lessons' pages keep their names.
PAGES-FOLDER: what tilewalk_pages has written.
"""
import gzip
import hashlib
import html
import json
import pathlib
import shutil
import subprocess
import sys

# In this order they are one script.
SCRIPTS = ['hands.js', 'keep.js', 'mirror.js', 'room.js', 'versions.js', 'class.js', 'page.js']
LESSON_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
LARGE = ['h200-lessons.json', 'h100-lessons.json']  # core/io/embedded.h
COMPRESSED = {'.html', '.js', '.css', '.wasm', '.json', '.svg'}


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


def twins(path, made):
    """Compressed twins; `made`: those of files of the last time, by their content."""
    for ending, twin in made.get(digest(path), {}).items():
        path.with_name(path.name + ending).write_bytes(twin)
    if digest(path) in made:
        return
    path.with_name(path.name + '.gz').write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    if brotli := shutil.which('brotli'):
        subprocess.run([brotli, '--best', '--force', '--keep', str(path)], check=True)


def twins_made(out):
    made = {}
    for path in out.rglob('*') if out.is_dir() else []:
        found = {twin.suffix: twin.read_bytes() for ending in ('.gz', '.br')
                 if (twin := path.with_name(path.name + ending)).is_file()}
        if path.suffix in COMPRESSED and len(found) == (2 if shutil.which('brotli') else 1):
            made[digest(path)] = found
    return made


def one_script(page):
    parts = ''.join((page / name).read_text() for name in SCRIPTS)
    return f"'use strict';\n(() => {{\n{parts}}})();\n".encode()


def lesson_rows(lessons):
    rows = []
    for lesson in lessons:
        number, title = lesson['number'], html.escape(lesson['title'])
        rows.append(f'<li><a href="#lesson/{number}/beat/1"><img src="pictures/{number}.svg" alt="" loading="lazy" '
                    f'width="320" height="180"><span>{number}. {title}</span></a>\n'
                    f'<p>{lesson["minutes"]:g} minutes, or <a href="lessons/{number}.html">as a page to read</a></p></li>')
    return '\n'.join(rows)


def with_policy(page):
    mark = '<meta charset="utf-8" />'
    assert mark in page
    return page.replace(mark, f'{mark}\n<meta http-equiv="Content-Security-Policy" content="{LESSON_POLICY}" />', 1)


def main(page, build, recordings, pages, out):
    page, build, recordings, pages, out = map(pathlib.Path, (page, build, recordings, pages, out))
    made = twins_made(out)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(pages, out, ignore=shutil.ignore_patterns('lessons.json'))
    for lesson in (out / 'lessons').iterdir():
        lesson.write_text(with_policy(lesson.read_text()))
    contents = {name: (folder / name).read_bytes()
                for folder, names in ((build, ['tilewalk.wasm', 'tilewalk.js']), (recordings, LARGE),
                                      (page, ['page.css'])) for name in names}
    contents['page.js'] = one_script(page)
    index = (page / 'index.html').read_text().replace(
        '@lessons@', lesson_rows(json.loads((pages / 'lessons.json').read_text())))
    files = ['./']
    for name, content in contents.items():
        stem, ending = name.rsplit('.', 1)
        files.append(f'{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}')
        (out / files[-1]).write_bytes(content)
        assert f'"{name}"' in index, name
        index = index.replace(f'="{name}"', f'="{files[-1]}"')
    (out / 'index.html').write_text(index)
    files += sorted(str(path.relative_to(out)) for folder in ('lessons', 'pictures') for path in (out / folder).iterdir())
    version = hashlib.sha256(b''.join(digest(out / file) for file in ['index.html'] + files[1:])).hexdigest()[:12]
    worker = (page / 'worker.js').read_text().replace('@version@', version).replace('@files@', "', '".join(files))
    (out / 'worker.js').write_text(worker)
    for path in sorted(path for path in out.rglob('*') if path.suffix in COMPRESSED):
        twins(path, made)


if __name__ == '__main__':
    main(*sys.argv[1:])
