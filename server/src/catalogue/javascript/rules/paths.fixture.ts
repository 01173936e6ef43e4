import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-PATH-01',
    bad: [
      `const fs = require('fs')
app.get('/file', (req, res) => {
  fs.createReadStream('./files/' + req.query.name).pipe(res) // ← here
})`,
      `const http = require('http'), fs = require('fs'), path = require('path'), url = require('url')
http.createServer(function (req, res) {
  const pathname = url.parse(req.url).pathname
  const file = path.join(process.cwd(), pathname)
  fs.readFile(file, function (err, data) { res.end(data) }) // ← here
}).listen(80)`,
      `import path from 'node:path'
app.get('/download/:name', (req, res) => {
  res.sendFile(path.resolve('uploads', req.params.name)) // ← here
})`,
      `import { readFile } from 'node:fs/promises'
export async function GET(request, { params }) {
  return new Response(await readFile('/srv/docs/' + params.slug)) // ← here
}`,
    ],
    good: [
      `const fs = require('fs')
const path = require('path')
const isInside = require('path-is-inside')
const related = (root, name) => path.join(root, name + '.html')
module.exports = (root) => (req, res) => {
  let file = path.join(root, req.url)
  if (!isInside(file, root)) return res.end()
  if (!fs.existsSync(file)) file = related(root, req.url)
  fs.createReadStream(file).pipe(res)
}`,
      `const fs = require('fs'), path = require('path')
app.get('/file', (req, res) => fs.createReadStream(path.join('files', path.basename(req.query.name))).pipe(res))`,
      `const fs = require('fs'), path = require('path')
const ROOT = path.resolve('files')
app.get('/file', (req, res) => {
  const file = path.resolve(ROOT, req.query.name)
  if (!file.startsWith(ROOT + path.sep)) return res.status(403).end()
  fs.createReadStream(file).pipe(res)
})`,
      `app.get('/file/:name', (req, res) => res.sendFile(req.params.name, { root: 'files' }))`,
      `const fs = require('fs'), path = require('path')
app.get('/file', (req, res) => {
  const file = path.join('files', req.query.name)
  const inside = path.relative('files', file)
  if (inside.startsWith('..') || path.isAbsolute(inside)) return res.status(403).end()
  fs.readFile(file, (error, data) => res.end(data))
})`,
      `const fs = require('fs')
app.get('/page/:id', (req, res) => fs.readFile('pages/' + Number(req.params.id) + '.html', () => res.end()))`,
      `const fs = require('fs')
app.get('/file', (req, res) => {
  if (req.query.name.indexOf('..') !== -1) return res.status(400).end()
  fs.readFile('files/' + req.query.name, () => res.end())
})`,
    ],
  },
  {
    rule: 'JS-PATH-02',
    bad: [
      `const unzipper = require('unzipper'), fs = require('fs'), path = require('path')
fs.createReadStream('in.zip').pipe(unzipper.Parse()).on('entry', (entry) => {
  entry.pipe(fs.createWriteStream(path.join('out', entry.path))) // ← here
})`,
      `const yauzl = require('yauzl'), fs = require('fs'), path = require('path')
function extract(zip, folder) {
  zip.on('entry', (entry) => {
    const target = path.join(folder, entry.fileName)
    zip.openReadStream(entry, (error, stream) => stream.pipe(fs.createWriteStream(target))) // ← here
  })
}
module.exports = extract`,
      `const tar = require('tar-stream'), fs = require('fs')
tar.extract().on('entry', (header, stream, next) => {
  stream.pipe(fs.createWriteStream('out/' + header.name)) // ← here
})`,
    ],
    good: [
      `const unzipper = require('unzipper'), fs = require('fs'), path = require('path')
const root = path.resolve('out')
fs.createReadStream('in.zip').pipe(unzipper.Parse()).on('entry', (entry) => {
  const target = path.resolve(root, entry.path)
  if (!target.startsWith(root + path.sep)) return entry.autodrain()
  entry.pipe(fs.createWriteStream(target))
})`,
      `const tar = require('tar-stream'), fs = require('fs'), path = require('path')
tar.extract().on('entry', (header, stream, next) => {
  const target = path.join('out', header.name)
  if (path.relative('out', target).startsWith('..')) return next()
  stream.pipe(fs.createWriteStream(target))
})`,
      `const fs = require('fs')
function save(entry) { fs.createWriteStream('logs/' + entry.name) }
save({ name: 'today' })`,
    ],
  },
  {
    rule: 'JS-UPLOAD-01',
    bad: [
      `const fs = require('fs')
app.post('/avatar', upload.single('avatar'), (req, res) => {
  fs.rename(req.file.path, 'public/' + req.file.originalname, () => res.end()) // ← here
})`,
      `app.post('/avatar', (req, res) => {
  const file = req.files.avatar
  file.mv('public/' + file.name) // ← here
})`,
      `const fs = require('fs'), path = require('path')
app.post('/import', (req, res) => {
  fs.writeFileSync(path.join('data', req.file.originalname), req.file.buffer) // ← here
})`,
    ],
    good: [
      `const fs = require('fs'), crypto = require('crypto')
app.post('/avatar', (req, res) => fs.rename(req.file.path, 'public/' + crypto.randomUUID() + '.png', () => res.end()))`,
      `const fs = require('fs'), path = require('path')
app.post('/avatar', (req, res) => fs.writeFileSync(path.join('data', path.basename(req.file.originalname)), req.file.buffer))`,
      `app.post('/avatar', (req, res) => res.json({ name: req.file.originalname }))`,
    ],
  },
]
