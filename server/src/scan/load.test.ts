import { Worker } from 'node:worker_threads'
import { readRuleExamples } from '@cowrie/testkit/analysis/rule-examples.ts'
import { expect, test } from 'vitest'
import { scan } from './scan.ts'

/** Stops by itself, so that a failed test cannot leave it running. */
const BUSY = `
const { workerData } = require('node:worker_threads')
const end = Date.now() + 60_000
while (Atomics.load(workerData, 0) === 0 && Date.now() < end);
`
const THREADS = 2

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const workers = Array.from({ length: THREADS }, () => new Worker(BUSY, { eval: true, workerData: stop }))
  try {
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))))
    return await work()
  } finally {
    Atomics.store(stop, 0, 1)
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** Exceeds its step budget, because each pass of a loop makes a larger value. The report then depends on where the analysis stops. */
const ENDLESS = `const { exec } = require('child_process')
let last
${'for (const each of list) {\n'.repeat(60)}last = [exec(each + process.argv[2]), last]
${'}\n'.repeat(60)}`

test('a scan reports the same on a quiet and on a busy machine', { timeout: 120_000 }, async () => {
  const examples = readRuleExamples().filter((_, index) => index % 40 === 0)
  const files = examples.flatMap(({ name, files: own }) =>
    own.map(({ path, content }) => ({ path: `${name}/${path}`, content })),
  )
  const project = [...files, { path: 'src/endless.js', content: ENDLESS }]
  const limits = { timeoutMs: 100_000 }
  const quiet = await scan(project, limits)
  const busy = await whileBusy(() => scan(project, limits))
  expect(quiet.findings.length).toBeGreaterThan(5)
  expect(quiet.skipped.map(({ path }) => path)).toContain('src/endless.js')
  expect(JSON.stringify(busy)).toBe(JSON.stringify(quiet))
})
