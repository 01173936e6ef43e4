import type { Example } from '../../example.fixture.ts'

const FLASK = 'from flask import Flask, request\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-LDAP-01',
    bad: [
      `import ldap
${FLASK}
@app.route('/who')
def who():
    directory = ldap.initialize('ldap://localhost')
    wanted = '(uid=' + request.args['uid'] + ')'
    return str(directory.search_s('dc=example', ldap.SCOPE_SUBTREE, wanted))  # ← here
`,
      `import ldap3
${FLASK}
@app.route('/who')
def who():
    link = ldap3.Connection(ldap3.Server('localhost'), auto_bind=True)
    link.search('dc=example', f"(&(objectclass=person)(uid={request.args['uid']}))", attributes=['cn'])  # ← here
    return str(link.entries)
`,
      `import ldap3
${FLASK}
@app.route('/who')
def who():
    link = ldap3.Connection('localhost')
    link.search(search_base='ou=' + request.args['unit'], search_filter='(uid=*)')  # ← here
    return str(link.entries)
`,
    ],
    good: [
      `import ldap
from ldap.filter import escape_filter_chars
${FLASK}
@app.route('/who')
def who():
    directory = ldap.initialize('ldap://localhost')
    wanted = '(uid=' + escape_filter_chars(request.args['uid']) + ')'
    return str(directory.search_s('dc=example', ldap.SCOPE_SUBTREE, wanted))
`,
      `import ldap3
${FLASK}
@app.route('/who')
def who():
    link = ldap3.Connection('localhost')
    link.search('dc=example', '(uid=root)')
    return request.args['uid']
`,
      `import ldap3
${FLASK}
@app.route('/who/<int:number>')
def who(number):
    link = ldap3.Connection('localhost')
    link.search('dc=example', f'(uidNumber={number})')
    return 'ok'
`,
    ],
  },
  {
    rule: 'PY-XPATH-01',
    bad: [
      `from lxml import etree
${FLASK}
tree = etree.parse('people.xml')

@app.route('/person')
def person():
    return str(tree.xpath("//person[@name='" + request.args['name'] + "']"))  # ← here
`,
      `import xml.etree.ElementTree as ET
${FLASK}
root = ET.parse('people.xml').getroot()

@app.route('/person')
def person():
    return str(root.findall(f"./person[@name='{request.args['name']}']"))  # ← here
`,
      `import elementpath
import xml.etree.ElementTree as ET
${FLASK}
@app.route('/person')
def person():
    root = ET.parse('people.xml')
    return str(elementpath.select(root, "/people/person[@id='%s']" % request.args['id']))  # ← here
`,
    ],
    good: [
      `from lxml import etree
${FLASK}
tree = etree.parse('people.xml')

@app.route('/person')
def person():
    return str(tree.xpath('//person[@name=$name]', name=request.args['name']))
`,
      `from lxml import etree
${FLASK}
tree = etree.parse('people.xml')

@app.route('/person')
def person():
    name = request.args['name'].replace("'", '&apos;')
    return str(tree.xpath(f"//person[@name='{name}']"))
`,
      `from lxml import etree
${FLASK}
tree = etree.parse('people.xml')

@app.route('/person')
def person():
    name = request.args['name']
    if "'" in name:
        return 'no', 400
    return str(tree.xpath(f"//person[@name='{name}']"))
`,
    ],
  },
  {
    rule: 'PY-NOSQL-01',
    bad: [
      `from pymongo import MongoClient
${FLASK}
db = MongoClient().shop

@app.route('/login', methods=['POST'])
def login():
    body = request.get_json()
    found = db.users.find_one({'name': body['name'], 'code': body['code']})  # ← here
    return str(found)
`,
      `from pymongo import MongoClient
${FLASK}
db = MongoClient().shop

@app.route('/find', methods=['POST'])
def find():
    return str(list(db.items.find(request.json)))  # ← here
`,
      `from pymongo import MongoClient
${FLASK}
db = MongoClient().shop

@app.route('/find')
def find():
    return str(list(db.items.find({'$where': 'this.owner == "' + request.args['owner'] + '"'})))  # ← here
`,
    ],
    good: [
      `from pymongo import MongoClient
${FLASK}
db = MongoClient().shop

@app.route('/login', methods=['POST'])
def login():
    body = request.get_json()
    return str(db.users.find_one({'name': str(body['name']), 'code': str(body['code'])}))
`,
      `from pymongo import MongoClient
${FLASK}
db = MongoClient().shop

@app.route('/find')
def find():
    return str(db.items.find_one({'owner': request.args['owner']}))
`,
      `from pymongo import MongoClient
from bson.objectid import ObjectId
${FLASK}
db = MongoClient().shop

@app.route('/find', methods=['POST'])
def find():
    return str(db.items.find_one({'_id': ObjectId(request.json['id'])}))
`,
    ],
  },
]
