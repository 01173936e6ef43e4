import { expect, test } from 'vitest'
import { batchesOf, scan } from './scan.ts'

const BAD = `const { exec } = require('child_process')
const app = require('express')()
app.get('/a', (req, res) => {
  const name = req.query.name
  exec('ls ' + name)
})
`

test('a scan covers all languages and secrets', async () => {
  const key = `sk_live_${'3f9c0a7be1d2'.repeat(4).slice(0, 40)}`
  const files = [
    { path: 'src/a.js', content: BAD },
    { path: 'notes.txt', content: `key = ${key}` },
    {
      path: 'src/b.py',
      content: 'import os\nfrom flask import request\n\ndef f():\n    os.system(request.args["x"])\n',
    },
  ]
  const { findings, files: count } = await scan(files, { timeoutMs: 30_000 })
  expect(count).toBe(3)
  expect(findings.map(({ path, line, cwe }) => [path, line, cwe])).toEqual([
    ['notes.txt', 1, 798],
    ['src/a.js', 5, 78],
    ['src/b.py', 5, 78],
  ])
  expect(JSON.stringify(findings)).not.toContain(key)
})

test('with changed lines, only findings that involve them are reported; the rest is counted', async () => {
  const files = [{ path: 'src/a.js', content: `${BAD}${BAD.replace("'/a'", "'/b'")}` }]
  const changedAt = (line: number) =>
    scan(files, { timeoutMs: 30_000, changed: new Map([['src/a.js', new Set([line])]]) })
  expect(await changedAt(5)).toMatchObject({ findings: [{ line: 5 }], preexisting: 1 })
  expect(await changedAt(4), 'a step of the flow').toMatchObject({ findings: [{ line: 5 }], preexisting: 1 })
  expect(await changedAt(1)).toMatchObject({ findings: [], preexisting: 2 })
})

test('an aborted scan rejects, and a scan without time skips its files', async () => {
  const files = [{ path: 'src/a.js', content: BAD }]
  await expect(scan(files, { timeoutMs: 30_000, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await scan(files, { timeoutMs: 0 })).toMatchObject({
    skipped: [{ path: 'src/a.js', reason: 'too_slow' }],
  })
})

test('batches contain one language and have a limited size', () => {
  const files = Array.from({ length: 900 }, (_, index) => ({
    path: `src/${index}.${index % 3 ? 'js' : 'py'}`,
    content: 'x'.repeat(5_000),
  }))
  const batches = batchesOf(files)
  expect(batches.flat()).toHaveLength(900)
  for (const batch of batches) {
    expect(new Set(batch.map(({ path }) => path.split('.')[1])).size).toBe(1)
    expect(batch.length).toBeLessThanOrEqual(400)
  }
})
