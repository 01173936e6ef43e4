// A unified diff as git and others write it: files with their hunks.
import { type Hunks, InvalidPatch, parseHunks } from './hunks.ts'

export type DiffFile = {
  readonly path: string
  /** A new file is shown whole; of a changed one only what is around the changes. */
  readonly isNew: boolean
  readonly hunks: Hunks
}

type TextlessFile = { readonly path: string; readonly reason: 'binary' | 'deleted' | 'renamed' | 'no_lines' }

export type Diff = {
  readonly files: readonly DiffFile[]
  /** Named by the diff but without text in it: binary, deleted, renamed without a change, empty or with another mode. */
  readonly without: readonly TextlessFile[]
}

const FILES_MAX = 2_000
const PATH_MAX = 1_000

/** Throws `PatchUnreadable` for what is no diff. */
export function parseDiff(text: string): Diff {
  const lines = text.split('\n')
  const files: DiffFile[] = []
  const without: TextlessFile[] = []
  // What a section of git says before its first hunk; it stays where the section has none.
  let section: TextlessFile | null = null
  const endSection = () => {
    if (section) without.push(section)
    section = null
  }
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    if (line.startsWith('diff --git ')) {
      endSection()
      section = { path: pathOfGitLine(line), reason: 'no_lines' }
    }
    section = section && withHeader(section, line)
    const binary = /^Binary files (.+) differ\r?$/.exec(line)
    if (binary && !section) without.push({ path: pathOfBinary(binary[1] ?? ''), reason: 'binary' })
    if (!line.startsWith('--- ') || !lines[at + 1]?.startsWith('+++ ')) {
      if (line.startsWith('@@ ')) throw new InvalidPatch(`a hunk without a file at line ${at + 1}`)
      at++
      continue
    }
    const [older, newer] = [pathOf(line), pathOf(lines[at + 1] ?? '')]
    const { hunks, next } = parseHunks(lines, at + 2)
    at = next
    section = null
    if (newer === null) without.push({ path: older ?? '', reason: 'deleted' })
    else files.push({ path: newer, isNew: older === null, hunks })
    if (files.length + without.length > FILES_MAX)
      throw new InvalidPatch(`a diff has at most ${FILES_MAX} files`)
  }
  endSection()
  if (files.length + without.length === 0) throw new InvalidPatch('there is no changed file in it')
  return { files, without }
}

/** What a line before the first hunk says about the whole file. */
function withHeader(section: TextlessFile, line: string): TextlessFile {
  if (line.startsWith('rename to '))
    return { path: readPath(line.slice('rename to '.length)), reason: 'renamed' }
  if (line.startsWith('deleted file mode ')) return { ...section, reason: 'deleted' }
  return /^(Binary files .* differ|GIT binary patch)\r?$/.test(line)
    ? { ...section, reason: 'binary' }
    : section
}

/** Null for the side on which there is no file. */
function pathOf(line: string): string | null {
  // What follows a tab is a time.
  const name = unquote(line.slice(4).replace(/\r$/, '').split('\t')[0] ?? '')
  if (name === '/dev/null') return null
  const path = name.replace(/^[abciow]\//, '')
  if (path === '' || path.length > PATH_MAX) throw new InvalidPatch('a file has no usable name')
  return path
}

/** The new name. Both sides are the same but for renames, which name theirs in lines of their own. */
function pathOfGitLine(line: string): string {
  const [, path = ''] = /(?:^| )("b\/(?:[^"\\]|\\.)*"|b\/.*)$/.exec(line.replace(/\r$/, '')) ?? []
  return readPath(path).replace(/^b\//, '')
}

/** `old/a.png and new/a.png`, as tools other than git write it. */
const pathOfBinary = (both: string): string =>
  readPath(both.split(' and ').at(-1) ?? both).replace(/^[abciow]\//, '')

const readPath = (text: string): string => unquote(text.replace(/\r$/, '')).slice(0, PATH_MAX)

/** Git puts names with unusual characters into quotes, byte by byte. */
function unquote(name: string): string {
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
