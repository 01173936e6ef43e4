// The table of tasks that the model can do on files. Each entry recognises one sentence and changes the files, or declines.
import { evaluate } from './expression.ts'
import { isRepair, repair } from './fix.ts'
import { findFunction, functionNames, isTestFile, languageOf, withFunction } from './source-code.ts'

export type Files = Map<string, string>
/** `tests`: the test output, if there is some. `partial`: partly shown files, which are not written. */
type Context = { readonly tests: string; readonly partial: ReadonlySet<string> }
/** Returns a description of the change; null when the sentence is another task, or the files do not allow it. */
type Task = (sentence: string, files: Files, context: Context) => string | null

const TASKS: readonly (readonly [example: string, task: Task])[] = [
  ['Fix the failing test', (text, files, { tests }) => (isRepair(text) ? repair(files, tests) : null)],
  ['Rename total to sum', rename],
  ['Add a comment "Adds amounts" to add', documentFunction],
  ['Write a test for add', writeTest],
  ['Add a GET /health route', addRoute],
  ['Remove the function subtract', removeFunction],
  ['Fix the typo "Helo" to "Hello"', replaceText],
  ['Add a function multiply to src/math.js', addFunction],
  ['Create the file notes.md with the text "Hello"', createFile],
]

const VERBS =
  'add|create|write|rename|remove|delete|replace|change|fix|correct|make|document|implement|update'
const BETWEEN = new RegExp(
  `(?:[.;!]\\s{1,9}|\\n{1,9}|,? (?:and then|and also|and|then) )(?=(?:please )?(?:${VERBS})\\b)`,
  'i',
)

export const isWork = (text: string): boolean => new RegExp(`\\b(${VERBS})\\b`, 'i').test(text)

/** Executes the sentences that it recognises. `left` contains the other requests. */
export function work(task: string, files: Files, context: Context): { done: string[]; left: string[] } {
  const done: string[] = []
  const left: string[] = []
  const sentences = task.slice(0, 4_000).split(BETWEEN).slice(0, 10)
  for (const sentence of sentences.map((each) => each.trim())) {
    const said = TASKS.reduce<string | null>((found, [, run]) => found ?? run(sentence, files, context), null)
    if (said !== null) done.push(said)
    else if (isWork(sentence) && !(isRepair(sentence) && done.length > 0)) left.push(sentence)
  }
  // In later turns of a loop the task was tried before. The test output decides.
  const fixed = context.tests !== '' && done.length === 0 ? repair(files, context.tests) : null
  return fixed === null ? { done, left } : { done: [fixed], left: [] }
}

const PATH = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:[cm]?[jt]sx?|py|md|json|txt|html|css|ya?ml|go|php|java)\b/g
export const pathsIn = (text: string, most = 4_000): string[] => [...new Set(text.slice(0, most).match(PATH))]

/** The files that a sentence names, or all files when it names none. */
function targetsOf(sentence: string, files: Files): string[] {
  const named = pathsIn(sentence)
  const found = [...files.keys()].filter((path) => named.some((each) => `/${path}`.endsWith(`/${each}`)))
  return found.length > 0 ? found : [...files.keys()]
}

const newPathIn = (sentence: string, files: Files, { partial }: Context): string | undefined =>
  pathsIn(sentence).find(
    (path) => ![...files.keys(), ...partial].some((each) => `/${each}`.endsWith(`/${path}`)),
  )

/** Rewrites the targeted files. Returns the changed ones as a list for the summary, or null. */
function rewrite(sentence: string, files: Files, change: (text: string) => string): string | null {
  const changed = targetsOf(sentence, files).filter((path) => {
    const before = files.get(path) ?? ''
    files.set(path, change(before))
    return files.get(path) !== before
  })
  return changed.length > 0 ? changed.join(', ') : null
}

