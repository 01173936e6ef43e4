// Recall on published faults of npm packages: `npm run bench:analysis [tune|first|held|second|third]`. Each line of
// npm-packages.tsv has the half (`tune`; `first`, `held` and `second`: held out until their misses were
// studied; `third`: not studied), the class, the last version before the fix and the files with the fault. With
// `healthy`, it lists the errors and warnings in current versions of popular packages instead (the tuning
// half of healthy-packages.tsv). Packages are downloaded once.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages, textRules } from '@cowrie/analysis/all-rules.ts'
import { scanFiles } from '@cowrie/analysis/engine/scan-files.ts'
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'

type Label = {
  readonly half: string
  readonly fault: string
  readonly name: string
  readonly files: readonly string[]
}

/** The rules that describe each class of faults. */
const RULES: Readonly<Record<string, RegExp>> = {
  path: /^JS-PATH-/,
  command: /^JS-CMD-/,
  prototype: /^JS-PROTO-/,
  redos: /^JS-REDOS-/,
  xss: /^JS-XSS-/,
  redirect: /^JS-REDIR-/,
  sql: /^JS-(?:NO)?SQL-/,
  ssrf: /^JS-SSRF-/,
}

const STORE = join(tmpdir(), 'cowrie-bench-npm')
const OTHER_FILES =
  /(?:^|\/)(?:node_modules|bower_components|dist|build|out|tests?|specs?|examples?|demos?|docs?|bench(?:mark)?s?|vendor|coverage)\//
const LENGTH_MAX = 900_000

const wanted = process.argv[2]
if (wanted === 'healthy') await measureAlarms()
else await measureRecall()

function rowsOf(name: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => line.split('\t'))
}

async function measureRecall(): Promise<void> {
  const labels = rowsOf('npm-packages.tsv')
    .map(
      ([half = '', fault = '', name = '', files = '']): Label => ({
        half,
        fault,
        name,
        files: files.split('|'),
      }),
    )
    .filter(({ half }) => wanted === undefined || half === wanted)
  const results: { readonly fault: string; readonly found: boolean; readonly severe: boolean }[] = []
  for (const { fault, name, files } of labels) {
    const { findings } = await scanFiles(sourcesOf(download(name), files), languages, textRules, {})
    const own = findings.filter(({ ruleId, path }) => RULES[fault]?.test(ruleId) && files.includes(path))
    const severe = own.some(({ severity }) => severity !== 'note')
    results.push({ fault, found: own.length > 0, severe })
    if (own.length === 0) console.log(`missed  ${fault}  ${name}`)
  }
  for (const [fault, own] of Map.groupBy(results, (result) => result.fault)) {
    const count = (is: (result: (typeof results)[number]) => boolean) =>
      `${own.filter(is).length}/${own.length}`
    console.log(
      `${fault.padEnd(10)} found ${count(({ found }) => found)}, as error or warning ${count(({ severe }) => severe)}`,
    )
  }
}

async function measureAlarms(): Promise<void> {
  let [lines, notes, severe] = [0, 0, 0]
  for (const [half, name = ''] of rowsOf('healthy-packages.tsv')) {
    if (half !== 'tune') continue
    const report = await scanFiles(sourcesOf(download(name), 'compiled'), languages, textRules, {})
    lines += report.lines
    for (const { ruleId, severity, path, line, snippet } of report.findings) {
      if (severity === 'note') notes++
      else severe++
      if (severity !== 'note') console.log(`${name}  ${ruleId}  ${path}:${line}  ${snippet.slice(0, 100)}`)
    }
  }
  const rate = ((severe / lines) * 1000).toFixed(4)
  console.log(`${severe} errors and warnings in ${Math.round(lines / 1000)} kLOC: ${rate}; ${notes} notes`)
}

function download(name: string): string {
  const folder = join(STORE, name.replaceAll('/', '+'))
  if (existsSync(folder)) return folder
  mkdirSync(folder, { recursive: true })
  const packed = execFileSync('npm', ['pack', name, '--silent'], { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['xzf', packed, '--strip-components=1'], { cwd: folder })
  return folder
}

/** The code that its authors wrote, and the files with the fault wherever they are, or also compiled code. */
function sourcesOf(folder: string, extra: readonly string[] | 'compiled'): ScannedFile[] {
  const isWanted = (path: string) =>
    !OTHER_FILES.test(extra === 'compiled' ? path.replace(/(?:^|\/)(?:dist|build)\//g, '/') : path)
  return globSync('**/*', { cwd: folder, exclude: (path) => path.endsWith('node_modules') })
    .filter(
      (path) =>
        (extra !== 'compiled' && extra.includes(path)) ||
        (isWanted(path) && /\.(?:[cm]?[jt]sx?|html)$/.test(path)),
    )
    .filter((path) => !/\.min\.|\.d\.[cm]?ts$|[.-](?:test|spec)\./.test(path))
    .filter((path) => {
      const stat = statSync(join(folder, path))
      return stat.isFile() && stat.size <= LENGTH_MAX
    })
    .map((path) => ({ path, content: readFileSync(join(folder, path), 'utf8') }))
}
