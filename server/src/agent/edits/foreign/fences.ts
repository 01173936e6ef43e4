// Reads fenced code whose file name is above the fence, on the opening line, or in the first comment.
import type { FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { parsePath, readPathComment } from '@cowrie/workspace/edits/path-comment.ts'
import type { BrokenBlock } from '../envelope.ts'
import { parseFence } from '../reader/fenced-text.ts'
import { readConflictMarks } from '../reader/hunk-notations.ts'
import { saysNoChange } from '../reader/prose-cues.ts'

export type FencedAnswer = { blocks: FileBlock[]; broken: BrokenBlock[]; prose: string }

export function readFencedFiles(lines: readonly string[]): FencedAnswer {
  const answer: FencedAnswer = { blocks: [], broken: [], prose: '' }
  const prose: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = parseOpeningFence(line)
    if (!fence) {
      prose.push(line)
      continue
    }
    const close = findClosingFence(lines, at, fence.marks)
    const body = lines.slice(at + 1, close ?? lines.length)
    const named = nameFence(fence.info, lines, at, body)
    if (named) addFile(answer, named, close !== undefined)
    else for (const each of lines.slice(at, (close ?? lines.length) + 1)) prose.push(each)
    at = close ?? lines.length
  }
  // The model says that it changed nothing, so the code is an illustration.
  return prose.some(saysNoChange)
    ? { blocks: [], broken: [], prose: lines.join('\n') }
    : { ...answer, prose: prose.join('\n') }
}

type NamedFence = { path: string; body: readonly string[] }

/** The file that a fence represents: named by the opening line, the line above, or the first comment. */
function nameFence(
  info: string,
  lines: readonly string[],
  at: number,
  body: readonly string[],
): NamedFence | undefined {
  const path = readInfoPath(info) ?? readPathAbove(lines, at)
  if (path !== undefined) return isOtherLanguage(info, path) ? undefined : { path, body }
  const first = body.findIndex((line) => line.trim() !== '')
  const named = readPathComment(body[first] ?? '')
  if (named === undefined || isOtherLanguage(info, named)) return undefined
  return { path: named, body: body.slice(first + 1) }
}

/** A fence with shell commands or output below a non-script file name is an illustration. */
export const isOtherLanguage = (info: string, path: string): boolean =>
  /^(sh|bash|zsh|shell|console|terminal|powershell|ps1|bat|cmd|text|txt|output|log|plaintext|plain)\b/i.test(
    info,
  ) && !/\.(sh|bash|zsh|ps1|bat|cmd|txt|log|md|env|conf|cfg|ini)$|(^|\/)[^./]+$/i.test(path)

export function parseOpeningFence(line: string): { marks: string; info: string } | undefined {
  return /^ {0,3}\S/.test(line) ? parseFence(line) : undefined
}

/** The matching closing fence: at least as long, without text, and not closing a nested fence. */
export function findClosingFence(lines: readonly string[], open: number, marks: string): number | undefined {
  let depth = 1
  for (let at = open + 1; at < lines.length; at++) {
    const fence = parseFence(lines[at] ?? '')
    if (!fence?.marks.startsWith(marks)) continue
    depth += fence.info === '' ? -1 : 1
    if (depth === 0) return at
  }
  return undefined
}

/** A block without its closing fence is incomplete. */
function addFile(answer: FencedAnswer, { path, body }: NamedFence, isClosed: boolean): void {
  const hunks = readConflictMarks(body)
  if (!isClosed || hunks === 'damaged') {
    answer.broken.push({ path, reason: isClosed ? 'damaged' : 'cut_off' })
    return
  }
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
export function readInfoPath(info: string): string | undefined {
  const [, titled] = /\b(?:title|file|filename|path)=["']?([^"'\s]+)/.exec(info) ?? []
  const last = info.split(/\s+/).at(-1) ?? ''
  return parsePath(titled ?? last.replace(/^\w{1,20}:(?=\S)/, ''))
}

/** The line above, or the one above a blank line, if it is only a file name. */
export function readPathAbove(lines: readonly string[], at: number): string | undefined {
  const above = [lines[at - 1], lines[at - 2]].find((line) => line !== undefined && line.trim() !== '') ?? ''
  if (above.length > LINE_CHARS_MAX) return undefined
  const bare = above.trim().replace(/^(#+|[-*]|\d+[.)])\s+/, '')
  const [, named] = /^[*_]*(?:file|path|filename)[*_]*\s*:[*_]*\s*(.+)$/i.exec(bare) ?? []
  return parsePath((named ?? bare).replace(/:([*_`]*)$/, '$1'))
}

/** Longer lines are prose. */
const LINE_CHARS_MAX = 1_000
