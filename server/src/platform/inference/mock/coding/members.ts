// Adds a member to what is there: a field to a class or type, an import to a file, a line to a list.

import { closingOf } from './brackets.ts'
import type { Clause } from './clauses.ts'
import { withImports } from './insert.ts'
import { hasSemicolons, indentOf, languageOf } from './language.ts'
import { pathsIn, quotedIn } from './mentions.ts'
import { typeOf } from './program-skeletons.ts'
import type { Doing } from './recogniser.ts'
import { type Workspace, write } from './workspace.ts'

const FIELD =
  /\badd\s+(?:an?\s+|the\s+)?(?:(new|optional|required)\s+)?(?:(?:field|property|attribute|key|column|member)\s+)?(?:called\s+|named\s+)?[`"']?([A-Za-z_]\w*)\??[`"']?\s*(?:(?::|of type|as an?)\s*[`"']?([A-Za-z][\w<>[\]| ]*?)[`"']?\s+)?(?:field\s+|property\s+|attribute\s+)?(?:to|in|on)\s+(?:the\s+)?(?:class|interface|type|struct|object|model|dataclass)?\s*[`"']?([A-Z]\w*)/i

/** "Add a field `email` to the interface User" */
export function addField(clause: Clause, workspace: Workspace): Doing | null {
  const [, need, field, type, owner] = FIELD.exec(clause.text) ?? []
  if (field === undefined || owner === undefined) return null
  const named = pathsIn(clause, workspace)
  for (const [path, text] of workspace.files) {
    if (named.length > 0 && !named.includes(path)) continue
    const changed = withField(text, languageOf(path) ?? '', {
      owner,
      field,
      type,
      isOptional: need?.toLowerCase() === 'optional',
    })
    if (changed === null) continue
    write(workspace, path, changed, `add the field ${field} to ${owner}`)
    return {
      steps: [`Add \`${field}\` to \`${owner}\` in ${path}.`],
      said: `Added the field \`${field}\` to \`${owner}\` in ${path}.`,
    }
  }
  return null
}

/** "Import readFile from 'node:fs' in src/a.ts" */
export function addImport(clause: Clause, workspace: Workspace): Doing | null {
  const statement = importIn(clause)
  if (statement === null) return null
  const path =
    pathsIn(clause, workspace).find((each) => workspace.files.has(each) && languageOf(each) !== undefined) ??
    onlyFile(workspace)
  const text = path === undefined ? undefined : workspace.files.get(path)
  if (path === undefined || text === undefined) return null
  const language = languageOf(path)
  const line = language === 'py' ? statement.python : `${statement.script}${hasSemicolons(text) ? ';' : ''}`
  if (text.split('\n').includes(line)) return null
  write(workspace, path, withImports(text, [line]), `import ${statement.what}`)
  return {
    steps: [`Add \`${line}\` to the imports of ${path}.`],
    said: `Added the import of \`${statement.what}\` to ${path}.`,
  }
}

/** "Add `dist/` to .gitignore", "append a line …": at the end or, when it says so, at the top. */
export function addLine(clause: Clause, workspace: Workspace): Doing | null {
  if (!/\b(add|append|prepend|insert|put|include)\b/i.test(clause.text)) return null
  const path = pathsIn(clause, workspace).findLast((each) => workspace.files.has(each))
  const line = clause.blocks[0]?.trimEnd() ?? quotedIn(clause).find((each) => each !== path)
  if (path === undefined || line === undefined || line === '') return null
  // A bare name in a program is a thing to be written, not a line to be pasted.
  if (languageOf(path) !== undefined && clause.blocks.length === 0 && /^[\w$]+(\(\w*\))?$/.test(line))
    return null
  const text = workspace.files.get(path) ?? ''
  if (clause.blocks.length === 0 && text.split('\n').includes(line)) return null
  const isTop = /\b(prepend|top|beginning|start|first line)\b/i.test(clause.text)
  const end = text === '' || text.endsWith('\n') ? text : `${text}\n`
  write(workspace, path, isTop ? `${line}\n${text}` : `${end}${line}\n`, `add a line`)
  return {
    steps: [`Add the given text ${isTop ? 'at the top' : 'at the end'} of ${path}.`],
    said: `Added the given text ${isTop ? 'at the top' : 'at the end'} of ${path}.`,
  }
}

