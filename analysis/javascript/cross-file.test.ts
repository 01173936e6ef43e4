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
  test('that nobody here calls is given anything', async () => {
    expect(await found({ 'lib/helper.js': HELPER })).toEqual(['JS-CMD-01 lib/helper.js:2'])
  })

  test('that is called with what is known is given that', async () => {
    const entry = `const helper = require('./lib/helper')\nmodule.exports = (done) => helper.read('PAGESIZE', done)`
    expect(await found({ 'index.js': entry, 'lib/helper.js': HELPER })).toEqual([])
  })

  test('that is called with what a caller gives is given that', async () => {
    const entry = `const helper = require('./lib/helper')\nmodule.exports = (name, done) => helper.read(name, done)`
    expect(await found({ 'index.js': entry, 'lib/helper.js': HELPER })).toEqual(['JS-CMD-01 lib/helper.js:2'])
  })

  test('that only a command of the package calls is still for everybody', async () => {
    const command = `require('../lib/helper').read('PAGESIZE', console.log)`
    expect(await found({ 'bin/run.js': command, 'lib/helper.js': HELPER })).toEqual([
      'JS-CMD-01 lib/helper.js:2',
    ])
  })
})
