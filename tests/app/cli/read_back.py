#!/usr/bin/env python3
"""What `tilewalk export` writes, read by other programs: Python's XML parser, and Pillow for PNG and GIF.
Usage: read_back.py PROGRAM      leaves with 77 where Pillow is not installed
"""
import os
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    from PIL import Image
except ImportError:
    print("python3-pil is not installed")
    sys.exit(77)

PROGRAM = sys.argv[1]
SVG = "{http://www.w3.org/2000/svg}"
HTML = "{http://www.w3.org/1999/xhtml}"
WALK = "tilewalk://walk/step/37?schedule=fa2&N=16&d=8&Br=4&Bc=4&seed=7"


def run(*arguments, code=0, **more):
    ran = subprocess.run([PROGRAM, "export", *arguments], capture_output=True, text=True, timeout=300, **more)
    assert ran.returncode == code, (arguments, ran.returncode, ran.stderr)
    return ran


def durations(path):
    with Image.open(path) as image:
        times = []
        for frame in range(image.n_frames):
            image.seek(frame)
            image.convert("RGB")
            times.append(image.info["duration"])
        return image.size, times


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)

    # SVG: an XML parser reads it, its text is text, and there is no raster in it.
    for link in (WALK, "tilewalk://lesson/6/beat/4", "tilewalk://lesson/14/beat/3", "tilewalk://board/clocks?N=4096"):
        for theme in ("light", "dark", "projector"):
            run(link, "-o", "a.svg", "--theme", theme, "--footer")
            root = ElementTree.parse("a.svg").getroot()
            words = " ".join("".join(text.itertext()) for text in root.iter(SVG + "text"))
            assert len(words) > 100 and "tilewalk://" in words, link
            assert not list(root.iter(SVG + "image")), link
            assert root.find(SVG + "title") is not None

    # PNG of any size, and the theme in its pixels.
    for size in ("960x540", "1920x1080", "3840x2160"):
        run(WALK, "-o", "a.png", "--size", size)
        with Image.open("a.png") as image:
            assert "%dx%d" % image.size == size
            assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
            assert len(image.convert("RGB").getcolors(1 << 24)) > 100
    run(WALK, "-o", "dark.png", "--theme", "dark")
    with Image.open("dark.png") as image:
        assert max(image.convert("RGB").getpixel((1, 1))) < 60

    # GIF: a frame for each part but the empty one before the first step, as long as its sentence takes to read, 0.9 to
    # 15 s, the last one 2.5 s or longer, and the same pixels as the PNG but for its palette.
    said = run(WALK, "-o", "a.gif", "--steps", "0-40").stdout
    size, times = durations("a.gif")
    assert size == (1280, 720) and len(times) > 5 and "%d pictures, about" % len(times) in said, (size, times, said)
    assert all(900 <= time <= 15000 for time in times) and times[-1] >= 2500 and len(set(times)) > 2, times
    run(WALK, "-o", "part.png", "--steps", "0-40", "--size", "1280x720")
    numbered = sorted(name for name in os.listdir(".") if name.startswith("part-"))[1:]
    assert len(numbered) == len(times), numbered
    with Image.open("a.gif") as gif:
        for frame, name in enumerate(numbered):
            gif.seek(frame)
            with Image.open(name) as png:
                a, b = gif.convert("RGB").tobytes(), png.convert("RGB").tobytes()
            furthest = max(abs(x - y) for x, y in zip(a[::7], b[::7]))
            assert furthest <= 40, (name, furthest)
    assert os.path.getsize("a.gif") < 10_000_000
    by_tile = run(WALK, "-o", "tile.gif", "--steps", "all", "--unit", "tile").stdout
    assert len(durations("tile.gif")[1]) < len(times) * 4, by_tile

    # A lesson is one page that is well-formed and asks for nothing else.
    run("--lesson", "6", "-o", "lesson.html")
    text = open("lesson.html", encoding="utf-8").read()
    page = ElementTree.fromstring(text.split("\n", 1)[1])
    assert page.get("lang") == "en"
    for element in page.iter():
        assert element.tag not in (HTML + "script", HTML + "img", HTML + "link", HTML + "iframe"), element.tag
        assert "src" not in element.attrib and "url(" not in element.attrib.get("style", "")
    assert "url(" not in text and "@import" not in text
    levels = [int(e.tag[-1]) for e in page.iter() if e.tag in [HTML + "h%d" % n for n in range(1, 7)]]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels
    figures = list(page.iter(SVG + "svg"))
    assert len(figures) >= 4 and all(svg.find(SVG + "title") is not None and svg.get("role") == "img" for svg in figures)
    answers = [d for d in page.iter(HTML + "details") if d.get("class") == "answer"]
    assert answers and all(d.get("open") is None for d in answers)
    for link in page.iter(HTML + "a"):
        target = link.get("href")
        assert not target.startswith("#") or page.find(".//*[@id='%s']" % target[1:]) is not None, target

    # Several links become numbered files.
    run(WALK, "tilewalk://lesson/6/beat/4", "-o", "two.svg")
    assert os.path.exists("two-001.svg") and os.path.exists("two-002.svg")

    # A full disk, which a limit on the size of files stands for: the path and the reason, nothing half written, and what
    # was there before is untouched.
    with open("kept.png", "w") as kept:
        kept.write("before")
    few = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    for name in ("kept.png", "new.png", "new.gif", "new.svg"):
        said = run(WALK, "-o", name, code=1, preexec_fn=few).stderr
        assert name in said and said.strip().endswith("."), said
    before = set(os.listdir("."))
    said = run(WALK, "-o", "series.png", "--steps", "0-10", code=1, preexec_fn=few).stderr
    assert set(os.listdir(".")) == before, set(os.listdir(".")) - before
    assert open("kept.png").read() == "before"
    assert not [name for name in os.listdir(".") if name.startswith("new.")], os.listdir(".")

    # A folder that is not there, one that cannot be written, a file that is none.
    os.mkdir("closed", 0o555)
    for name in ("nowhere/a.svg", "kept.png/a.svg") + (() if os.geteuid() == 0 else ("closed/a.svg",)):
        said = run(WALK, "-o", name, code=1).stderr
        assert name in said, said
print("read back")
