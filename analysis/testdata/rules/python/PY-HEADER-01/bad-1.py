from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(302)
        self.send_header('Location', unquote(self.path))  # ← here
        self.end_headers()
