// Finds code in a change that could fake a passing test run: ending the process, printing a report, or replacing the
// test runner. It catches careless changes, not determined attackers.

import { listChangedPaths, type WorkspaceFiles } from '../../run/workspace.ts'
import { isTest } from './test-files.ts'

/** Why the tests prove nothing after this change, or null. Only added matches outside of tests count. */
export function findTampering(base: WorkspaceFiles, now: WorkspaceFiles): string | null {
  for (const path of listChangedPaths(base, now)) {
    const after = now.get(path)
    if (after === undefined || isTest(path) || TEXT.test(path)) continue
    const [before, written] = changedPart(base.get(path) ?? '', after)
    for (const { patterns, says } of TAMPERING_PATTERNS) {
      const word = findAddedMatch(patterns, before, written)
      if (word !== null) return `${path} has "${word}" now: ${says}`
    }
  }
  return null
}

const TEXT = /\.(md|markdown|txt|rst|adoc|csv|tsv|json|lock|log|svg|ya?ml|toml)$/i
const SHOWN_CHARACTERS = 60

/** Drops the common beginning and end: most of a large file is unchanged. */
function changedPart(before: string, after: string): [string, string] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  // A match may span several lines, so keep some context.
  const from = Math.max(0, after.lastIndexOf('\n', Math.max(0, start - NEIGHBOURS)))
  const left = Math.max(0, end - NEIGHBOURS)
  return [before.slice(from, before.length - left), after.slice(from, after.length - left)]
}

const NEIGHBOURS = 400

/** The first match that occurs more often than before. */
function findAddedMatch(patterns: readonly RegExp[], before: string, after: string): string | null {
  for (const pattern of patterns) {
    const known = new Map<string, number>()
    for (const [word] of before.matchAll(pattern))
      known.set(collapseBlanks(word), (known.get(collapseBlanks(word)) ?? 0) + 1)
    for (const { 0: word, index } of after.matchAll(pattern)) {
      const left = known.get(collapseBlanks(word)) ?? 0
      if (left === 0) return lineAt(after, index + word.length - 1)
      known.set(collapseBlanks(word), left - 1)
    }
  }
  return null
}

function lineAt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index) + 1
  return (
    text
      .slice(Math.max(start, index - SHOWN_CHARACTERS), index + SHOWN_CHARACTERS)
      .split('\n')[0]
      ?.trim() ?? ''
  )
}

const collapseBlanks = (word: string): string => word.replace(/\s+/g, ' ').trim()

// Exiting with a non-zero number fails the tests, so it is harmless.
const NOT_BADLY = String.raw`(?![ \t]*\([ \t]*[1-9]\d{0,4}[ \t]*\))`
const ENDINGS = [
  new RegExp(
    String.raw`\.[ \t]*\n?[ \t]*(exit|_exit|reallyExit|Exit|halt|abort|quick_exit)\b${NOT_BADLY}\s?(?=\(|;|$|\))`,
    'gm',
  ),
  /\bexitCode\b(?!['"`\]]{0,2}[ \t]*(=|\()[ \t]*[1-9]\d{0,4}[ \t]*([;,)]|$))/gm,
  /(?<![\w$.])process[ \t]*(\?\.)?[ \t]*\[|\b(globalThis|global)\.process\b/g,
  /=[ \t]*process[ \t]*(?=[;,)]|$)/gm,
  /\b(globalThis|global)[ \t]*\[/g,
  /\b(beforeExit|reallyExit|process\.kill|atexit|at_exit|register_shutdown_function|SystemExit|os\.(exec\w*|kill)|raise_signal)\b/g,
  /\.(on|once|addListener)\(['"](beforeExit|uncaughtException|unhandledRejection)['"]|\bprocess\.(on|once)\(['"]exit['"]/g,
  /\bimport\b[^\n;]{0,100}\bexit\b|\bexit\b[^\n;]{0,100}=[ \t]*(require\(['"](node:)?process['"]\)|process\b)/g,
  /(?<![\w.$'"`-])(exit|quit|die|_exit)!?[ \t]*\((?![ \t]*[1-9]\d{0,4}[ \t]*\))/g,
  /(?<=^|[;&|{]|\bthen\b|\bdo\b)[ \t]{0,80}(exit!?([ \t]+0)?|exec[ \t]+true)[ \t]*(?=$|[;}&|]|\bif\b|\bunless\b)/gm,
]
const REPORTS = [
  /ℹ (tests|pass|fail)\b|\bTAP version\b|# (tests|pass|fail) [\d$]|\b(not )?ok [\d$][^\n]{0,20} - |\bRan [^\n]{1,20} tests? in\b/g,
  /\bpassed in [\d$]|\bTests run: |--- (PASS|FAIL): |\bTest Suites?: |\bTest Files {2}|\bpassing \([\d$]|^OK \([\d$]/gm,
]
const HIDING = [
  /(?<![\w.$])eval[ \t]*\(|\bnew[ \t]+Function[ \t]*\(|\bvm\.run\w*|\bprocess\.binding\b|(?<![\w.$])exec[ \t]*\((?=[ \t]*(compile|base64|['"f]))/g,
]
const RUNNERS = [
  /\b(from|import|require)\b[ \t(]*['"](node:test|vitest|@jest\/globals|jest|mocha|chai|bun:test|ava|tap|sinon|@playwright\/test)(\/[^'"\n]{0,80})?['"]/g,
  /^[ \t]*(import|from)[ \t]+(unittest|pytest|_pytest|nose2?)\b/gm,
  /\bassert(\.\w{1,40}){1,3}[ \t]*=(?![=>])|\b(mock\.module|registerHooks|Module\._(load|resolveFilename|extensions)|sys\.modules|unittest\.(TestCase|case)|TestCase\.\w{1,40}[ \t]*=)/g,
]

const TAMPERING_PATTERNS: readonly { readonly patterns: readonly RegExp[]; readonly says: string }[] = [
  {
    patterns: ENDINGS,
    says: 'the change can end the process by itself, so a good end shows nothing. Do without it.',
  },
  {
    patterns: REPORTS,
    says: 'it can be taken for the report of a test runner, so that report shows nothing. Do without it.',
  },
  { patterns: HIDING, says: 'it runs text as code, which cannot be checked. Do without it.' },
  {
    patterns: RUNNERS,
    says: 'the program reaches for what judges it, so the tests show nothing. Do without it.',
  },
]
