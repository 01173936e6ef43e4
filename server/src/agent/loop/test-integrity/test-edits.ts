// Judges changes of existing tests. A change that only adds tests leaves the existing ones as they are.
import { extensionOf } from './test-files.ts'

/** Marks that take a test out of the run, or leave only the marked ones in it. */
const SKIPPING = new RegExp(
  [
    String.raw`\b(it|test|describe|suite|context|specify|bench)\.(skip|only|todo|fixme|failing|fails|skipIf|runIf)\b`,
    String.raw`\b(xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\s*\(`,
    String.raw`\b(skip|only|todo)\s*:\s*(true|['"])|\b(this|t|ctx|context)\.(skip|todo|Skip|SkipNow|Skipf)\s*\(`,
    String.raw`pytest\s*\.\s*(mark\s*\.\s*(skip|skipif|xfail)|skip|xfail|importorskip|exit)|\bpytestmark\b`,
    String.raw`\bskipTest\b|@?(unittest\s*\.\s*)?\b(skip|skipIf|skipUnless|expectedFailure|SkipTest)\b\s*(\(|$)`,
    String.raw`\b(collect_ignore|__test__|load_tests|__unittest_skip__)\b`,
    String.raw`\bt\.Skip|\btesting\.Short\(|^\s*//\s*(go:build|\+build)\b|\bfunc\s+TestMain\b`,
    String.raw`#\[\s*(ignore|should_panic|cfg\s*\(\s*(not|any|feature))`,
    String.raw`@(Disabled\w*|Ignore|EnabledIf\w*|EnabledOn\w*|DisabledIf\w*)\b|\bAssum(e|ptions)\.|\bassume(True|False|That|Not)\w*\s*\(`,
    String.raw`\bmarkTest(Skipped|Incomplete)\b|@(requires|group)\b|#\[(Requires|Group|DoesNotPerformAssertions)`,
  ].join('|'),
  'm',
)

/** Whether every line of a test file is still there, and no added line takes tests out of the run. */
export function onlyAddsTests(before: string, after: string): boolean {
  const [had, has] = [countLines(before), countLines(after)]
  const added = [...has].filter(([line, count]) => count > (had.get(line) ?? 0)).map(([line]) => line)
  if (added.some((line) => SKIPPING.test(line))) return false
  const words = new Set(added.flatMap(wordsOf))
  for (const [line, count] of had) {
    if ((has.get(line) ?? 0) >= count || /^[)\]}]*$/.test(line)) continue
    // A new test often needs a further import, which extends a line.
    if (!(IMPORT.test(line) && wordsOf(line).every((word) => words.has(word)))) return false
  }
  return true
}

const IMPORT = /^(import|from|use|using|require|const|let|var|#include|")/
const wordsOf = (line: string): string[] => line.match(/[\w@$./-]+/g) ?? []

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const raw of text.split('\n')) {
    const line = raw
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[,;]+$/, '')
    if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}

/** The tests inside a program file, and the rest of it. */
export type InlineTests = { readonly program: string; readonly tests: string }

/** Rust and Vitest have unit tests at the end of the program file. */
export function splitInlineTests(path: string, text: string): InlineTests {
  const start = INLINE_TESTS[extensionOf(path)]
  const at = start === undefined ? -1 : text.search(start)
  return at === -1 ? { program: text, tests: '' } : { program: text.slice(0, at), tests: text.slice(at) }
}

const IN_SOURCE = /^[ \t]*if[ \t]*\([ \t]*import\.meta\.vitest\b/m
const INLINE_TESTS: Readonly<Record<string, RegExp>> = {
  rs: /^[ \t]*#\[cfg\(test\)\]/m,
  ...{ ts: IN_SOURCE, js: IN_SOURCE, tsx: IN_SOURCE, jsx: IN_SOURCE, mjs: IN_SOURCE, mts: IN_SOURCE },
}

/** Whether tests or tested examples inside a program file were changed, not only extended. */
export function changesInlineTests(path: string, before: string, after: string): boolean {
  const { tests } = splitInlineTests(path, before)
  if (tests !== '' && !onlyAddsTests(tests, splitInlineTests(path, after).tests)) return true
  const examples = new Set(extractExamples(path, after))
  return extractExamples(path, before).some((example) => !examples.has(example))
}

const EXAMPLES_MAX = 500

/** Examples in documentation that doctest and rustdoc run. */
function extractExamples(path: string, text: string): string[] {
  const pattern = EXAMPLES[extensionOf(path)]
  if (pattern === undefined) return []
  return [...text.matchAll(pattern)].slice(0, EXAMPLES_MAX).map(([example]) => example.replace(/\s+/g, ' '))
}

const EXAMPLES: Readonly<Record<string, RegExp>> = {
  // A prompt and all lines up to an empty line or the end of the text.
  // Also functions that pytest runs.
  py: /^[ \t]*(?:async )?def test_\w{1,100}\([^\n]{0,300}(?:\n(?:[ \t][^\n]{0,500})?){0,200}|^[ \t]*>>> (?:(?!\n[ \t]*\n|\n?[ \t]*"""|\n?[ \t]*''')[\s\S]){1,2000}/gm,
  rs: /^[ \t]*\/\/[/!][ \t]*(assert|debug_assert|panic)[^\n]{0,500}/gm,
}
