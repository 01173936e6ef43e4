import type { Example } from '../../example.fixture.ts'

const FLASK = 'from flask import Flask, request, session, make_response\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-COOKIE-01',
    bad: [
      `${FLASK}
@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('session_token', new_token())  # ← here
    return answer
`,
      `${FLASK}
@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('choice', 'a', secure=False, httponly=True)  # ← here
    return answer
`,
      `from django.http import HttpResponse

def login(request):
    answer = HttpResponse('ok')
    answer.set_cookie(key='auth', value=sign(request.user), httponly=True)  # ← here
    return answer
`,
    ],
    good: [
      `${FLASK}
@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('session_token', new_token(), secure=True, httponly=True)
    return answer
`,
      `${FLASK}
@app.route('/language')
def language():
    answer = make_response('ok')
    answer.set_cookie('language', 'fr')
    return answer
`,
      `from django.conf import settings
from django.http import HttpResponse

def login(request):
    answer = HttpResponse('ok')
    answer.set_cookie('auth', 'x', secure=settings.SESSION_COOKIE_SECURE)
    return answer
`,
    ],
  },
  {
    rule: 'PY-TRUST-01',
    bad: [
      `${FLASK}
@app.route('/as')
def become():
    session['account'] = request.args['account']  # ← here
    return 'ok'
`,
      `${FLASK}
@app.route('/as')
def become():
    name = request.form.get('name')
    session[name] = '1'  # ← here
    return 'ok'
`,
      `from django.shortcuts import redirect

def choose(request):
    request.session['plan'] = request.POST['plan']  # ← here
    return redirect('/')
`,
    ],
    good: [
      `${FLASK}
@app.route('/page')
def page():
    session['page'] = int(request.args['page'])
    return 'ok'
`,
      `${FLASK}
PLANS = ['free', 'team']

@app.route('/plan')
def plan():
    chosen = request.args['plan']
    if chosen in PLANS:
        session['plan'] = chosen
    return 'ok'
`,
      `${FLASK}
@app.route('/plan')
def plan():
    seen = {'plan': request.args['plan']}
    session['seen'] = 'yes'
    return seen
`,
    ],
  },
  {
    rule: 'PY-HEADER-01',
    bad: [
      `from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(302)
        self.send_header('Location', unquote(self.path))  # ← here
        self.end_headers()
`,
      `from http.server import BaseHTTPRequestHandler
from urllib.parse import urlparse, parse_qs

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = parse_qs(urlparse(self.path).query)
        self.send_header('X-Name', asked['name'][0])  # ← here
`,
      `from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        name = unquote(self.path.split('/')[-1])
        self.send_header('Content-Disposition', f'attachment; filename={name}')  # ← here
`,
    ],
    good: [
      `from http.server import BaseHTTPRequestHandler

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_header('Content-Type', 'text/plain')
`,
      `from http.server import BaseHTTPRequestHandler
from urllib.parse import unquote

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        name = unquote(self.path).replace('\\r', '').replace('\\n', '')
        self.send_header('X-Name', name)
`,
      `from flask import Flask, request, make_response
app = Flask(__name__)

@app.route('/x')
def x():
    answer = make_response('ok')
    answer.headers['X-Name'] = request.args['name']
    return answer
`,
    ],
  },
]
