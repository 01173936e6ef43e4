// The examples of the analysis rules: source files under analysis/testdata/rules/<area>/<rule id>/. An entry is `bad-1.go`, or a
// folder `bad-2/` where the path matters or several files belong together. A line with the comment `← here` must be reported.
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'

export type RuleExample = {
  readonly rule: string
  /** A language, or `fintech`. */
  readonly area: string
  /** `bad-1`, `good-2`. */
  readonly name: string
  readonly isBad: boolean
  readonly files: readonly ScannedFile[]
}

const RULES = join(import.meta.dirname, '../../analysis/testdata/rules')

export function readRuleExamples(): RuleExample[] {
  return globSync('*/*/*', { cwd: RULES })
    .sort()
    .map((path) => {
      const [area = '', rule = '', entry = ''] = path.split('/')
      const name = entry.replace(/\..*$/, '')
      return { rule, area, name, isBad: name.startsWith('bad-'), files: filesOf(join(RULES, path)) }
    })
}

function filesOf(entry: string): ScannedFile[] {
  if (!statSync(entry).isDirectory())
    return [{ path: `src/example${extname(entry)}`, content: readFileSync(entry, 'utf8') }]
  return readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .map((path) => ({ path: path.slice(entry.length + 1), content: readFileSync(path, 'utf8') }))
}
