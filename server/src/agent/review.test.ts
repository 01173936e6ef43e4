// What a run says about the faults that its own change brought.
import { expect, test } from 'vitest'
import { ManualClock } from '../kernel/clock.ts'
import { createLog } from '../platform/log/log.ts'
import type { FileEdit } from './edits/edits.ts'
import { linesBrought, reviewOf } from './review.ts'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"

const logged: string[] = []
const destination = { write: (line: string) => void logged.push(line) }
const app = { log: createLog({ level: 'info', destination, clock: new ManualClock() }) }

const edit = (content: string, action: FileEdit['action'] = 'update'): FileEdit => ({
  path: 'run.js',
  action,
  content,
  description: '',
  baseSha256: null,
})
const review = (edits: FileEdit[], before: Record<string, string> = {}) =>
  reviewOf(app, edits, new Map(Object.entries(before)))

test('a fault that the change brought is told, with its line', async () => {
  expect(await review([edit(BAD, 'create')])).toMatchObject({
    status: 'complete',
    findings: [{ path: 'run.js', line: 3, cwe: 'CWE-78' }],
  })
})

test('there is nothing to say of what was there before, of what was deleted, and of what is well', async () => {
  expect(await review([edit(`${BAD}\n// more\n`)], { 'run.js': BAD })).toBeNull()
  expect(await review([edit('', 'delete')], { 'run.js': BAD })).toBeNull()
  expect(await review([edit('module.exports = 1\n', 'create')])).toBeNull()
})

test('a scan that fails is no failure of the run', async () => {
  const broken = new Proxy(new Map<string, string>(), {
    get: () => {
      throw new Error('out of memory')
    },
  })
  expect(await reviewOf(app, [edit(BAD)], broken)).toEqual({ status: 'unavailable', findings: [] })
  expect(logged.join('')).toContain('could not be reviewed')
})

test('the lines that a change brought are those the old text did not have', () => {
  expect([...linesBrought('a\nb\nc', 'a\nB\nc\nd')]).toEqual([2, 4])
  expect([...linesBrought('', 'a\nb')]).toEqual([1, 2])
  const [older, newer] = ['x', 'y'].map((mark) =>
    ['head', ...Array.from({ length: 3_000 }, (_, index) => `${mark}${index}`), 'tail'].join('\n'),
  )
  expect(linesBrought(older ?? '', newer ?? '').size).toBe(3_000)
  expect([...linesBrought('a\nb\na\nb', 'a\nb\nx\na\nb\na\nb')]).toHaveLength(3)
})
