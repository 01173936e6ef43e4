import type { Example } from '../../example.fixture.ts'

const FLASK =
  "import os\nfrom pathlib import Path\nfrom flask import Flask, request, send_file\nfrom werkzeug.utils import secure_filename, safe_join\napp = Flask(__name__)\nROOT = '/srv/files'\n"

export const examples: Example[] = [
  {
    rule: 'PY-PATH-01',
    bad: [
      `${FLASK}
@app.route('/file')
def read():
    with open(os.path.join(ROOT, request.args['name'])) as handle:  # ← here
        return handle.read()
`,
      `${FLASK}
@app.route('/file')
def read():
    target = Path(ROOT) / request.args['name']
    return target.read_text()  # ← here
`,
      `${FLASK}
@app.route('/upload', methods=['POST'])
def upload():
    given = request.files['file']
    given.save(os.path.join(ROOT, given.filename))  # ← here
    return 'kept'
`,
      `${FLASK}
@app.route('/download/<path:name>')
def download(name):
    return send_file(f'{ROOT}/{name}')  # ← here
`,
      `import os
from django.http import FileResponse, HttpResponse

def delete(request):
    if not request.GET['name'].startswith('/srv/files'):
        return HttpResponse(status=400)
    os.remove(request.GET['other'])  # ← here
    return HttpResponse()
`,
    ],
    good: [
      `${FLASK}
@app.route('/file')
def read():
    with open(os.path.join(ROOT, os.path.basename(request.args['name']))) as handle:
        return handle.read()
`,
      `${FLASK}
@app.route('/file')
def read():
    target = (Path(ROOT) / request.args['name']).resolve()
    if not target.is_relative_to(ROOT):
        return 'no', 404
    return target.read_text()
`,
      `${FLASK}
@app.route('/upload', methods=['POST'])
def upload():
    given = request.files['file']
    given.save(os.path.join(ROOT, secure_filename(given.filename)))
    return 'kept'
`,
      `${FLASK}
@app.route('/file')
def read():
    full = os.path.realpath(os.path.join(ROOT, request.args['name']))
    if not full.startswith(ROOT + os.sep):
        return 'no', 404
    return open(full).read()
`,
      `${FLASK}
@app.route('/file/<int:number>')
def read(number):
    return open(f'{ROOT}/{number}.txt').read()
`,
      `${FLASK}
@app.route('/file')
def read():
    name = request.args['name']
    if '..' in name or name.startswith('/'):
        return 'no', 400
    return open(os.path.join(ROOT, name)).read()
`,
      `${FLASK}
@app.route('/file')
def read():
    return open(safe_join(ROOT, request.args['name'])).read()
`,
    ],
  },
  {
    rule: 'PY-PATH-02',
    bad: [
      `import tarfile
${FLASK}
@app.route('/restore', methods=['POST'])
def restore():
    with tarfile.open(fileobj=request.files['backup'].stream) as backup:
        backup.extractall('/srv/data')  # ← here
    return 'ok'
`,
      `import tarfile

def unpack(path, folder):
    archive = tarfile.open(path)
    archive.extractall(folder)  # ← here
`,
      `import tarfile

def install(path):
    tarfile.open(path, 'r:gz').extractall(path='/opt/plugins')  # ← here
`,
    ],
    good: [
      `import tarfile

def unpack(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter='data')
`,
      `import tarfile

def unpack(path, folder):
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            if member.name.startswith('/') or '..' in member.name:
                raise ValueError(member.name)
        archive.extractall(folder)
`,
      `import zipfile

def unpack(path, folder):
    zipfile.ZipFile(path).extractall(folder)
`,
    ],
  },
]
