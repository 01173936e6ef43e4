import type { Example } from '../../example.fixture.ts'

const FLASK =
  'import html, json\nfrom markupsafe import escape, Markup\nfrom flask import Flask, Response, request, make_response, jsonify\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-XSS-01',
    bad: [
      `${FLASK}
@app.route('/hello')
def hello():
    return f"<h1>Hello {request.args['name']}</h1>"  # ← here
`,
      `${FLASK}
@app.route('/hello')
def hello():
    page = '<ul>'
    for word in request.args.getlist('word'):
        page += '<li>' + word + '</li>'
    return make_response(page + '</ul>')  # ← here
`,
      `from django.http import HttpResponse

def hello(request):
    return HttpResponse('Hello ' + request.GET.get('name', ''))  # ← here
`,
      `from django.utils.safestring import mark_safe

def badge(request):
    return mark_safe('<b>%s</b>' % request.POST['label'])  # ← here
`.replace('from django', 'from django.shortcuts import render\nfrom django'),
      `from fastapi import FastAPI
from fastapi.responses import HTMLResponse
app = FastAPI()

@app.get('/search')
def search(q: str):
    return HTMLResponse(f'<p>Nothing for {q}</p>')  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/hello')
def hello():
    return f"<h1>Hello {escape(request.args['name'])}</h1>"
`,
      `${FLASK}
@app.route('/hello')
def hello():
    return jsonify(name=request.args['name'])
`,
      `${FLASK}
@app.route('/hello')
def hello():
    return Response(request.args['name'], mimetype='text/plain')
`,
      `from django.http import HttpResponse
import html

def hello(request):
    return HttpResponse('Hello ' + html.escape(request.GET.get('name', '')))
`,
      `from fastapi import FastAPI
app = FastAPI()

@app.get('/search')
def search(q: str):
    return {'q': q}
`,
      `${FLASK}
@app.route('/page')
def page():
    number = request.args.get('page', 1, type=int)
    return f'<p>Page {number}</p>'
`,
    ],
  },
]
