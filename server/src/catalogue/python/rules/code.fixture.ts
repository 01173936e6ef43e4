import type { Example } from '../../example.fixture.ts'

const FLASK =
  'from flask import Flask, request, render_template_string, render_template\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-CODE-01',
    bad: [
      `${FLASK}
@app.route('/sum')
def total():
    return str(eval(request.args['formula']))  # ← here
`,
      `from django.http import HttpResponse

def calculate(request):
    body = request.POST.get('body', '')
    exec('value = ' + body)  # ← here
    return HttpResponse('done')
`,
      `def lambda_handler(event, context):
    return eval(event['body'], {'__builtins__': {}})  # ← here
`,
    ],
    good: [
      `import ast
${FLASK}
@app.route('/sum')
def total():
    return str(ast.literal_eval(request.args['formula']))
`,
      `${FLASK}
@app.route('/sum')
def total():
    number = float(request.args['number'])
    return str(eval(f'{number} * 2'))
`,
      `${FLASK}
WORKS = {'double': 'x * 2', 'half': 'x / 2'}

@app.route('/sum')
def total():
    return str(eval(WORKS.get(request.args['work'], '0'), {'x': 3}))
`,
    ],
  },
  {
    rule: 'PY-SSTI-01',
    bad: [
      `${FLASK}
@app.route('/hello')
def hello():
    return render_template_string('Hello ' + request.args['name'])  # ← here
`,
      `${FLASK}
from jinja2 import Template

@app.route('/hello/<name>')
def hello(name):
    page = Template(f'Hello {name}')  # ← here
    return page.render()
`,
      `from django.template import Template, Context
from django.http import HttpResponse

def preview(request):
    text = request.POST['template']
    return HttpResponse(Template(text).render(Context({})))  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/hello')
def hello():
    return render_template_string('Hello {{ name }}', name=request.args['name'])
`,
      `${FLASK}
@app.route('/hello')
def hello():
    return render_template('hello.html', name=request.args['name'])
`,
      `${FLASK}
GREETINGS = {'en': 'Hello {{ name }}', 'fr': 'Bonjour {{ name }}'}

@app.route('/hello')
def hello():
    return render_template_string(GREETINGS[request.args['lang']], name=request.args['name'])
`,
    ],
  },
]
