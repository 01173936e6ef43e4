// Changes words: a name everywhere, one text for another, a file's name.
import type { Clause } from './clauses.ts'
import { pathsIn, quotedIn } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { remove, type Workspace, write } from './workspace.ts'

const RENAME =
  /\brename\s+(?:the\s+)?(?:(?:function|variable|class|method|identifier|constant|parameter|property|type|interface|field|file)\s+)?[`"']?([\w$./-]+)[`"']?\s+(?:to|as|into|->)\s+[`"']?([\w$./-]*[\w$])/i

/** A name, in all files or in those that are named; or a file. */
export function renameName(clause: Clause, workspace: Workspace): Doing | null {
  const [, from, to] = RENAME.exec(clause.text) ?? []
  if (from === undefined || to === undefined || from === to) return null
  const [path] = pathsIn({ text: from, blocks: [] }, workspace)
  if (path !== undefined && workspace.files.has(path)) return renameFile(path, to, workspace)
  if (!/^[\w$]+$/.test(from) || !/^[A-Za-z_$][\w$]*$/.test(to)) return null

  const word = new RegExp(`(?<![\\w$])${from.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
  const places = rewrite(clause, workspace, `rename ${from} to ${to}`, (text) =>
    text.replaceAll(word, () => to),
  )
  if (places.length === 0) return null
  return {
    steps: [
      `Find every use of \`${from}\` as a whole word.`,
      `Rename it to \`${to}\` in ${places.join(', ')}.`,
    ],
    said: `Renamed \`${from}\` to \`${to}\` in ${places.join(', ')}.`,
  }
}

/** "Replace A with B", "change A to B": exactly, everywhere in the files that are meant. */
export function replaceText(clause: Clause, workspace: Workspace): Doing | null {
  const pair = pairIn(clause)
  if (pair === null) return null
  const [from, to] = pair
  const places = rewrite(clause, workspace, `replace ${from} with ${to}`, (text) =>
    text.replaceAll(from, () => to),
  )
  if (places.length === 0) return null
  return {
    steps: [`Look for \`${from}\` in ${places.join(', ')}.`, `Put \`${to}\` in its place.`],
    said: `Replaced \`${from}\` with \`${to}\` in ${places.join(', ')}.`,
  }
}

function pairIn(clause: Clause): readonly [string, string] | null {
  if (!/\b(replace|change|update|substitute|swap|turn|convert|set)\b/i.test(clause.text)) return null
  const [first, second] = clause.blocks
  if (first !== undefined && second !== undefined) return [first.trimEnd(), second.trimEnd()]
  const quoted = quotedIn(clause).filter((text) => !/^[\w./-]+\.\w{1,5}$/.test(text))
  const isPair = /\b(with|to|into|by)\b/i.test(clause.text)
  if (
    isPair &&
    quoted.length >= 2 &&
    quoted[0] !== undefined &&
    quoted[1] !== undefined &&
    quoted[0] !== quoted[1]
  )
    return [quoted[0], quoted[1]]
  const [, from, to] =
    /\b(?:replace|change)\s+(?:all\s+)?([\w$.]+)\s+(?:with|to|by)\s+([\w$.]*[\w$])/i.exec(clause.text) ?? []
  return from === undefined || to === undefined || from === to ? null : [from, to]
}

/** The named files if there are any, otherwise all. Returns those that changed. */
function rewrite(clause: Clause, workspace: Workspace, reason: string, change: (text: string) => string) {
  const named = pathsIn(clause, workspace).filter((path) => workspace.files.has(path))
  const places: string[] = []
  for (const path of named.length > 0 ? named : [...workspace.files.keys()]) {
    const text = workspace.files.get(path) ?? ''
    const changed = change(text)
    if (changed === text) continue
    write(workspace, path, changed, reason)
    places.push(path)
  }
  return places
}

function renameFile(path: string, to: string, workspace: Workspace): Doing {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const target = to.includes('/') ? to : folder + to
  write(workspace, target, workspace.files.get(path) ?? '', `the new name of ${path}`)
  remove(workspace, path, `it is called ${target} now`)
  return {
    steps: [`Write the content of ${path} to ${target}.`, `Delete ${path}.`],
    said: `Renamed ${path} to ${target}. Imports of it are as they were.`,
  }
}
