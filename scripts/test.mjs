// `npm test`: installs if needed, then checks types and lint and runs all tests. The last line has the counts.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildStale } from './build.mjs'
import { childEnvironment, ensureInstalled, ROOT } from './install.mjs'
import { lintScope } from './lint-scope.mjs'
import { summaryOf } from './summary.mjs'
import { ensureTools } from './tools.mjs'

ensureInstalled()
buildStale()
ensureTools()

const scratch = mkdtempSync(join(tmpdir(), 'cowrie-report-'))
const report = join(scratch, 'report.json')
const only = process.argv.slice(2)
const reporters = ['default', './server/test/time-report.ts', 'json'].map((name) => `--reporter=${name}`)
const failed = []
const times = []

// The checks use the processor while the first tests wait. Each prints its output when it ends.
await Promise.all([
  band('types', 'tsc', ['-p', '.', ...tscOptions('types')], 'pipe'),
  band('types of the web app', 'tsc', ['-p', 'web', ...tscOptions('types-web')], 'pipe'),
  lint(),
  band('tests', 'vitest', ['run', ...reporters, `--outputFile.json=${report}`, ...only], 'inherit'),
])

const { isGood, text: summary } = summaryOf(readReport(), failed)
rmSync(scratch, { recursive: true, force: true })
process.stdout.write(`\nTime: ${times.join(', ')}\n${summary}\n`)
process.exit(isGood ? 0 : 1)

/** tsc options for incremental checks in this checkout. Several checkers would check shared types several times. */
function tscOptions(name) {
  const stored = join(ROOT, 'node_modules', '.cache', `${name}.tsbuildinfo`)
  return ['--checkers', '1', '--incremental', '--tsBuildInfoFile', stored]
}

async function lint() {
  const { paths, pass } = lintScope(ROOT)
  if (paths.length > 0) await band('lint', 'biome', ['check', '--no-errors-on-unmatched', ...paths], 'pipe')
  if (!failed.includes('lint')) pass()
}

async function band(name, tool, args, output) {
  const before = performance.now()
  if (output === 'inherit') process.stdout.write(`\n— ${name} —\n`)
  const child = spawn(join(ROOT, 'node_modules', '.bin', tool), args, {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    // tsc is a Go program. With the default setting, garbage collection takes a third of its time.
    env: { ...childEnvironment(), ...(tool === 'tsc' && { GOGC: '400' }) },
  })
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  const status = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message)).on('close', resolve)
  })
  if (output === 'pipe') process.stdout.write(`\n— ${name} —\n${(await printed).join('')}`)
  times.push(`${name} ${Math.round((performance.now() - before) / 1_000)} s`)
  if (status === 0) return
  failed.push(name)
  process.stdout.write(`${name} failed\n`)
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return null
  }
}