type Field = {
  readonly owner: string
  readonly field: string
  readonly type: string | undefined
  readonly isOptional: boolean
}

function withField(text: string, language: string, { owner, field, type, isOptional }: Field): string | null {
  const isPython = language === 'py'
  const header = new RegExp(
    isPython
      ? `^class +${owner}\\b[^\\n]*:`
      : `\\b(?:class|interface|type|struct|const) +${owner}\\b[^{\\n]*\\{`,
    'm',
  ).exec(text)
  if (header === null) return null
  const unit = indentOf(text) ?? (isPython ? '    ' : '  ')
  if (isPython) return withPythonField(text, header.index + header[0].length, field, type, unit)
  const open = header.index + header[0].length - 1
  const close = closingOf(text, open, 'ts')
  if (close === undefined || new RegExp(`^\\s*${field}\\??:`, 'm').test(text.slice(open, close))) return null
  const isObject = /^const\b/.test(header[0].trim())
  const end = isObject ? ',' : /;\s*$/m.test(text.slice(open, close)) ? ';' : ''
  const value = isObject ? 'null' : (type ?? typeOf(field))
  const inside = text.slice(open + 1, close).trimEnd()
  const comma = isObject && inside !== '' && !inside.endsWith(',') ? ',' : ''
  const line = `${unit}${language === 'js' && !isObject ? field : `${field}${isOptional ? '?' : ''}: ${value}`}${end}`
  const isClass = /^class\b/.test(header[0].trim())
  if (isClass) return `${text.slice(0, open + 1)}\n${line}${text.slice(open + 1)}`
  return `${text.slice(0, open + 1)}${inside}${comma}\n${line}\n${text.slice(close)}`
}

/** A dataclass gets an annotation, another class a value in its constructor where it has one. */
function withPythonField(
  text: string,
  at: number,
  field: string,
  type: string | undefined,
  unit: string,
): string {
  const init = /^([ \t]+)def __init__\(self([^)]*)\)[^:\n]*:\n/m.exec(text.slice(at))
  if (init === null) return `${text.slice(0, at)}\n${unit}${field}: ${type ?? 'str'}${text.slice(at)}`
  const [whole, indent = unit, params = ''] = init
  const from = at + init.index
  const header = whole.replace(`(self${params})`, () => `(self${params}, ${field}=None)`)
  return `${text.slice(0, from)}${header}${indent}${unit}self.${field} = ${field}\n${text.slice(from + whole.length)}`
}

function importIn({ text }: Clause) {
  const [, names, module] =
    /\bimport\s+(?:of\s+|for\s+)?[`"']?(\{?[\w$, ]+?\}?|\* as \w+)[`"']?\s+from\s+[`"']?([@\w:./-]*\w)/i.exec(
      text,
    ) ?? []
  if (names !== undefined && module !== undefined) {
    const bare = names.replaceAll(/[{}]/g, '').trim()
    return {
      what: bare,
      python: `from ${module} import ${bare}`,
      script: `import ${names.startsWith('*') ? names : `{ ${bare} }`} from '${module}'`,
    }
  }
  const [, alone] =
    /\bimport\s+(?:of\s+|for\s+|the\s+)?[`"']?([a-z_][\w.]*)[`"']?(?:\s+(?:module|package|in|into|to|at)\b|[.!]?$)/i.exec(
      text,
    ) ?? []
  return alone === undefined || /^(statement|line|it)$/i.test(alone)
    ? null
    : { what: alone, python: `import ${alone}`, script: `import ${alone} from '${alone}'` }
}

const onlyFile = ({ files }: Workspace): string | undefined => {
  const paths = [...files.keys()].filter((path) => languageOf(path) !== undefined)
  return paths.length === 1 ? paths[0] : undefined
}
