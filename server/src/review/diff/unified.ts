// Parses a unified diff of git or another tool into files with hunks.
import { type Hunks, InvalidPatch, parseHunks } from './hunks.ts'

export type DiffFile = {
  readonly path: string
  /** A diff shows new files completely, and changed files only around the changes. */
  readonly isNew: boolean
  readonly hunks: Hunks
}

type TextlessFile = { readonly path: string; readonly reason: TextlessReason }
type TextlessReason = 'binary' | 'deleted' | 'renamed' | 'no_lines' | 'merge_diff'

export type Diff = {
  readonly files: readonly DiffFile[]
  /** Files without text in the diff: binary, deleted, renamed without a change, empty or with another mode. */
  readonly withoutText: readonly TextlessFile[]
}

const FILES_MAX = 2_000
const PATH_MAX = 1_000

/** Throws `InvalidPatch` if the text is not a diff. */
export function parseDiff(text: string): Diff {
  const lines = text.split('\n')
  const files: DiffFile[] = []
  const withoutText: TextlessFile[] = []
  // The header of the current git section. It is reported if the section has no hunks.
  let section: TextlessFile | null = null
  const endSection = () => {
    if (section) withoutText.push(section)
    section = null
  }
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const merged = /^diff --(?:cc|combined) (.+)$/.exec(line)
    if (merged) {
      endSection()
      section = { path: readPath(merged[1] ?? ''), reason: 'merge_diff' }
    }
    if (line.startsWith('diff --git ')) {
      endSection()
      section = { path: pathOfGitLine(line), reason: 'no_lines' }
    }
    section = section && withHeader(section, line)
    const binary = /^Binary files (.+) differ\r?$/.exec(line)
    if (binary && !section) withoutText.push({ path: pathOfBinary(binary[1] ?? ''), reason: 'binary' })
    if (!line.startsWith('--- ') || !lines[at + 1]?.startsWith('+++ ')) {
      if (line.startsWith('@@ ')) throw new InvalidPatch(`line ${at + 1} has a hunk without a file`)
      at++
      continue
    }
    const [older, newer] = [pathOf(line), pathOf(lines[at + 1] ?? '')]
    const { hunks, next } = parseHunks(lines, at + 2)
    at = next
    if (lines[at]?.startsWith('+')) throw new InvalidPatch('a hunk has more lines than its header states')
    // Hunks of a merge compare with several parents. Their lines are not read.
    const isMerge: boolean = section?.reason === 'merge_diff' || /^@@@+ /.test(lines[at] ?? '')
    section = null
    if (isMerge) withoutText.push({ path: newer ?? older ?? '', reason: 'merge_diff' })
    else if (newer !== null && hunks.shown.size + hunks.added.size === 0)
      withoutText.push({ path: newer, reason: 'no_lines' })
    else if (newer === null) withoutText.push({ path: older ?? '', reason: 'deleted' })
    else files.push({ path: newer, isNew: older === null, hunks })
    if (files.length + withoutText.length > FILES_MAX)
      throw new InvalidPatch(`it has more than ${FILES_MAX} files`)
  }
  endSection()
  if (files.length + withoutText.length === 0) throw new InvalidPatch('it contains no changed files')
  return { files, withoutText }
}

/** Applies a header line, which describes the whole file. */
function withHeader(section: TextlessFile, line: string): TextlessFile {
  if (line.startsWith('rename to '))
    return { path: readPath(line.slice('rename to '.length)), reason: 'renamed' }
  if (line.startsWith('deleted file mode ')) return { ...section, reason: 'deleted' }
  return /^(Binary files .* differ|GIT binary patch)\r?$/.test(line)
    ? { ...section, reason: 'binary' }
    : section
}

/** Null for `/dev/null`: the file does not exist on this side. */
function pathOf(line: string): string | null {
  // A timestamp can follow after a tab.
  const name = unquote(line.slice(4).replace(/\r$/, '').split('\t')[0] ?? '')
  if (name === '/dev/null') return null
  const path = name.replace(/^[abciow]\//, '')
  if (path === '' || path.length > PATH_MAX) throw new InvalidPatch('a file name is empty or too long')
  return path
}

/** The new name. The two sides differ only for renames, which have separate `rename to` lines. */
function pathOfGitLine(line: string): string {
  const [, path = ''] = /(?:^| )("b\/(?:[^"\\]|\\.)*"|b\/.*)$/.exec(line.replace(/\r$/, '')) ?? []
  return readPath(path).replace(/^b\//, '')
}

/** Reads `old/a.png and new/a.png`, the format of tools other than git. */
const pathOfBinary = (both: string): string =>
  readPath(both.split(' and ').at(-1) ?? both).replace(/^[abciow]\//, '')

const readPath = (text: string): string => unquote(text.replace(/\r$/, '')).slice(0, PATH_MAX)

/** Git quotes names with special characters and escapes them byte by byte. */
function unquote(name: string): string {
  if (!/^".*"$/.test(name)) return name
  const bytes: Buffer[] = []
  const parts = name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)
  for (const [, octal, escaped, plain] of parts) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]))
    else bytes.push(Buffer.from(plain ?? ESCAPES[escaped ?? ''] ?? escaped ?? ''))
  }
  return Buffer.concat(bytes).toString('utf8')
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
