// The tool `search` on the files of this computer.
import { setImmediate } from 'node:timers/promises'
import { createFileReader } from '@cowrie/workspace/search/file-reader.ts'
import {
  definitionPattern,
  type MatchLimiter,
  type ScanOutput,
  type ScanQuery,
  scan,
} from '@cowrie/workspace/search/scan.ts'
import {
  LIMIT_DEFAULT,
  MATCHES_PER_FILE,
  readRegex,
  type SelectedPaths,
  selectPaths,
  showMatches,
} from '@cowrie/workspace/search/search-lines.ts'
import { cutLine, showCount, showPath, toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { fail, succeed } from '@cowrie/workspace/tools/tool-result.ts'
import type { SearchInput, ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import type { LocalFiles } from './local-files.ts'
import { type LocalMask, SECRET_FORMATS } from './local-mask.ts'
import { createMatchLimiter, SearchTimeout } from './match-limiter.ts'

export type SearchContext = {
  readonly files: LocalFiles
  readonly mask: LocalMask
  readonly isDataSaver: boolean
  /** Searches the index of the organisation. Empty without a match. */
  readonly meaning: ((query: string) => Promise<string>) | undefined
  /** For all regular expressions of one call. Default: 2 s. */
  readonly matchMs?: number
}

const LIMIT_SAVING = 20
const MATCH_MS = 2_000
const SLICE_MS = 16
const FILES_MAX = 60
const LINE_CHARACTERS_MAX = 200
const NAME = /^[\p{L}_$@#][\p{L}\p{N}_$.:#>-]{0,199}$/u

export async function searchLocally(
  context: SearchContext,
  input: SearchInput,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { files, mask, isDataSaver } = context
  const indexed = input.kind === 'meaning' ? await searchIndex(context.meaning, input.query) : undefined
  if (typeof indexed === 'object') return indexed
  const { workspace, notes } = await files.list(input.path ?? '', signal)
  const selected = selectPaths({ workspace, mask }, input)
  if (typeof selected === 'string') return fail(selected)
  if (selected.paths.length === 0)
    return fail(
      selected.withheld > 0
        ? 'All files that match path and glob hold secrets, and are withheld.'
        : 'No file of the workspace matches path and glob.',
    )
  const limit = input.limit ?? (isDataSaver ? LIMIT_SAVING : LIMIT_DEFAULT)
  const run = createRunner(context, selected, signal)
  try {
    const result = await searchKind(run, selected, input, limit, indexed)
    return notes.length === 0 ? result : { ...result, output: [result.output, ...notes].join('\n') }
  } catch (error) {
    if (!(error instanceof SearchTimeout)) throw error
    return fail('The search took too long and was stopped. Use a simpler expression, or a narrower path.')
  }
}

type Run = (query: ScanQuery) => Promise<ScanOutput>

/** `problem`: why the index has no answer. */
function searchKind(
  run: Run,
  selected: SelectedPaths,
  { kind, query }: SearchInput,
  limit: number,
  problem = '',
) {
  if (kind === 'symbol') return searchSymbol(run, query, limit)
  if (kind === 'meaning') return searchWords(run, query, problem)
  return searchLines(run, selected, kind === 'text' ? { kind, text: query } : readRegex(query), limit)
}

async function searchLines(
  run: Run,
  { withheld }: SelectedPaths,
  query: Exclude<ReturnType<typeof readRegex>, string> | string,
  limit: number,
): Promise<ToolResult> {
  if (typeof query === 'string') return fail(query)
  const found = await run({ kind: 'lines', query, limit, perFile: Math.min(limit, MATCHES_PER_FILE) })
  return showMatches(found, withheld)
}

/** Runs scans in slices, so that the terminal stays responsive. */
function createRunner(
  { files, mask, matchMs = MATCH_MS }: SearchContext,
  { paths }: SelectedPaths,
  signal: AbortSignal,
): Run {
  const limitMatch: MatchLimiter = createMatchLimiter(matchMs)
  return async (query) => {
    const input = { folder: files.root, paths, overrides: new Map(), mask: mask.forWorker }
    const work = scan(createFileReader(input, SECRET_FORMATS), query, limitMatch)
    let sliceEndMs = performance.now() + SLICE_MS
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      if (performance.now() < sliceEndMs) continue
      signal.throwIfAborted()
      await setImmediate()
      sliceEndMs = performance.now() + SLICE_MS
    }
  }
}

/** There is no parser here: definitions are recognized by the form of their line. */
async function searchSymbol(run: Run, query: string, limit: number): Promise<ToolResult> {
  const name = query.trim().replace(/\(\)$/, '')
  const last = name.split(/\.|::|#|->/).at(-1) ?? ''
  if (!NAME.test(name) || last === '')
    return fail('A symbol is one name, such as parseBody or Wallet.settle.')
  const { texts, filesLeft } = await run({ kind: 'files', words: [last], isName: true, limit: FILES_MAX })
  const pattern = definitionPattern(last, 'u')
  const found = texts.flatMap(({ path, content }) =>
    content.split('\n').flatMap((text, i) => (pattern.test(text) ? [{ path, line: i + 1, text }] : [])),
  )
  if (found.length === 0) return showUses(run, name, last)
  const rows = found
    .slice(0, limit)
    .map(({ path, line, text }) => `${showPath(path)}:${line}\n  ${line}| ${showLine(text)}`)
  const more = found.length - rows.length
  return succeed(
    [
      `${showCount(found.length, 'possible definition')} of ${last}, found by the form of the line:`,
      ...rows,
      ...(more > 0 ? [`… ${showCount(more, 'more definition')} left out.`] : []),
      ...describeLeft(filesLeft),
    ].join('\n'),
    { isTruncated: more > 0 },
  )
}

const USES_SHOWN = 10

async function showUses(run: Run, name: string, last: string): Promise<ToolResult> {
  const query = { kind: 'text', text: last } as const
  const { files } = await run({ kind: 'lines', query, limit: USES_SHOWN, perFile: 2 })
  if (files.length === 0) return succeed(`No definition of ${name}, and the name does not occur.`)
  const rows = files.flatMap(({ path, matches }) => [
    showPath(path),
    ...matches.map(({ line, text }) => `  ${line}| ${showLine(text)}`),
  ])
  return succeed([`No definition of ${name} was found. The name occurs here:`, ...rows].join('\n'))
}

/** The result, or a sentence about why there is none. */
async function searchIndex(meaning: SearchContext['meaning'], query: string): Promise<ToolResult | string> {
  if (!meaning) return 'This repository has no index.'
  try {
    const found = toPlainText(await meaning(query))
    return found.trim() === '' ? 'The index has no match.' : succeed(found)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The index could not be searched (${toPlainText(reason).slice(0, 300)}).`
  }
}

const COMMON = new Set(
  'the and for how what where which when who does are was with from that this into not'.split(' '),
)
const WORD_FILES_MAX = 12
const WORD_LINES_MAX = 3

/** Without an index: the files with most of the words, and their lines with most of them. */
async function searchWords(run: Run, query: string, problem: string): Promise<ToolResult> {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].filter(
    (word) => !COMMON.has(word),
  )
  const missing = `${problem} No file contains a word of the query. Use kind text, regex or symbol.`
  if (words.length === 0) return fail(missing)
  const { texts, filesLeft } = await run({ kind: 'files', words, isName: false, limit: WORD_FILES_MAX })
  if (texts.length === 0) return fail(missing)
  const blocks = texts.map(({ path, content }) => {
    const lines = content.split('\n').map((text, i) => ({ text, line: i + 1, score: scoreOf(text, words) }))
    const best = lines
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.line - b.line)
      .slice(0, WORD_LINES_MAX)
      .sort((a, b) => a.line - b.line)
    return [showPath(path), ...best.map(({ line, text }) => `  ${line}| ${showLine(text)}`)].join('\n')
  })
  return succeed(
    [
      `${problem} These files have most of the words of the query:`,
      ...blocks,
      ...describeLeft(filesLeft),
    ].join('\n'),
  )
}

function scoreOf(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase()
  return words.reduce((sum, word) => sum + (lower.includes(word) ? word.length : 0), 0)
}

const showLine = (text: string): string => cutLine(toPlainText(text.trim()), LINE_CHARACTERS_MAX)

const describeLeft = (filesLeft: number): string[] =>
  filesLeft > 0 ? [`${showCount(filesLeft, 'file')} not searched because a limit was reached.`] : []
