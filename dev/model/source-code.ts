// Finds functions in source files of JavaScript, TypeScript and Python, and adds functions to them.

export type Language = 'js' | 'ts' | 'py'
/** Offsets in the file. `start` is the beginning of a line; the parameters are between `open` and `close`. */
type Offsets = Readonly<Record<'start' | 'open' | 'close' | 'bodyStart' | 'end', number>>
export type FunctionSpan = Offsets & { readonly params: readonly string[] }

export const languageOf = (path: string): Language | undefined =>
  /\.(?:[cm]?(js|ts)x?|(py))$/.exec(path)?.slice(1).join('') as Language | undefined

export const isTestFile = (path: string): boolean =>
  /(^|\/)(tests?|__tests__)\/|[._](test|spec)\.\w+$|(^|\/)test_[^/]*\.py$|_test\.py$/.test(path)

/** The name that a file shares with its tests. */
export const stemOf = (path: string): string =>
  path.toLowerCase().replaceAll(/^.*\/|^.*\/test_|^test_|[._](test|spec)(?=\.)|\.\w+$/g, '')

const CHARACTERS_MAX = 200_000
const DEFINITION = (name: string) =>
  `^[ \\t]*(?:(?:export +)?(?:default +)?(?:async +)?(?:function\\*? *|def +)${name} *\\(|(?:export +)?const +${name}(?: *:[^=\\n]{1,80})? *= *(?:async *)?\\()`

export const functionNames = (text: string): string[] =>
  [...text.slice(0, CHARACTERS_MAX).matchAll(new RegExp(DEFINITION('([\\w$]{1,80})'), 'gm'))].map(
    ([, one, other]) => one ?? other ?? '',
  )

export function findFunction(text: string, name: string): FunctionSpan | undefined {
  const header =
    /^\w+$/.test(name) && text.length <= CHARACTERS_MAX && new RegExp(DEFINITION(name), 'm').exec(text)
  if (!header) return undefined
  const open = header.index + header[0].length - 1
  const close = closingOf(text, open)
  if (close === undefined) return undefined
  const params = text
    .slice(open + 1, close)
    .split(',')
    .flatMap((each) => /^\s*([\w$]+)/.exec(each)?.[1] ?? [])
  const body = /\bdef +\w+ *\($/.test(header[0])
    ? indentedBody(text, header[0], close)
    : bracedBody(text, close)
  return body && { params, start: header.index, open, close, ...body }
}

/** The expression of an arrow function without braces. */
function bracedBody(text: string, close: number) {
  const rest = text.slice(close + 1, close + 300)
  const [before] = /^[^={;\n]*(?:=>\s*)?\{|^[^={;\n]*=>\s*/.exec(rest) ?? []
  if (before === undefined) return undefined
  const bodyStart = close + 1 + before.length
  if (before.endsWith('{')) {
    const end = closingOf(text, bodyStart - 1)
    return end === undefined ? undefined : { bodyStart, end: end + 1 }
  }
  return { bodyStart, end: bodyStart + (/^[^;\n]*;?/.exec(text.slice(bodyStart))?.[0].length ?? 0) }
}

function indentedBody(text: string, header: string, close: number) {
  const [colon] = /^[^:\n]*:[^\n]*\n/.exec(text.slice(close + 1, close + 300)) ?? []
  if (colon === undefined) return undefined
  const indent = /^[ \t]*/.exec(header)?.[0] ?? ''
  const bodyStart = close + 1 + colon.length
  const lines = new RegExp(`^(?:${indent}[ \\t]+\\S.*(?:\\n|$)|[ \\t]*\\n)+`).exec(text.slice(bodyStart))
  return { bodyStart, end: bodyStart + (lines?.[0].trimEnd().length ?? 0) }
}

/** The bracket that closes the one at `open`. Strings and comments are skipped. */
function closingOf(text: string, open: number): number | undefined {
  const token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|#[^\n]*|[()[\]{}]/g
  token.lastIndex = open
  for (let depth = 0, found = token.exec(text); found; found = token.exec(text)) {
    if (/^[([{]$/.test(found[0])) depth++
    else if (/^[)\]}]$/.test(found[0]) && --depth === 0) return found.index
  }
  return undefined
}

type NewFunction = { readonly name: string; readonly params: readonly string[]; readonly expression: string }

/** Adds the code at the end, or before `module.exports`, which then exports it. Follows the semicolon style of the file. */
export function withFunction(file: string, added: NewFunction, language: Language): string {
  const { name, params, expression } = added
  const type = language === 'js' ? '' : expression.includes('"') ? ': string' : ': number'
  const typed = params.map((param) => param + type).join(', ')
  const script = `export function ${name}(${typed}) {\n  return ${expression}${/;$/m.test(file) ? ';' : ''}\n}\n`
  const python = `def ${name}(${params.join(', ')}):\n    return ${expression}\n`
  const [code, gap] = language === 'py' ? [python, '\n\n\n'] : [script, '\n\n']
  const at = file.search(/^module\.exports *= *\{/m)
  if (at < 0) return file.trim() === '' ? code : `${file.trimEnd()}${gap}${code}`
  const exported = file.slice(at).replace(/,?\s*\}/, `, ${name} }`)
  return `${file.slice(0, at)}${code.replace('export ', '')}\n${exported}`
}
