// A unified diff as git and others write it: files with their hunks.
import { type Hunks, PatchUnreadable, readHunks } from './hunks.ts'

export type DiffedFile = {
  readonly path: string
  /** A new file is shown whole; of a changed one only what is around the changes. */
  readonly isNew: boolean
  readonly hunks: Hunks
}

export type Diff = {
  readonly files: readonly DiffedFile[]
  /** Named by the diff but without text in it: binary, deleted, moved without a change. */
  readonly without: readonly { readonly path: string; readonly reason: 'binary' | 'deleted' }[]
}

const FILES_MAX = 2_000
const PATH_MAX = 1_000

/** Throws `PatchUnreadable` for what is no diff. */
export function readDiff(text: string): Diff {
  const lines = text.split('\n')
  const files: DiffedFile[] = []
  const without: { path: string; reason: 'binary' | 'deleted' }[] = []
  let current = ''
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (line.startsWith('diff --git ')) current = pathOfGitLine(line)
    if (/^(Binary files .* differ|GIT binary patch)\r?$/.test(line) && current)
      without.push({ path: current, reason: 'binary' })
    if (!line.startsWith('--- ') || !lines[at + 1]?.startsWith('+++ ')) {
      if (line.startsWith('@@ ')) throw new PatchUnreadable(`a hunk without a file at line ${at + 1}`)
      at++
      continue
    }
    const [older, newer] = [pathOf(line), pathOf(lines[at + 1] ?? '')]
    const { hunks, next } = readHunks(lines, at + 2)
    at = next
    if (newer === null) without.push({ path: older ?? '', reason: 'deleted' })
    else files.push({ path: newer, isNew: older === null, hunks })
    if (files.length + without.length > FILES_MAX)
      throw new PatchUnreadable(`a diff has at most ${FILES_MAX} files`)
  }
  if (files.length + without.length === 0) throw new PatchUnreadable('there is no changed file in it')
  return { files, without }
}

/** Null for the side on which there is no file. */
function pathOf(line: string): string | null {
  // What follows a tab is a time.
  const named = unquoted(line.slice(4).replace(/\r$/, '').split('\t')[0] ?? '')
  if (named === '/dev/null') return null
  const path = named.replace(/^[abciow]\//, '')
  if (path === '' || path.length > PATH_MAX) throw new PatchUnreadable('a file has no usable name')
  return path
}

function pathOfGitLine(line: string): string {
  const [, path = ''] = / b\/(.*)$/.exec(line.replace(/"?\r?$/, '')) ?? []
  return path.slice(0, PATH_MAX)
}

/** Git puts names with unusual characters into quotes, byte by byte. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name
  const bytes: Buffer[] = []
  const parts = name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)
  for (const [, octal, escaped, plain] of parts) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]))
    else bytes.push(Buffer.from(plain ?? SIMPLE[escaped ?? ''] ?? escaped ?? ''))
  }
  return Buffer.concat(bytes).toString('utf8')
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
