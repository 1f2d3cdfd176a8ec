#!/usr/bin/env python3
"""Serves a folder that `./run --web` has built on 127.0.0.1, for this computer alone, and prints its address.

Usage: serve-web.py FOLDER [PORT]    without a port, 8650 or the next one that is free
As a host for static files does: compressed twins to who takes them, files named by their content kept for ever.
"""
import functools
import http.server
import os
import re
import sys

NAMED_BY_CONTENT = re.compile(r'\.[0-9a-f]{12}\.[a-z]+$')
FIRST_PORT, PORTS = 8650, 50


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css',
                      '.wasm': 'application/wasm', '': 'application/octet-stream'}

    def send_head(self):
        path = self.translate_path(self.path)
        if os.path.isdir(path):
            path = os.path.join(path, 'index.html')
        taken = self.headers.get('Accept-Encoding', '')
        for ending, name in (('.br', 'br'), ('.gz', 'gzip')):
            if re.search(rf'\b{name}\b', taken) and os.path.isfile(path + ending):
                return self.send_twin(path, ending, name)
        return super().send_head()

    def send_twin(self, path, ending, encoding):
        file = open(path + ending, 'rb')
        self.send_response(200)
        self.send_header('Content-Type', self.guess_type(path))
        self.send_header('Content-Encoding', encoding)
        self.send_header('Content-Length', str(os.fstat(file.fileno()).st_size))
        self.end_headers()
        return file

    def end_headers(self):
        kept = NAMED_BY_CONTENT.search(self.path)
        self.send_header('Cache-Control', 'public, max-age=31536000, immutable' if kept else 'no-cache')
        self.send_header('Vary', 'Accept-Encoding')
        super().end_headers()

    def log_message(self, *_):
        pass


def main(folder, port=None):
    handler = functools.partial(Handler, directory=folder)
    ports = [int(port)] if port else range(FIRST_PORT, FIRST_PORT + PORTS)
    for number in ports:
        try:
            server = http.server.ThreadingHTTPServer(('127.0.0.1', number), handler)
            break
        except OSError as error:
            fault = error
    else:
        sys.exit(f'serve-web: no port could be opened: {fault}')
    print(f'Tilewalk is at http://127.0.0.1:{server.server_port}/ until Ctrl+C.', flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == '__main__':
    main(*sys.argv[1:])
