// Fenced code with the name of its file above it, or in the line that opens the fence.
import type { Block, BrokenBlock, Finish } from './envelope.ts'
import { asPath } from './file-mark.ts'
import { readConflictMarks } from './loose-change.ts'
import { fenceOf, nameInComment } from './quoted-text.ts'

export type FencedAnswer = { blocks: Block[]; broken: BrokenBlock[]; prose: string }

export function readFencedFiles(lines: readonly string[], finish: Finish): FencedAnswer {
  const answer: FencedAnswer = { blocks: [], broken: [], prose: '' }
  const prose: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = openingOf(line)
    if (!fence) {
      prose.push(line)
      continue
    }
    const close = closeOf(lines, at, fence.marks)
    const body = lines.slice(at + 1, close ?? lines.length)
    const named = nameOf(fence.info, lines, at, body)
    if (named) takeFile(answer, named, close, finish)
    else for (const each of lines.slice(at, (close ?? lines.length) + 1)) prose.push(each)
    at = close ?? lines.length
  }
  // Whoever changed nothing has only shown something.
  return prose.some(saysNoChange)
    ? { blocks: [], broken: [], prose: lines.join('\n') }
    : { ...answer, prose: prose.join('\n') }
}

const saysNoChange = (line: string): boolean => NO_CHANGE.test(line.slice(0, 1_000))

const NO_CHANGE =
  /\b(made|makes?|making|needs?|needed|requires?|required|there (are|were)) no (\w+ )?changes?\b|\bno (\w+ )?changes? (is|are|was|were|has|have)? ?(been )?(made|needed|required|necessary)\b|\b(did not|didn't|have not|haven't|do not|don't) (change|changed|modify|modified|edit|edited)( anything| any| the)?\b|\bnothing (was|is|has been|needs to be) changed?\b/i

type NamedFence = { path: string; body: readonly string[] }

/** The file that fenced code is, by its opening, by the line above it or by a comment that begins it. */
function nameOf(
  info: string,
  lines: readonly string[],
  at: number,
  body: readonly string[],
): NamedFence | undefined {
  const path = pathInInfo(info) ?? pathAbove(lines, at)
  if (path !== undefined) return isOtherLanguage(info, path) ? undefined : { path, body }
  const first = body.findIndex((line) => line.trim() !== '')
  const named = nameInComment(body[first] ?? '')
  if (named === undefined || isOtherLanguage(info, named)) return undefined
  return { path: named, body: body.slice(first + 1) }
}

/** Commands, or what they print, below the name of a file that is no script are an illustration. */
const isOtherLanguage = (info: string, path: string): boolean =>
  /^(sh|bash|zsh|shell|console|terminal|powershell|ps1|bat|cmd|text|txt|output|log|plaintext|plain)\b/i.test(
    info,
  ) && !/\.(sh|bash|zsh|ps1|bat|cmd|txt|log|md|env|conf|cfg|ini)$|(^|\/)[^./]+$/i.test(path)

function openingOf(line: string): { marks: string; info: string } | undefined {
  return /^ {0,3}\S/.test(line) ? fenceOf(line) : undefined
}

/** The next fence of at least the same length that says nothing else. */
function closeOf(lines: readonly string[], open: number, marks: string): number | undefined {
  const isClose = (line: string) => {
    const fence = fenceOf(line)
    return fence?.info === '' && fence.marks.startsWith(marks)
  }
  for (let at = open + 1; at < lines.length; at++) if (isClose(lines[at] ?? '')) return at
  return undefined
}

/** A block with no closing fence is whole only if the model says that it had finished; even then it may not be. */
function takeFile(
  answer: FencedAnswer,
  { path, body }: NamedFence,
  close: number | undefined,
  finish: Finish,
): void {
  if (close === undefined) {
    answer.broken.push({ path, reason: finish === 'stop' ? 'damaged' : 'cut_off' })
    return
  }
  const hunks = readConflictMarks(body)
  answer.blocks.push(
    hunks
      ? { path, action: 'update', why: '', change: { kind: 'hunks', hunks } }
      : {
          path,
          action: 'create',
          why: '',
          change: { kind: 'body', body: body.length === 0 ? '' : `${body.join('\n')}\n`, isGuess: true },
        },
  )
}

/** ```ts src/a.ts · ```src/a.ts · ```ts:src/a.ts · ```ts title="src/a.ts" */
function pathInInfo(info: string): string | undefined {
  const [, titled] = /\b(?:title|file|filename|path)=["']?([^"'\s]+)/.exec(info) ?? []
  const last = info.split(/\s+/).at(-1) ?? ''
  return asPath(titled ?? last.replace(/^\w{1,20}:(?=\S)/, ''))
}

/** The line above, or the one above an empty line, if it is a name and nothing else. */
export function pathAbove(lines: readonly string[], at: number): string | undefined {
  const above = [lines[at - 1], lines[at - 2]].find((line) => line !== undefined && line.trim() !== '') ?? ''
  if (above.length > LINE_CHARS_MAX) return undefined
  const bare = above.trim().replace(/^(#+|[-*]|\d+[.)])\s+/, '')
  const [, named] = /^[*_]*(?:file|path|filename)[*_]*\s*:[*_]*\s*(.+)$/i.exec(bare) ?? []
  return asPath((named ?? bare).replace(/:([*_`]*)$/, '$1'))
}

/** Longer lines are prose. */
const LINE_CHARS_MAX = 1_000
