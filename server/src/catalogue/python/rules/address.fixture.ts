import type { Example } from '../../example.fixture.ts'

const FLASK =
  'import requests\nfrom urllib.parse import urlparse, quote\nfrom flask import Flask, request, redirect, url_for\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-SSRF-01',
    bad: [
      `${FLASK}
@app.route('/fetch')
def fetch():
    return requests.get(request.args['url'], timeout=5).text  # ← here
`,
      `${FLASK}
@app.route('/status')
def status():
    host = request.args.get('host')
    return requests.get(f'http://{host}/status').text  # ← here
`,
      `from urllib.request import urlopen
from django.http import HttpResponse

def picture(request):
    address = request.GET['from']
    return HttpResponse(urlopen(address).read(), content_type='image/png')  # ← here
`,
      `import httpx
from fastapi import FastAPI
app = FastAPI()

@app.post('/hook')
async def hook(callback: str):
    async with httpx.AsyncClient() as client:
        await client.post(callback, json={})  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/rate')
def rate():
    return requests.get('https://api.example.com/rates/' + quote(request.args['pair'])).text
`,
      `${FLASK}
HOSTS = {'a.example.com', 'b.example.com'}

@app.route('/fetch')
def fetch():
    url = request.args['url']
    if urlparse(url).hostname not in HOSTS:
        return 'no', 400
    return requests.get(url).text
`,
      `${FLASK}
SERVERS = {'eu': 'https://eu.example.com', 'us': 'https://us.example.com'}

@app.route('/fetch')
def fetch():
    return requests.get(SERVERS[request.args['region']]).text
`,
      `import requests

def download(url):
    return requests.get(url, timeout=10).content
`,
    ],
  },
  {
    rule: 'PY-REDIR-01',
    bad: [
      `${FLASK}
@app.route('/login', methods=['POST'])
def login():
    return redirect(request.args.get('next') or '/')  # ← here
`,
      `from django.shortcuts import redirect

def leave(request):
    target = request.GET.get('to', '/')
    return redirect(target)  # ← here
`,
      `from django.http import HttpResponseRedirect

def leave(request):
    return HttpResponseRedirect('https://' + request.GET['host'] + '/bye')  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/login', methods=['POST'])
def login():
    return redirect(url_for('account', name=request.form['name']))
`,
      `from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

def leave(request):
    target = request.GET.get('to', '/')
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = '/'
    return redirect(target)
`,
      `${FLASK}
@app.route('/go')
def go():
    return redirect('/items/' + request.args['item'])
`,
      `${FLASK}
@app.route('/go')
def go():
    target = request.args['to']
    if urlparse(target).netloc != '':
        return redirect('/')
    return redirect(target)
`,
    ],
  },
]
