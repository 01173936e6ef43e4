import type { Example } from '../../example.fixture.ts'

const FLASK = 'import os, subprocess, shlex\nfrom flask import Flask, request\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-CMD-01',
    bad: [
      `${FLASK}
@app.route('/ping')
def ping():
    host = request.args.get('host')
    os.system('ping -c 1 ' + host)  # ← here
    return 'sent'
`,
      `${FLASK}
def shell(line):
    return subprocess.check_output(line, shell=True)  # ← here

@app.route('/log', methods=['POST'])
def log():
    name = request.form['name'].strip()
    return shell('tail -n 5 %s' % name)
`,
      `${FLASK}
@app.post('/resize')
def resize():
    parts = ['convert', '-resize']
    parts.append(request.json['size'])
    subprocess.run(['sh', '-c', ' '.join(parts)])  # ← here
    return 'ok'
`,
      `import asyncio
from fastapi import FastAPI
app = FastAPI()

@app.get('/dig')
async def dig(name: str, retries: int = 3):
    await asyncio.create_subprocess_shell(f'dig +tries={retries} {name}')  # ← here
`,
      `import os

def clone(address, folder):
    os.system('git clone ' + address + ' /srv/' + folder)  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/ping')
def ping():
    subprocess.run(['ping', '-c', '1', request.args['host']], check=True)
    return 'sent'
`,
      `${FLASK}
@app.route('/log')
def log():
    os.system('tail -n 5 ' + shlex.quote(request.args['name']))
    return 'ok'
`,
      `${FLASK}
ALLOWED = ('start', 'stop')

@app.route('/service')
def service():
    action = request.args.get('action', '')
    if action not in ALLOWED:
        return 'no', 400
    os.system('systemctl ' + action + ' shop')
    return 'ok'
`,
      `${FLASK}
@app.route('/count')
def count():
    number = int(request.args['number'])
    chosen = {'a': request.args['a'], 'b': 'uptime'}
    os.system(f'head -n {number} /var/log/shop.log')
    os.system(chosen['b'])
    return 'ok'
`,
      `${FLASK}
@app.route('/fixed')
def fixed():
    level = 106
    line = 'uptime' if 7 * 18 + level > 200 else request.args['line']
    os.system(line)
    return 'ok'
`,
      `import os

def lights():
    for name in ['red', 'green']:
        os.system('light ' + name)
`,
    ],
  },
]
