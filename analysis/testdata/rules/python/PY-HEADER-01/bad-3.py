from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        name = unquote(self.path.split('/')[-1])
        self.send_header('Content-Disposition', f'attachment; filename={name}')  # ← here
