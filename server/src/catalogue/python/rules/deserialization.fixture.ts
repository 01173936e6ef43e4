import type { Example } from '../../example.fixture.ts'

const FLASK = 'import base64, json, pickle, yaml\nfrom flask import Flask, request\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-DESER-01',
    bad: [
      `${FLASK}
@app.route('/cart')
def cart():
    return str(pickle.loads(base64.b64decode(request.cookies['cart'])))  # ← here
`,
      `${FLASK}
@app.route('/import', methods=['POST'])
def load():
    return str(yaml.load(request.data, Loader=yaml.Loader))  # ← here
`,
      `import yaml

def settings(path):
    with open(path) as handle:
        return yaml.load(handle)  # ← here
`,
      `import marshal
from django.http import HttpResponse

def run(request):
    return HttpResponse(marshal.loads(request.body))  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/cart')
def cart():
    return str(json.loads(base64.b64decode(request.cookies['cart'])))
`,
      `${FLASK}
@app.route('/import', methods=['POST'])
def load():
    return str(yaml.load(request.data, Loader=yaml.SafeLoader))
`,
      `import pickle

def cached(path):
    with open(path, 'rb') as handle:
        return pickle.load(handle)
`,
      `import yaml
from yaml import CSafeLoader

def settings(path):
    with open(path) as handle:
        return yaml.load(handle, Loader=CSafeLoader)
`,
    ],
  },
  {
    rule: 'PY-XXE-01',
    bad: [
      `${FLASK}
from lxml import etree

@app.route('/order', methods=['POST'])
def order():
    return etree.fromstring(request.data).tag  # ← here
`,
      `${FLASK}
from lxml import etree

@app.route('/order', methods=['POST'])
def order():
    parser = etree.XMLParser(resolve_entities=True)
    return etree.fromstring(request.data, parser).tag  # ← here
`,
      `${FLASK}
import io
import xml.sax
from xml.sax.handler import feature_external_ges

@app.route('/order', methods=['POST'])
def order():
    parser = xml.sax.make_parser()
    parser.setFeature(feature_external_ges, True)
    parser.parse(io.BytesIO(request.get_data()))  # ← here
    return 'ok'
`,
    ],
    good: [
      `${FLASK}
from lxml import etree

@app.route('/order', methods=['POST'])
def order():
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(request.data, parser).tag
`,
      `${FLASK}
from defusedxml.lxml import fromstring

@app.route('/order', methods=['POST'])
def order():
    return fromstring(request.data).tag
`,
      `from lxml import etree

def rates():
    return etree.parse('/srv/rates.xml')
`,
    ],
  },
]
