// Files that nobody wrote by hand or that are not text: looking into them costs much and says nothing.
import type { ScannedFile } from '../finding.ts'
import type { Language } from '../program.ts'

export const FILE_LENGTH_MAX = 400_000
const LINE_MEAN_MAX = 300
/** A short text of few lines is one that somebody typed. */
const SHORT_LENGTH = 3_000
const LINE_LENGTH_MAX = 5_000
const HEAD_LENGTH = 1_000

/** Null: it is looked into. */
export function reasonToSkip({ path, content }: ScannedFile): string | null {
  if (VENDORED.test(path)) return 'vendored'
  if (content.length > FILE_LENGTH_MAX) return 'too_large'
  if (content.includes('\u0000')) return 'binary'
  if (GENERATED.test(content.slice(0, HEAD_LENGTH))) return 'generated'
  return languageOf(path) !== null && isMinified(content) ? 'minified' : null
}

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|dist|build)\/|\.min\.[cm]?js$|(?:^|\/)(?:jquery|bootstrap)[-.\d]*\.js$/
const GENERATED =
  /@generated\b|\bcode generated\b[^\n]{0,80}\bdo not edit\b|\b(?:auto-?generated|automatically generated)\b[^\n]{0,80}\bdo not (?:edit|modify)\b/i

function isMinified(text: string): boolean {
  let [lines, from] = [0, 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    if (at - from > LINE_LENGTH_MAX) return true
    lines += 1
    from = at + 1
  }
  return (
    text.length - from > LINE_LENGTH_MAX ||
    (text.length > SHORT_LENGTH && text.length / (lines + 1) > LINE_MEAN_MAX)
  )
}

const ENDINGS: Readonly<Record<string, Language>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  py: 'python',
  java: 'java',
  go: 'go',
  php: 'php',
}

export function languageOf(path: string): Language | null {
  if (path.endsWith('.d.ts')) return null
  return ENDINGS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** Code that shows or tries something, or runs once on a developer's machine: what is wrong in it harms nobody. */
export const isAside = (path: string): boolean => ASIDE.test(path)

const ASIDE =
  /(?:^|\/)(?:__)?(?:tests?|specs?|testing|fixtures?|examples?|samples?|demos?|docs?|seeds?|seeders|migrations?|bench(?:marks?)?|stories|e2e|mocks?|testdata|test-?utils?)(?:__)?\/|[._-](?:test|spec|stories|bench|fixture|e2e|mock)s?\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py)$|(?:Test|Tests|IT|TestCase)\.(?:java|php)$/i
