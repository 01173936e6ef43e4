// Changes of files as a patch for `git apply`.
import { type DiffLine, diffOf, type Hunk } from './diff.ts'

export type Change = {
  path: string
  action: 'create' | 'update' | 'delete'
  /** Empty for a new file. */
  before: string
  /** Empty for a deleted file. */
  after: string
}

const NO_NEWLINE = '\\ No newline at end of file\n'

export const patchOf = (changes: readonly Change[]): string => changes.map(fileOf).join('')

function fileOf({ path, action, before, after }: Change): string {
  const { hunks } = diffOf(before, after)
  if (action === 'update' && hunks.length === 0) return ''
  const [older, newer] = [`a/${path}`, `b/${path}`]
  const mode = { create: 'new file mode 100644\n', delete: 'deleted file mode 100644\n', update: '' }[action]
  const head = `diff --git ${quoted(older)} ${quoted(newer)}\n${mode}`
  // An empty file that is created or deleted has no lines.
  if (hunks.length === 0) return `${head}index ${action === 'create' ? EMPTY_MADE : EMPTY_DELETED}\n`
  const from = action === 'create' ? '/dev/null' : named(older)
  const to = action === 'delete' ? '/dev/null' : named(newer)
  return `${head}--- ${from}\n+++ ${to}\n${hunks.map(hunkText).join('')}`
}

/** The hash that git gives to an empty file. */
const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const NOTHING = '0'.repeat(40)
const EMPTY_MADE = `${NOTHING}..${EMPTY}`
const EMPTY_DELETED = `${EMPTY}..${NOTHING}`

const hunkText = ({ oldStart, oldCount, newStart, newCount, lines }: Hunk): string =>
  `@@ -${span(oldStart, oldCount)} +${span(newStart, newCount)} @@\n${lines.map(lineText).join('')}`

const span = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)

const SIGNS = { same: ' ', del: '-', add: '+' } as const

const lineText = ({ kind, text }: DiffLine): string =>
  text.endsWith('\n') ? SIGNS[kind] + text : `${SIGNS[kind]}${text}\n${NO_NEWLINE}`

/** A tab ends a name that contains a space. */
const named = (path: string): string =>
  quoted(path) === path && path.includes(' ') ? `${path}\t` : quoted(path)

function quoted(path: string): string {
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return path
  const escaped = path.replace(/["\\\u0000-\u001f\u007f]/g, (sign) =>
    sign === '"' || sign === '\\' ? `\\${sign}` : `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}
