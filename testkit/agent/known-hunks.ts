// Hunks on the files of this repository with a known result, deterministic for a seed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded } from '../harness/seeded.ts'
import type { RandomSource } from './mutations.ts'
import type { KnownHunk } from './perturbations.ts'

/** The source files of the server. */
export function repositoryFiles(): { path: string; text: string }[] {
  const folder = join(import.meta.dirname, '../../server/src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
    .filter(({ text }) => text.split('\n').length > 30)
}

export function knownHunks(
  files: readonly { path: string; text: string }[],
  count: number,
  seed: number,
): KnownHunk[] {
  const random = seeded(seed)
  const hunks: KnownHunk[] = []
  for (let tries = 0; hunks.length < count && tries < count * 20; tries++) {
    const file = files[Math.floor(random() * files.length)]
    const hunk = file && hunkIn(file, random)
    if (hunk) hunks.push(hunk)
  }
  return hunks
}

const below = (random: RandomSource, most: number): number => Math.floor(random() * most)

function hunkIn({ path, text }: { path: string; text: string }, random: RandomSource): KnownHunk | undefined {
  const lines = text.split('\n')
  const length = 5 + below(random, 10)
  const start = below(random, lines.length - length)
  const find = lines.slice(start, start + length)
  if (find[0]?.trim() === '' || find.at(-1)?.trim() === '' || !isOnce(text, find)) return undefined
  const at = 1 + below(random, length - 3)
  const change = CHANGES[below(random, CHANGES.length)]
  const after = change?.(find, at, lines, random)
  return after && textIn(after) !== textIn(find) ? { path, text, start, find, with: after } : undefined
}

/** Without blank lines, because a hunk that only adds one is not a relevant change. */
const textIn = (lines: readonly string[]): string => lines.filter((line) => line.trim() !== '').join('\n')

const isOnce = (text: string, find: readonly string[]): boolean =>
  `\n${text}\n`.split(`\n${find.join('\n')}\n`).length === 2

type ChangeLines = (find: string[], at: number, lines: string[], random: RandomSource) => string[]

const CHANGES: readonly ChangeLines[] = [
  // Renames an identifier.
  (find, at) =>
    find.map((line, i) => (i === at ? line.replace(/[a-z]{3,}/i, (word) => `${word}Next`) : line)),
  // Copies code from elsewhere in the file, at the depth of its new neighbour. Comments and blank lines are excluded:
  // a copy beside a skipped line would be ambiguous.
  (find, at, lines, random) => {
    const from = below(random, lines.length)
    const added = lines
      .slice(from, from + 1 + below(random, 3))
      .filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line))
      .map((line) => line.replace(/^ */, indentOf(find[at])))
    return [...find.slice(0, at), ...added, ...find.slice(at)]
  },
  // Removes lines.
  (find, at, _, random) => find.filter((__, i) => i < at || i > at + below(random, 2)),
  // Wraps some lines in a condition.
  (find, at, _, random) => {
    const inner = find.slice(at, at + 1 + below(random, 2))
    const indent = indentOf(inner[0])
    const wrapped = inner.map((line) => (line === '' ? '' : `  ${line}`))
    return [
      ...find.slice(0, at),
      `${indent}if (isReady) {`,
      ...wrapped,
      `${indent}}`,
      ...find.slice(at + inner.length),
    ]
  },
]

const indentOf = (line = ''): string => /^ */.exec(line)?.[0] ?? ''
