from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        name = unquote(self.path).replace('\r', '').replace('\n', '')
        self.send_header('X-Name', name)
