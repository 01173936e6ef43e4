// Shared parts of the readers of test output. Output is untrusted text of up to 1 MiB: every pattern sees one bounded
// line and cannot backtrack without limit. Project paths are already relative.

export type TestFailure = {
  readonly name: string
  readonly message: string
  /** The first project location of the failure, as path:line. */
  readonly frame?: string
}

export type TestCounts = {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly TestFailure[]
}

export type Reporter = {
  readonly name: string
  /** Null: these lines are not from this runner. */
  read(lines: readonly string[]): TestCounts | null
}

const FAILURES_MAX = 50
const SEEN_MAX = 200
const MESSAGE_LINES_MAX = 12
const MESSAGE_CHARACTERS_MAX = 1_000
const NAME_CHARACTERS_MAX = 300

/** Runners often report a test twice; the first report is kept. */
export function dropDuplicates(failures: Iterable<TestFailure>): TestFailure[] {
  const byName = new Map<string, TestFailure>()
  let seen = 0
  for (const failure of failures) {
    if (byName.size === FAILURES_MAX || seen++ === SEEN_MAX) break
    if (!byName.has(failure.name)) byName.set(failure.name, failure)
  }
  return [...byName.values()]
}

/** Builds a failure from the lines below its name. */
export function toTestFailure(name: string, block: readonly string[]): TestFailure {
  const frame = findFrame(block)
  const message = readMessage(block)
  return {
    name: name.trim().slice(0, NAME_CHARACTERS_MAX),
    message,
    ...(frame === undefined ? {} : { frame }),
  }
}

/** The lines after `start` up to the first for which `isEnd` holds, at most `linesMax`. */
export function blockAfter(
  lines: readonly string[],
  start: number,
  isEnd: (line: string) => boolean,
  linesMax = 60,
): string[] {
  const rest = lines.slice(start + 1, start + 1 + linesMax)
  const end = rest.findIndex(isEnd)
  return end === -1 ? rest : rest.slice(0, end)
}

/** The sum of the numbers in the first group of a pattern, or null without a match. */
export function sumMatches(lines: readonly string[], pattern: RegExp): number | null {
  let sum: number | null = null
  for (const line of lines) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) sum = (sum ?? 0) + Number(found)
  }
  return sum
}

/** The number next to a word, as in "1 failed, 2 passed" or "Failures: 1, Errors: 0". */
export const readCount = (line: string, pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? 0)

/** The first project file with a line number. */
export function findFrame(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    if (FOREIGN.test(line)) continue
    const python = /^\s*File "([^"]{1,300})", line (\d{1,7})/.exec(line)
    if (python) return `${python[1]}:${python[2]}`
    for (const word of line.split(/[\s()"'<>,]+/)) {
      const [, path, number] = /^(.{1,300}\.[A-Za-z]\w{0,4}):(\d{1,7})(?::\d{1,7})?:?$/.exec(word) ?? []
      if (path !== undefined) return `${path}:${number}`
    }
  }
  return undefined
}

const FOREIGN =
  /node:|node_modules|\binternal\/|site-packages|dist-packages|"\/usr\/|[ (]\/usr\/|<frozen|\/vendor\/|java\.base|org\.junit|jdk\.internal|sun\.reflect/

/** The message without the stack trace. */
function readMessage(block: readonly string[]): string {
  const kept: string[] = []
  for (const line of block) {
    if (kept.length >= MESSAGE_LINES_MAX || /^\s*(at |❯ |File ")/.test(line)) break
    if (line.trim() !== '') kept.push(line.trim())
  }
  return kept.join('\n').slice(0, MESSAGE_CHARACTERS_MAX)
}
