// Random answers, and mutations that may happen to them.

import type { Finish } from '@cowrie/server/src/agent/edits/envelope.ts'
import { mark } from '@cowrie/server/src/agent/prompt/markers.ts'
import type { FileBlock } from '@cowrie/workspace/edits/file-block.ts'

export type RandomSource = () => number
export const below = (random: RandomSource, most: number): number => Math.floor(random() * most)
export const pick = <T>(random: RandomSource, list: readonly [T, ...T[]]): T =>
  list[below(random, list.length)] ?? list[0]

export const NONCE = '7f3a9c12'

/** `block` is the block of the line; -1 for lines of the plan and the summary. */
export type AnswerLine = { text: string; block: number; isMark: boolean }

/** `damagedBlocks` may be read differently than they were written. */
export type MutableAnswer = {
  lines: AnswerLine[]
  blocks: FileBlock[]
  damagedBlocks: Set<number>
  finish: Finish
  text: (lines: AnswerLine[]) => string
}

export function randomAnswer(random: RandomSource): MutableAnswer {
  const blocks = Array.from({ length: 2 + below(random, 4) }, (_, at) => randomBlock(random, at))
  const prose = (words: string, text: string): AnswerLine[] => [
    { text: mark(NONCE, words), block: -1, isMark: true },
    { text, block: -1, isMark: false },
  ]
  const lines = [
    ...prose('PLAN', '1. Change some files.'),
    ...blocks.flatMap((block, at) => linesOf(block).map((line) => ({ ...line, block: at }))),
    ...prose('SUMMARY', 'All done.'),
  ]
  return {
    lines,
    blocks,
    damagedBlocks: new Set(),
    finish: 'stop',
    text: (all) => all.map(({ text }) => text).join('\n'),
  }
}

const WORDS = [
  'total',
  'return x',
  '[[1, 2], [3]]',
  'if (a < b) {',
  '}',
  "'it’s'",
  '$& $1',
  '# note',
  '<<< x',
  '',
] as const

function randomBlock(random: RandomSource, at: number): FileBlock {
  const text = () =>
    Array.from({ length: 1 + below(random, 5) }, (_, i) => `${pick(random, WORDS)} ${at}.${i}`.trim()).join(
      '\n',
    )
  const path = `src/file${at}.txt`
  const kind = below(random, 5)
  if (kind === 0) return { path, action: 'delete', why: 'so', change: { kind: 'none' } }
  if (kind < 3)
    return {
      path,
      action: 'create',
      why: 'so',
      change: { kind: 'body', body: `${text()}\n`, isGuess: false },
    }
  const hunks = Array.from({ length: 1 + below(random, 2) }, () => ({ find: text(), with: text() }))
  return { path, action: 'update', why: 'so', change: { kind: 'hunks', hunks } }
}

function linesOf({ path, action, why, change }: FileBlock): Omit<AnswerLine, 'block'>[] {
  const marked = (words: string) => ({ text: mark(NONCE, words), isMark: true })
  const plain = (text: string) => text.split('\n').map((line) => ({ text: line, isMark: false }))
  const head = [marked(`FILE ${action} ${path}`), ...plain(`why: ${why}`)]
  if (change.kind === 'none') return head
  if (change.kind === 'body')
    return [...head, marked('BODY'), ...plain(change.body.slice(0, -1)), marked('END')]
  const hunks = change.hunks.flatMap((hunk) => [
    marked('FIND'),
    ...plain(hunk.find),
    marked('WITH'),
    ...plain(hunk.with),
    marked('END'),
  ])
  return [...head, ...hunks]
}

export type Mutation = (answer: MutableAnswer, random: RandomSource) => void

const damageAround = (answer: MutableAnswer, at: number): void => {
  for (const near of [at - 1, at]) answer.damagedBlocks.add(answer.lines[near]?.block ?? -1)
}

export const mutations: readonly [Mutation, ...Mutation[]] = [
  // Truncates the answer.
  (answer, random) => {
    const at = below(random, answer.lines.length)
    const line = answer.lines[at]
    for (const { block } of answer.lines.slice(at)) answer.damagedBlocks.add(block)
    answer.lines = answer.lines.slice(0, at + 1)
    if (line) answer.lines[at] = { ...line, text: line.text.slice(0, below(random, line.text.length)) }
    answer.finish = pick(random, ['length', 'stopped'])
  },
  // Repeats a mark.
  (answer, random) => {
    const marks = answer.lines.flatMap(({ isMark }, at) => (isMark ? [at] : []))
    const at = marks[below(random, marks.length)] ?? 0
    const line = answer.lines[at]
    if (line) answer.lines.splice(at, 0, line)
  },
  // Writes a mark with other brackets.
  (answer, random) => {
    const draw = pick(random, [
      (words: string) => `[${words}]`,
      (words: string) => `<<${words}>>`,
      (words: string) => `{{ ${words} }}`,
      (words: string) => `**[[${words}]]**`,
      (words: string) => `## [[${words}]`,
      (words: string) => `[[${words.toLowerCase()}]]  `,
    ])
    const share = random()
    answer.lines = answer.lines.map((line) =>
      line.isMark && random() < share ? { ...line, text: draw(line.text.slice(2, -2)) } : line,
    )
  },
  // Wraps the answer in a fence.
  (answer) => {
    const fence = { block: -1, isMark: false }
    answer.lines = [{ ...fence, text: '```' }, ...answer.lines, { ...fence, text: '```' }]
  },
  // Uses Windows line ends.
  (answer) => {
    answer.text = (lines) => lines.map(({ text }) => text).join('\r\n')
  },
  // Puts prose between two files.
  (answer, random) => {
    const ends = answer.lines.flatMap(({ block }, at) =>
      block >= 0 && answer.lines[at + 1]?.block !== block ? [at] : [],
    )
    const at = ends[below(random, ends.length)] ?? 0
    const isDelete = answer.blocks[answer.lines[at]?.block ?? -1]?.action === 'delete'
    const text = pick(random, ['Now the next file:', '', '```', 'I think that is all.'])
    if (!isDelete) answer.lines.splice(at + 1, 0, { text, block: -1, isMark: false })
  },
  // A mark is lost.
  (answer, random) => {
    const at = answer.lines.findIndex(({ isMark }, i) => isMark && i >= below(random, answer.lines.length))
    if (at < 0) return
    damageAround(answer, at)
    answer.lines.splice(at, 1)
  },
  // Noise gets into a file.
  (answer, random) => {
    const at = below(random, answer.lines.length)
    damageAround(answer, at)
    const noise = pick(random, [
      '[[END]]',
      '[[00000000 FILE delete x]]',
      '\u0000\u202e',
      '```',
      `[[${NONCE} FILE`,
      `[[${NONCE} WHAT]]`,
    ])
    answer.lines.splice(at, 0, { text: noise, block: -1, isMark: false })
  },
  // Uses a path outside the workspace.
  (answer, random) => {
    const at = answer.lines.findIndex(({ text, isMark }) => isMark && text.includes('src/file'))
    const line = answer.lines[at]
    const path = pick(random, [
      '../x',
      '/etc/passwd',
      '.git/hooks/a',
      'C:\\x',
      '~/x',
      'a/%2e%2e/b',
      '.env',
      'src//x',
      '\uff0e\uff0e/x',
    ])
    if (!line) return
    damageAround(answer, at)
    answer.lines[at] = { ...line, text: line.text.replace(/src\/file\d+\.txt/, path) }
  },
]
