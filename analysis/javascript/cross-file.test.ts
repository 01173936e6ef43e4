import { describe, expect, test } from 'vitest'
import { scanFiles } from '../engine/scan-files.ts'
import { javascript } from './javascript.ts'

const HELPER = `const { exec } = require('child_process')
exports.read = function (name, done) { exec('getconf ' + name, done) }`

async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { findings } = await scanFiles(all, [javascript], [], {})
  return findings.map(({ ruleId, path, line }) => `${ruleId} ${path}:${line}`)
}

describe('a function of another file', () => {
  test('without callers has tainted parameters', async () => {
    expect(await found({ 'lib/helper.js': HELPER })).toEqual(['JS-CMD-01 lib/helper.js:2'])
  })

  test('called with constants gets those constants', async () => {
    const entry = `const helper = require('./lib/helper')\nmodule.exports = (done) => helper.read('PAGESIZE', done)`
    expect(await found({ 'index.js': entry, 'lib/helper.js': HELPER })).toEqual([])
  })

  test('called with a parameter gets that taint', async () => {
    const entry = `const helper = require('./lib/helper')\nmodule.exports = (name, done) => helper.read(name, done)`
    expect(await found({ 'index.js': entry, 'lib/helper.js': HELPER })).toEqual(['JS-CMD-01 lib/helper.js:2'])
  })

  test('that writes by a path of its callers is still reported', async () => {
    const helper = `exports.set = function (target, path, value) {
  let node = target
  for (const name of path.slice(0, -1)) node = node[name]
  node[path[path.length - 1]] = value
}`
    const entry = `const { set } = require('./lib/set')\nmodule.exports = (text) => set({}, text.split('.'), true)`
    expect(await found({ 'index.js': entry, 'lib/set.js': helper })).toEqual(['JS-PROTO-01 lib/set.js:4'])
  })

  test('called only by a command of the package keeps tainted parameters', async () => {
    const command = `require('../lib/helper').read('PAGESIZE', console.log)`
    expect(await found({ 'bin/run.js': command, 'lib/helper.js': HELPER })).toEqual([
      'JS-CMD-01 lib/helper.js:2',
    ])
  })
})
