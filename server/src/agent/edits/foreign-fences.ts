// Fenced code with the name of its file above it, or in the line that opens the fence.
import type { Block, BrokenBlock, Finish } from './envelope.ts'
import { undecorated } from './file-mark.ts'
import { readConflictMarks } from './loose-change.ts'

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
    const path = pathInInfo(fence.info) ?? pathAbove(lines, at)
    if (path !== undefined) takeFile(answer, path, lines.slice(at + 1, close ?? lines.length), close, finish)
    else prose.push(...lines.slice(at, (close ?? lines.length) + 1))
    at = close ?? lines.length
  }
  return { ...answer, prose: prose.join('\n') }
}

function openingOf(line: string): { marks: string; info: string } | undefined {
  const [, marks, info = ''] = /^\s{0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? []
  return marks === undefined ? undefined : { marks, info: info.trim() }
}

/** The next fence of at least the same length that says nothing else. */
function closeOf(lines: readonly string[], open: number, marks: string): number | undefined {
  const isClose = (line: string) => {
    const trimmed = line.trim()
    return trimmed.startsWith(marks) && /^(`+|~+)$/.test(trimmed)
  }
  for (let at = open + 1; at < lines.length; at++) if (isClose(lines[at] ?? '')) return at
  return undefined
}

/** A block with no closing fence is whole only if the model says that it had finished; even then it may not be. */
function takeFile(
  answer: FencedAnswer,
  path: string,
  body: readonly string[],
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
  return asPath(titled ?? last.replace(/^\w+:(?=\S)/, ''))
}

/** The line above, or the one above an empty line, if it is a name and nothing else. */
function pathAbove(lines: readonly string[], at: number): string | undefined {
  const above = [lines[at - 1], lines[at - 2]].find((line) => line !== undefined && line.trim() !== '')
  const bare = (above ?? '').trim().replace(/^(#+|[-*]|\d+[.)])\s+/, '')
  const [, named] = /^[*_]*(?:file|path|filename)[*_]*\s*:[*_]*\s*(.+)$/i.exec(bare) ?? []
  return asPath((named ?? bare).replace(/:([*_`]*)$/, '$1'))
}

/** Something with a folder or an ending, and without blanks. */
function asPath(text: string): string | undefined {
  const path = undecorated(text.replace(/^[*_]+|[*_]+$/g, ''))
  return /^\S+$/.test(path) && /[\w\])](\.\w{1,12}$|\/\S)|^\.\w+$/.test(path) && !path.includes('://')
    ? path
    : undefined
}
