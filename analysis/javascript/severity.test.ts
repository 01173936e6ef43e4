// Findings that are rarely exploitable are notes. Each case has a counterpart that stays a warning or an error.
import { describe, expect, test } from 'vitest'
import { scanFiles } from '../engine/scan-files.ts'
import { javascript } from './javascript.ts'

async function severities(path: string, content: string): Promise<string[]> {
  const { findings } = await scanFiles([{ path, content }], [javascript], [], {})
  return findings.map(({ ruleId, severity }) => `${ruleId} ${severity}`)
}

describe('a shell command', () => {
  const run = (before: string) =>
    `const { exec } = require('child_process')\nexports.run = (text, done) => exec('${before}' + text, done)`

  test('with an argument of a library function is an error', async () => {
    expect(await severities('lib/show.js', run('git show '))).toEqual(['JS-CMD-01 error'])
  })

  test.for(['cd /tmp && ', 'chcp 65001 | cmd /C ', 'sudo sh -c "'])(
    'that wraps a command of the caller is a note: %s',
    async (before) => {
      expect(await severities('lib/show.js', run(before))).toEqual(['JS-CMD-01 note'])
    },
  )

  test.for(['scripts/show.js', 'bin/show.js', 'gulpfile.js', 'lib/cli/show.js'])(
    'of a tool that the developer starts is a note: %s',
    async (path) => {
      expect(await severities(path, run('git show '))).toEqual(['JS-CMD-01 note'])
    },
  )
})

describe('a file path', () => {
  const serve = (check: string) => `const fs = require('fs'), path = require('path'), http = require('http')
${check}
function send(file, res) { fs.createReadStream(file).pipe(res) }
http.createServer((req, res) => send(path.join('public', req.url), res)).listen(80)`

  test('from a request is an error', async () => {
    expect(await severities('index.js', serve(''))).toEqual(['JS-PATH-01 error'])
  })

  test('is a note if another function of the file checks paths', async () => {
    const check = `function isOutside(file) { return file.includes('..') }`
    expect(await severities('index.js', serve(check))).toEqual(['JS-PATH-01 note'])
  })

  test('stays an error if another function only removes the parent folder from paths', async () => {
    const removal = `function clean(file) { return file.replace('../', '') }`
    expect(await severities('index.js', serve(removal))).toEqual(['JS-PATH-01 error'])
  })
})

describe('a merge into the prototype', () => {
  const merge = (check: string, rest = '') => `function merge(target, source) {
  for (const key in source) {
    ${check}
    if (typeof source[key] === 'object') merge(target[key], source[key])
    else target[key] = source[key]
  }
  return target
}
${rest}`
  const set = (check: string) => `module.exports = function set(object, path, value) {
  const keys = path.split('.')
  for (let i = 0; i < keys.length - 1; i++) {
    const key = keys[i]
    ${check}
    object = object[key] || (object[key] = {})
  }
  object[keys[keys.length - 1]] = value
}`

  test('is a warning', async () => {
    expect(await severities('lib/merge.js', merge('', 'module.exports = merge'))).toEqual([
      'JS-PROTO-01 warn',
    ])
    expect(await severities('lib/set.js', set(''))).toEqual(['JS-PROTO-01 warn'])
  })

  test('is a note in a folder of internal code', async () => {
    expect(await severities('lib/internal/merge.js', merge('', 'module.exports = merge'))).toEqual([
      'JS-PROTO-01 note',
    ])
  })

  test('is a note if only the settings of the developer are merged', async () => {
    const settings = `exports.set = (options) => { merge(state, options) }\nconst state = {}`
    const data = `exports.set = (data) => { merge(state, data) }\nconst state = {}`
    expect(await severities('lib/merge.js', merge('', settings))).toEqual(['JS-PROTO-01 note'])
    expect(await severities('lib/merge.js', merge('', data))).toEqual(['JS-PROTO-01 warn'])
  })

  test('is not reported if the function checks the keys', async () => {
    const check = `if (key === '__proto__' || key === 'constructor') return`
    expect(await severities('lib/set.js', set(check))).toEqual([])
    expect(await severities('lib/merge.js', merge(check, 'module.exports = merge'))).toEqual([])
  })

  test('is a note if another function of a wrapped file checks the keys', async () => {
    const wrapped = `(function (root, factory) { factory(exports) })(this, function (exports) {
${set('').replace('module.exports =', 'exports.set =')}
exports.read = (object, key) => (key === '__proto__' || key === 'constructor' ? undefined : object[key])
})`
    expect(await severities('lib/set.js', wrapped)).toEqual(['JS-PROTO-01 note'])
  })

  test('is a note if the check of a path forgets the constructor', async () => {
    const check = `if (key === '__proto__') return`
    expect(await severities('lib/set.js', set(check))).toEqual(['JS-PROTO-01 note'])
    expect(
      await severities('lib/merge.js', merge(check, 'module.exports = merge')),
      'a merge descends only into keys of both',
    ).toEqual([])
  })

  test('is a note if only another function of the file checks the keys', async () => {
    const other = `module.exports.pick = (source, key) => (key === '__proto__' || key === 'constructor' ? null : source[key])`
    expect(await severities('lib/set.js', `${set('')}\n${other}`)).toEqual(['JS-PROTO-01 note'])
  })
})

describe('a slow pattern', () => {
  const match = (name: string) => `module.exports = (${name}) => /^(a+)+$/.test(${name})`

  test('is a warning for texts, and a note for patterns and settings of the developer', async () => {
    expect(await severities('index.js', match('text'))).toEqual(['JS-REDOS-01 warn'])
    expect(await severities('index.js', match('format'))).toEqual(['JS-REDOS-01 note'])
    expect(
      await severities('src/page.js', 'export const isOwn = () => /^(a+)+$/.test(location.hash)'),
    ).toEqual(['JS-REDOS-01 note'])
  })
})

test('a weak hash of a password is a note where the protocol prescribes it', async () => {
  const hash = `const { createHash } = require('crypto')
exports.hashPassword = (password) => createHash('md5').update(password).digest('hex')`
  expect(await severities('lib/accounts.js', hash)).toEqual(['JS-CRYPTO-01 warn'])
  expect(await severities('lib/auth/scram.js', hash)).toEqual(['JS-CRYPTO-01 note'])
})

describe('an argument of a program', () => {
  const run = (name: string) => `const { spawn } = require('child_process')\n${name} spawn('git', ['log', `

  test('from a request is a warning', async () => {
    expect(await severities('index.js', `${run('exports.log = (req, res) =>')}req.query.branch])`)).toEqual([
      'JS-CMD-02 warn',
    ])
  })

  test('from the caller of a library is a note', async () => {
    expect(await severities('index.js', `${run('exports.log = (branch) =>')}branch])`)).toEqual([
      'JS-CMD-02 note',
    ])
  })
})

describe('HTML of a library', () => {
  const write = (html: string) => `const { marked } = require('marked')
exports.show = (element, options) => { element.innerHTML = ${html} }`

  test('built around a setting is a warning in an entry file and a note elsewhere', async () => {
    const built = write(`'<b>' + options.title + '</b>'`)
    expect(await severities('index.js', built)).toEqual(['JS-XSS-02 warn'])
    expect(await severities('lib/parts/title.js', built)).toEqual(['JS-XSS-02 note'])
  })

  test('rendered from markdown is a note', async () => {
    expect(await severities('index.js', write('marked(options.text)'))).toEqual(['JS-XSS-02 note'])
    expect(await severities('index.js', write('marked(options.text, { sanitize: true })'))).toEqual([])
  })
})
