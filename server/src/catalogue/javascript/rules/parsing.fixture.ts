import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-DESER-01',
    bad: [
      `const serialize = require('node-serialize')
app.get('/', (req, res) => res.json(serialize.unserialize(req.cookies.profile)))`,
      `const { unserialize } = require('node-serialize')
app.post('/', (req, res) => res.json(unserialize(Buffer.from(req.body.data, 'base64').toString())))`,
      `const v8 = require('v8')
app.post('/', (req, res) => res.json(v8.deserialize(Buffer.from(req.body.data, 'base64'))))`,
    ],
    good: [
      `app.get('/', (req, res) => res.json(JSON.parse(req.cookies.profile)))`,
      `const yaml = require('js-yaml')
app.post('/', (req, res) => res.json(yaml.load(req.body.text)))`,
      `const serialize = require('node-serialize')
exports.copy = () => serialize.unserialize('{}')`,
    ],
  },
  {
    rule: 'JS-XXE-01',
    bad: [
      `const libxml = require('libxmljs')
app.post('/xml', (req, res) => res.json(libxml.parseXml(req.body, { noent: true })))`,
      `import libxmljs from 'libxmljs2'
export const read = (text) => libxmljs.parseXml(text, { noent: true, noblanks: true })`,
      `const libxml = require('libxmljs')
exports.read = (text) => libxml.parseXmlString(text, { dtdload: true })`,
    ],
    good: [
      `const libxml = require('libxmljs')
app.post('/xml', (req, res) => res.json(libxml.parseXml(req.body)))`,
      `const libxml = require('libxmljs')
exports.read = (text) => libxml.parseXml(text, { noent: false })`,
      `const libxml = require('libxmljs')
libxml.parseXml('<a/>', { noent: true })`,
    ],
  },
  {
    rule: 'JS-LDAP-01',
    bad: [
      `const ldap = require('ldapjs')
const client = ldap.createClient({ url: 'ldap://x' })
app.get('/user', (req, res) => {
  client.search('ou=people', { filter: '(uid=' + req.query.uid + ')' }, () => {}) // ← here
})`,
      `import { Client } from 'ldapts'
const client = new Client({ url: 'ldap://x' })
app.post('/login', async (req, res) => {
  await client.search('dc=x', { scope: 'sub', filter: \`(&(uid=\${req.body.user})(active=1))\` }) // ← here
})`,
      `const ldap = require('ldapjs')
function find(client, name) {
  return client.search('dc=x', { filter: \`(cn=\${name})\` }) // ← here
}
app.get('/find', (req, res) => find(ldap.createClient({}), req.query.name))`,
    ],
    good: [
      `const ldap = require('ldapjs')
app.get('/user', (req, res) => client.search('ou=people', { filter: new ldap.EqualityFilter({ attribute: 'uid', value: req.query.uid }) }))`,
      `const ldap = require('ldapjs')
const ldapEscape = require('ldap-escape')
app.get('/user', (req, res) => client.search('ou=people', { filter: '(uid=' + ldapEscape.filter(req.query.uid) + ')' }))`,
      `const ldap = require('ldapjs')
app.get('/user', (req, res) => {
  if (!/^[a-z0-9]+$/.test(req.query.uid)) return res.end()
  client.search('ou=people', { filter: \`(uid=\${req.query.uid})\` })
})`,
    ],
  },
  {
    rule: 'JS-XPATH-01',
    bad: [
      `const xpath = require('xpath')
app.get('/user', (req, res) => res.json(xpath.select("//user[@name='" + req.query.name + "']", doc)))`,
      `import { select } from 'xpath'
app.get('/user', (req, res) => res.json(select(\`//user[name='\${req.query.name}']\`, doc)))`,
      `const xpath = require('xpath')
app.post('/login', (req, res) => {
  const expression = '//user[pass="' + req.body.pass + '"]'
  res.json(xpath.select1(expression, doc)) // ← here
})`,
    ],
    good: [
      `const xpath = require('xpath')
app.get('/user', (req, res) => res.json(xpath.parse('//user[@name=$name]').select({ node: doc, variables: { name: req.query.name } })))`,
      `const xpath = require('xpath')
app.get('/user', (req, res) => res.json(xpath.select('//user[' + Number(req.query.index) + ']', doc)))`,
      `const xpath = require('xpath')
app.get('/user', (req, res) => res.json(xpath.select('//user', doc)))`,
    ],
  },
]
