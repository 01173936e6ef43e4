import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-CODE-01',
    bad: [
      `app.get('/calc', (req, res) => {
  res.json(eval(req.query.formula)) // ← here
})`,
      `app.post('/rule', async (request, reply) => {
  const check = new Function('order', 'return ' + request.body.rule) // ← here
  return check({})
})`,
      `const vm = require('vm')
app.post('/run', (req, res) => res.json(vm.runInNewContext(req.body.code)))`,
      `exports.getter = function (path) {
  return new Function('o', 'return o.' + path) // ← here
}`,
      `exports.parse = function (text) { return eval('(' + text + ')') }`,
      `exports.getter = function (path) {
  const body = path.reduce((text, part) => text + "['" + part + "']", 'return it')
  return new Function('it', body)
}`,
      `const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor
app.post('/step', async (req, res) => {
  res.json(await new AsyncFunction('order', req.body.step)({})) // ← here
})`,
      `const saferEval = require('safer-eval')
app.post('/step', (req, res) => res.json(saferEval(req.body.step)))`,
      `exports.deserialize = function deserialize(text) {
  return eval(text) // ← here
}`,
      `exports.named = function (work) {
  const options = ['a', 'b'].map((each) => 'let ' + each).join()
  return eval('(function ' + work.name + '() {' + options + ';' + options + ';' + options + '})') // ← here
}`,
      `const field = (name, at) => "\\nthis['" + name.replace(/'/g, "\\\\'") + "'] = row[" + at + '] == null ? null : parsers[' + at + '](row[' + at + ']);'
exports.rows = function (names) {
  let body = ''
  for (let at = 0; at < names.length; at++) body += field(names[at].name, at)
  return Function('parsers', 'row', body) // ← here
}`,
    ],
    good: [
      `const field = (name, at) => "\\nthis['" + name.replace(/['\\\\\\n]/g, (each) => ESCAPES[each]) + "'] = row[" + at + '] == null ? null : parsers[' + at + '](row[' + at + ']);'
exports.rows = function (names) {
  let body = ''
  for (let at = 0; at < names.length; at++) body += field(names[at].name, at)
  return Function('parsers', 'row', body)
}`,
      `exports.parseJSON = function parseJSON(text) {
  if (/^[\\],:{}\\s]*$/.test(text.replace(/"[^"]*"/g, ']'))) return new Function('return ' + text)()
  throw new SyntaxError(text)
}`,
      `exports.create = function (functionText) { return new Function('return ' + functionText)() }`,
      `exports.callbackOf = function (source) { return new Function('const callback = ' + source) }`,
      `exports.run = function run(path, options) { return start(path, eval('(' + options + ')')) }`,
      `exports.runScript = function runScript(source) { return eval(source) }`,
      `exports.deserialize = function deserialize(text) { return JSON.parse(text) }`,
      `exports.template = function (text, settings) {
  return new Function(settings.variable || 'it', 'return "' + text + '"')
}`,
      `exports.parse = function (text) { return JSON.parse('[' + text + ']') }`,
      `exports.getter = function (path) {
  const body = path.reduce((text, part) => text + '[' + JSON.stringify(part) + ']', 'return it')
  return new Function('it', body)
}`,
      `app.get('/calc', (req, res) => res.json(JSON.parse(req.query.data)))`,
      `const root = new Function('return this')()`,
      `const TABLE = { sum: (a, b) => a + b }
app.get('/calc', (req, res) => res.json(TABLE[req.query.name](1, 2)))`,
      `app.get('/later', (req, res) => setTimeout(() => res.json(req.query), 10))`,
      `exports.compile = function (name) { return new Function('o', 'return o[' + JSON.stringify(name) + ']') }`,
    ],
  },
  {
    rule: 'JS-SSTI-01',
    bad: [
      `const ejs = require('ejs')
app.post('/preview', (req, res) => res.send(ejs.render(req.body.template, {})))`,
      `import pug from 'pug'
app.get('/page', (req, res) => res.send(pug.compile('h1 ' + req.query.title)()))`,
      `const Handlebars = require('handlebars')
router.post('/mail', async (ctx) => {
  const render = Handlebars.compile(ctx.request.body.text) // ← here
  ctx.body = render({})
})`,
    ],
    good: [
      `const ejs = require('ejs')
app.post('/preview', (req, res) => res.send(ejs.render('<p><%= name %></p>', { name: req.body.name })))`,
      `const pug = require('pug')
const page = pug.compile('h1= title')
app.get('/page', (req, res) => res.send(page({ title: req.query.title })))`,
      `const Handlebars = require('handlebars')
const fs = require('fs')
const render = Handlebars.compile(fs.readFileSync('mail.hbs', 'utf8'))
app.post('/mail', (req, res) => res.json(render(req.body)))`,
    ],
  },
]