function rename(sentence: string, files: Files): string | null {
  const pattern =
    /\brename (?:the )?(?:(?:function|variable|class|method|constant|parameter|type|symbol) )?[`"']?([\w$]+)[`"']?(?:\(\))? (?:to|as) [`"']?([A-Za-z_$][\w$]*)/i
  const [, from = '', to = ''] = pattern.exec(sentence) ?? []
  if (from === '') return null
  const word = new RegExp(`(?<![\\w$])${from.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
  const places = rewrite(sentence, files, (text) => text.replaceAll(word, () => to))
  return places && `Renamed \`${from}\` to \`${to}\` in ${places}.`
}

function replaceText(sentence: string, files: Files): string | null {
  if (!/\b(replace|change|correct|fix|typo)\b/i.test(sentence)) return null
  const quoted = [...sentence.matchAll(/([`"'])(.+?)\1/g)].map(([, , text]) => text)
  const bare = /\b(?:replace|change|correct|typo) ([\w-]+) (?:with|to|into|by) ([\w-]+)/i.exec(sentence)
  const [from, to] = quoted.length > 1 ? quoted : (bare?.slice(1) ?? [])
  if (from === undefined || to === undefined) return null
  const places = rewrite(sentence, files, (text) => text.replaceAll(from, () => to))
  return places && `Replaced \`${from}\` with \`${to}\` in ${places}.`
}

/** The function that the sentence names last. */
function functionIn(sentence: string, files: Files) {
  const words = sentence.match(/[\w$]+/g)?.reverse()
  for (const path of targetsOf(sentence, files)) {
    const text = files.get(path) ?? ''
    const language = isTestFile(path) ? undefined : languageOf(path)
    const names = functionNames(text)
    const name = language && words?.find((word) => names.includes(word))
    const span = name && findFunction(text, name)
    if (span) return { ...span, path, text, name, language }
  }
  return undefined
}

function removeFunction(sentence: string, files: Files): string | null {
  const found = /\b(remove|delete)\b/i.test(sentence) ? functionIn(sentence, files) : undefined
  if (!found) return null
  const { path, text, start, end } = found
  const parts = [text.slice(0, start).trimEnd(), text.slice(end).replace(/^;?\s*\n+/, '')]
  files.set(path, parts.filter((part) => part.trim() !== '').join('\n\n'))
  return `Removed \`${found.name}\` from ${path}.`
}

function documentFunction(sentence: string, files: Files): string | null {
  if (!/\b(document|docstring|jsdoc|doc comment|an? (?:\w+ )?comment)\b/i.test(sentence)) return null
  const found = functionIn(sentence.replaceAll(/"[^"]*"/g, ''), files)
  if (!found) return null
  const { path, text, name, params, start, bodyStart, language } = found
  const line = /"([^"]+)"/.exec(sentence)?.[1] ?? `${name}: takes ${params.join(', ') || 'no parameters'}.`
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
  const isPython = language === 'py'
  const at = isPython ? bodyStart : start
  const comment = isPython ? `${indent}    """${line}"""\n` : `${indent}/** ${line} */\n`
  files.set(path, text.slice(0, at) + comment + text.slice(at))
  return `Documented \`${name}\` in ${path}.`
}

/** The expected value is the current result of the function. */
function writeTest(sentence: string, files: Files, { partial }: Context): string | null {
  const found = /\b(add|write|create)\b.{0,30}\btests?\b/i.test(sentence)
    ? functionIn(sentence, files)
    : undefined
  if (!found) return null
  const { path, text, name, params, language, bodyStart, end } = found
  const body = text.slice(bodyStart, end)
  const expression = /^\s*return ([^;\n]+);?\s*\}?$/.exec(body)?.[1] ?? body.replace(/;$/, '')
  const expected = evaluate(expression, new Map(params.map((param, i) => [param, i + 2])))
  const [, folder = '', file = '', ending = ''] = /^(.*\/)?([^/]+)\.(\w+)$/.exec(path) ?? []
  const test = folder + (language === 'py' ? `test_${file}.py` : `${file}.test.${ending}`)
  if (expected === undefined || files.has(test) || partial.has(test)) return null
  const call = `${name}(${params.map((_, i) => i + 2).join(', ')})`
  const literal = JSON.stringify(expected)
  const script = `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${name} } from './${file}.${ending}'\n\ntest('${name}', () => assert.equal(${call}, ${literal}))\n`
  const python = `from ${file} import ${name}\n\n\ndef test_${name}():\n    assert str(${call}).lower() == str(${literal})\n`
  files.set(test, language === 'py' ? python : script)
  return `Wrote ${test}: \`${call}\` is expected to be ${literal}.`
}

function addRoute(sentence: string, files: Files): string | null {
  const pattern = /\b(?:(GET|POST|PUT|PATCH|DELETE) )?(?:route |endpoint )?[`"']?(\/[\w/:{}-]*)/i
  const [, method = 'GET', route = ''] = pattern.exec(sentence) ?? []
  if (!/\b(route|endpoint)\b/i.test(sentence) || route === '') return null
  const verb = method.toLowerCase()
  const places = rewrite(sentence, files, (text) => {
    const app = /^(?:const |let )?(\w+) *= *(?:express|fastify|Fastify|new Hono)\(/m.exec(text)?.[1]
    const handler = `${app}.${verb}('${route}', (request, response) => {\n  response.json({ ok: true })\n})\n`
    const end = text.search(new RegExp(`^(?:await )?${app}\\.listen\\(|^export default|(?![\\s\\S])`, 'm'))
    return app === undefined
      ? text
      : `${text.slice(0, end).trimEnd()}\n\n${handler}\n${text.slice(end)}`.trimEnd().concat('\n')
  })
  return places && `Added ${verb.toUpperCase()} ${route} to ${places}; it answers \`{"ok": true}\`.`
}

/** Well-known functions: names, parameters, result. */
const KNOWN: readonly (readonly [names: RegExp, params: string, expression: string])[] = [
  [/^(add|sum|plus)$/i, 'a b', 'a + b'],
  [/^(subtract|minus)$/i, 'a b', 'a - b'],
  [/^(multiply|times)$/i, 'a b', 'a * b'],
  [/^divide$/i, 'a b', 'a / b'],
  [/^square$/i, 'n', 'n * n'],
  [/^double$/i, 'n', 'n * 2'],
  [/^(greet|hello)$/i, 'name', '"Hello, " + name'],
]
const NAMED =
  /\bfunction (?:called |named )?[`"']?([A-Za-z_$][\w$]*)[`"']?(?:\(([\w$, ]*)\))?|(?!(?:an?|the|new|this) )\b([A-Za-z_$][\w$]*)[`"']? function\b/i
const RETURNS = /\breturn(?:s|ing)? (?:the )?(?:`([^`]+)`|("[^"]*"|[\w$.]+(?: ?[-+*/%] ?[\w$.]+)*))/i

function addFunction(sentence: string, files: Files, context: Context): string | null {
  const isOther = /\b(rename|remove|delete)\b/i.test(sentence)
  const [, first, list = '', second] = (isOther ? null : NAMED.exec(sentence)) ?? []
  const name = first ?? second
  const path =
    newPathIn(sentence, files, context) ??
    targetsOf(sentence, files).find((each) => languageOf(each) && !isTestFile(each)) ??
    ''
  const language = languageOf(path)
  const [, knownParams = '', knownExpression] = KNOWN.find(([names]) => names.test(name ?? '')) ?? []
  const returned = RETURNS.exec(sentence)
  const expression = returned?.[1] ?? returned?.[2] ?? knownExpression
  const file = files.get(path) ?? ''
  if (!isWork(sentence) || !name || !language || !expression || findFunction(file, name)) return null
  const params = (list.trim() || knownParams).match(/[\w$]+/g) ?? []
  files.set(path, withFunction(file, { name, params, expression }, language))
  return `Added \`${name}\` to ${path}: it returns \`${expression}\`.`
}

function createFile(sentence: string, files: Files, context: Context): string | null {
  const path = newPathIn(sentence, files, context)
  const quoted = /\b(?:create|add|write|make)\b.{0,200}?(["'`])(.+?)\1/i.exec(sentence)?.[2]
  if (path === undefined || quoted === undefined || languageOf(path)) return null
  files.set(path, `${quoted.replaceAll('\\n', '\n')}\n`)
  return `Created ${path}.`
}
