// Takes things away: a file, a function, lines that were left for looking.
import type { Clause } from './clauses.ts'
import { findFunction } from './functions.ts'
import { languageOf } from './language.ts'
import { namesIn, pathsIn } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { remove, type Workspace, write } from './workspace.ts'

const REMOVES = /\b(delete|remove|drop|get rid of)\b/i

/** Only a file that is shown, and only when nothing inside of it is named. */
export function deleteFile(clause: Clause, workspace: Workspace): Doing | null {
  const isWhole =
    /\b(?:delete|remove|drop|get rid of)\s+(?:the\s+)?(?:(?:old|unused|obsolete|empty)\s+)?(?:files?\s+)?[`"']?([\w@./-]+)/i.exec(
      clause.text,
    )
  if (isWhole === null) return null
  const paths = pathsIn(clause, workspace).filter((path) => workspace.files.has(path))
  const first = paths.find(
    (path) =>
      path === isWhole[1]?.replace(/[.,]$/, '') || path.endsWith(`/${isWhole[1]?.replace(/[.,]$/, '')}`),
  )
  if (first === undefined) return null
  for (const path of paths) remove(workspace, path, 'it was to be deleted')
  return { steps: paths.map((path) => `Delete ${path}.`), said: `Deleted ${paths.join(', ')}.` }
}

export function removeFunction(clause: Clause, workspace: Workspace): Doing | null {
  if (!REMOVES.test(clause.text)) return null
  for (const name of namesIn(clause)) {
    for (const path of candidates(clause, workspace)) {
      const text = workspace.files.get(path) ?? ''
      const span = findFunction(text, name, languageOf(path) ?? 'js')
      if (span === undefined) continue
      const before = text.slice(0, span.start).trimEnd()
      const after = text.slice(span.end).replace(/^\n+/, '')
      write(
        workspace,
        path,
        [before, after].filter((part) => part.trim() !== '').join('\n\n'),
        `remove ${name}`,
      )
      return {
        steps: [`Find \`${name}\` in ${path}.`, 'Remove it.'],
        said: `Removed \`${name}\` from ${path}.`,
      }
    }
  }
  return null
}

export function removePrinting(clause: Clause, workspace: Workspace): Doing | null {
  if (
    !REMOVES.test(clause.text) ||
    !/\bconsole\.log|\bprint\b|\bdebug\b|\blogging statements\b/i.test(clause.text)
  )
    return null
  const places = candidates(clause, workspace).filter((path) => {
    const text = workspace.files.get(path) ?? ''
    const quiet = text.replaceAll(/^[ \t]*(console\.(log|debug)\([^\n]*\);?|print\([^\n]*\))[ \t]*\n/gm, '')
    if (quiet === text) return false
    write(workspace, path, quiet, 'remove lines that only print')
    return true
  })
  if (places.length === 0) return null
  return {
    steps: [`Remove the printing lines from ${places.join(', ')}.`],
    said: `Removed printing lines from ${places.join(', ')}.`,
  }
}

function candidates(clause: Clause, workspace: Workspace): readonly string[] {
  const named = pathsIn(clause, workspace).filter((path) => workspace.files.has(path))
  return (named.length > 0 ? named : [...workspace.files.keys()]).filter(
    (path) => languageOf(path) !== undefined,
  )
}
