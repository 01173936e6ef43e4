// `npm test`: installs what is missing, then every band: types, lint, and all tests. The last line counts them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale } from './build.mjs'
import { childEnvironment, ensureInstalled, ROOT } from './install.mjs'
import { summaryOf } from './summary.mjs'
import { ensureTools } from './tools.mjs'

ensureInstalled()
buildStale()
ensureTools()

const scratch = mkdtempSync(join(tmpdir(), 'cowrie-report-'))
const report = join(scratch, 'report.json')
const only = process.argv.slice(2)
const bands = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the web app', 'tsc', ['-p', 'web']],
  ['lint', 'biome', ['check', '.']],
  [
    'tests',
    'vitest',
    [
      'run',
      '--reporter=default',
      '--reporter=./server/test/times.ts',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...only,
    ],
  ],
]

const failed = []
const times = []
for (const [name, tool, args] of bands) {
  process.stdout.write(`\n— ${name} —\n`)
  const before = performance.now()
  const { status } = spawnSync(join(ROOT, 'node_modules', '.bin', tool), args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: childEnvironment(),
  })
  times.push(`${name} ${Math.round((performance.now() - before) / 1_000)} s`)
  if (status !== 0) {
    failed.push(name)
    process.stdout.write(`${name} failed\n`)
  }
}

const { isGood, text } = summaryOf(readReport(), failed)
rmSync(scratch, { recursive: true, force: true })
process.stdout.write(`\nTime: ${times.join(', ')}\n${text}\n`)
process.exit(isGood ? 0 : 1)

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return null
  }
}
