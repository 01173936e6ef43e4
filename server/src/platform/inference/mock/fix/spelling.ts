// Repairs a name that nobody knows: a slip of the pen, or a module that was not imported.
import { withImports } from '../coding/insert.ts'
import { hasSemicolons, isTestPath, languageOf } from '../coding/language.ts'
import { type Workspace, write } from '../coding/workspace.ts'

const UNKNOWN =
  /ReferenceError: ([\w$]+) is not defined|NameError: (?:global )?name '(\w+)' is not defined|TypeError: (?:[\w$]+\.)*([\w$]+) is not a function|AttributeError: [^\n]* has no attribute '(\w+)'|undefined: (\w+)/g

const MODULES: ReadonlyMap<string, string> = new Map([
  ['fs', 'node:fs'],
  ['path', 'node:path'],
  ['crypto', 'node:crypto'],
  ['assert', 'node:assert/strict'],
])
const PYTHON_MODULES = new Set([
  'json',
  'os',
  're',
  'sys',
  'math',
  'random',
  'time',
  'datetime',
  'csv',
  'itertools',
  'functools',
  'unittest',
  'pytest',
])

export function correctNames(workspace: Workspace, output: string): readonly string[] {
  const unknown = new Set(
    [...output.slice(0, 100_000).matchAll(UNKNOWN)].map((found) =>
      String(found.slice(1).find((name) => name !== undefined)),
    ),
  )
  return [...unknown].slice(0, 10).flatMap((name) => correct(workspace, name) ?? [])
}

function correct(workspace: Workspace, name: string): string | undefined {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
  const sources = [...workspace.files].filter(([path]) => languageOf(path) !== undefined)
  const using = sources.filter(([, text]) => text.search(word) >= 0)
  const [first] = using.filter(([path]) => !isTestPath(path)).concat(using)
  if (first === undefined) return undefined
  const imported = importing(first[0], first[1], name)
  if (imported !== undefined && imported !== first[1]) {
    write(workspace, first[0], imported, `import ${name}`)
    return `Imported \`${name}\` in ${first[0]}.`
  }
  // The tests say what a thing is called; the code that they test is what has slipped.
  const slipped = using.filter(([path]) => !isTestPath(path))
  const meant = closest(
    name,
    (slipped.length > 0 ? slipped : using).map(([, text]) => text),
  )
  if (meant === undefined) return undefined
  for (const [path, text] of slipped)
    write(
      workspace,
      path,
      text.replaceAll(word, () => meant),
      `${name} is spelt ${meant}`,
    )
  return slipped.length === 0
    ? undefined
    : `\`${name}\` was a slip for \`${meant}\` in ${slipped.map(([path]) => path).join(', ')}.`
}

function importing(path: string, text: string, name: string): string | undefined {
  if (languageOf(path) === 'py')
    return PYTHON_MODULES.has(name) ? withImports(text, [`import ${name}`]) : undefined
  const module = MODULES.get(name)
  if (module === undefined) return undefined
  const end = hasSemicolons(text) ? ';' : ''
  return withImports(text, [
    /\brequire\(/.test(text)
      ? `const ${name} = require('${module}')${end}`
      : `import ${name} from '${module}'${end}`,
  ])
}

/** A name of these texts, or a usual method, at most two letters away. */
function closest(name: string, texts: readonly string[]): string | undefined {
  const names = new Set(USUAL)
  for (const text of texts)
    for (const [each] of text.slice(0, 100_000).matchAll(/[A-Za-z_$][\w$]*/g)) names.add(each)
  names.delete(name)
  let best: { name: string; distance: number } | undefined
  for (const each of names) {
    if (each.length < 2 || Math.abs(each.length - name.length) > 2) continue
    const distance = distanceOf(name, each)
    if (distance <= Math.min(2, Math.floor(name.length / 2)) && distance < (best?.distance ?? 3))
      best = { name: each, distance }
  }
  return best?.name
}

const USUAL = [
  'length',
  'toUpperCase',
  'toLowerCase',
  'forEach',
  'filter',
  'reduce',
  'includes',
  'indexOf',
  'append',
  'lower',
  'upper',
  'split',
  'strip',
  'replace',
  'toString',
  'push',
  'join',
  'slice',
]

/** Letters to insert, drop, change or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const at = (r: number, c: number) => (r === i ? row[c] : rows[r]?.[c]) ?? 0
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(i - 2, j - 2) + 1)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? a.length
}
