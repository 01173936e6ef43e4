// `npm run soak`: runs the long tests that `npm test` skips. Prints the list, runs it, and ends with a summary and exit code.
//   --list          prints the list and ends
//   --only <name>   runs only this entry; may be repeated
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosenFrom, filesByEntry, listOf, SOAK } from '../server/test/soak-list.ts'
import { buildStale } from './build.mjs'
import { childEnvironment, fail, npmCommand, ROOT } from './install.mjs'
import { ensureTools } from './tools.mjs'

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const entries = chosen(values.only)
process.stdout.write(`${listOf(entries)}\n`)
if (!values.list) {
  buildStale()
  ensureTools()
  const results = [...runFiles(entries.filter(({ campaign }) => !campaign)), ...runCampaigns(entries)]
  const failed = results.filter(({ isGood }) => !isGood)
  const lines = results.map(
    ({ name, isGood, seconds, detail }) =>
      `${isGood ? 'passed' : 'FAILED'}  ${name}, ${Math.round(seconds)} s${detail ? `: ${detail}` : ''}`,
  )
  process.stdout.write(`\n— soak —\n${lines.join('\n')}\n`)
  process.stdout.write(`${results.length - failed.length} passed, ${failed.length} failed\n`)
  process.exitCode = failed.length > 0 || results.length === 0 ? 1 : 0
}

function chosen(names) {
  try {
    return chosenFrom(SOAK, names)
  } catch (error) {
    return fail(error.message)
  }
}

/** All test files in one run, on one database. */
function runFiles(entries) {
  if (entries.length === 0) return []
  const filesOf = filesByEntry()
  const scratch = mkdtempSync(join(tmpdir(), 'cowrie-soak-'))
  const report = join(scratch, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const files = entries.flatMap(({ name }) => filesOf.get(name))
  run(join(ROOT, 'node_modules', '.bin', 'vitest'), ['run', ...reporters, ...files])
  const byFile = new Map(readReport(report).map((result) => [result.name, result]))
  rmSync(scratch, { recursive: true, force: true })
  return entries.map(({ name }) => {
    const results = filesOf.get(name).map((file) => ({ file, result: byFile.get(join(ROOT, file)) }))
    const absent = results.filter(({ result }) => !result).map(({ file }) => file)
    if (absent.length > 0)
      return { name, isGood: false, seconds: 0, detail: `did not run: ${absent.join(', ')}` }
    const tests = results.flatMap(({ result }) => result.assertionResults)
    const passed = tests.filter(({ status }) => status === 'passed').length
    return {
      name,
      isGood:
        results.every(({ result }) => result.status === 'passed') && passed === tests.length && passed > 0,
      seconds: results.reduce((sum, { result }) => sum + result.endTime - result.startTime, 0) / 1_000,
      detail: `${passed} of ${tests.length} tests`,
    }
  })
}

function runCampaigns(all) {
  return all
    .filter(({ campaign }) => campaign)
    .map(({ name, campaign }) => {
      process.stdout.write(`\n— ${name} —\n`)
      const [command, ...prefix] = npmCommand()
      const startedMs = performance.now()
      const status = run(command, [...prefix, 'run', ...campaign])
      const detail = status === 0 ? '' : `npm run ${campaign.join(' ')} ended with ${status}`
      return { name, isGood: status === 0, seconds: (performance.now() - startedMs) / 1_000, detail }
    })
}

function run(command, args) {
  const { status, signal } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...childEnvironment(), SOAK: '1' },
  })
  return status ?? signal
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch (error) {
    process.stderr.write(`vitest wrote no report (${error.message}); see the first error above.\n`)
    return []
  }
}
