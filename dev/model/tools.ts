// Acts as a coding agent: lists and reads the files of a task, edits them, runs the tests, and answers. The next call follows
// from the messages alone. The number of calls is limited, so that a client never loops.
import { isDeepStrictEqual } from 'node:util'
import { isRepair } from './fix.ts'
import { hunkOf, IDENTITY, isQuestion, outcomeOf } from './outcome.ts'
import { type Call, type Message, requestIn, systemOf } from './prompt.ts'
import { isTestFile, languageOf, stemOf } from './source-code.ts'
import { isWork, pathsIn } from './tasks.ts'

type Properties = Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>
type Schema = { readonly properties?: Properties; readonly required?: readonly string[] }
export type Tool = { readonly function: { readonly name: string; readonly parameters?: Schema } }
type Fields = Readonly<Record<string, unknown>>
type Done = { readonly call: Call; readonly input: Fields; readonly output: string }

const CALLS_MAX = 8
const FILES_MAX = 3
const OUTPUT_CHARACTERS_MAX = 40_000
/** Property names of tools in common clients. */
const PROPERTIES = {
  path: /^(file_?)?(path|name)$|^file$|^target_file$/i,
  old: /^old|^search|^find/i,
  fresh: /^new|^replace/i,
  content: /^(content|contents|text|file_text|code)$/i,
  command: /^(command|cmd|script)$/i,
  query: /^(query|pattern)$/i,
  edits: /^edits$/,
  depth: /^depth$/,
} as const
type Property = keyof typeof PROPERTIES
// Tools that take a path or a name but handle no source files.
const NOT_FOR_CODE = /image|picture|screenshot|url|web|browser|skill|resource/i
const READER = /read|view|open|cat|get_?file/i
const FAILED =
  /^\s*(error\b|nothing was |there is no |.{0,80}(no such file|not found|does not exist|ENOENT|is withheld|is empty\.))/i

/** The next tool call, or the final answer; null when the task needs no tools. */
export function nextCall(messages: readonly Message[], tools: readonly Tool[]): Call | string | null {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]?.content ?? ''
  const verified = VERIFIED_WITH.exec(`${systemOf(messages)}\n${asked}`)?.[1]
  const task = requestIn(asked)
  const done = callsIn(messages.slice(at + 1))
  const { list, search, run, read, write } = toolsFor(tools)
  const resultOf = (call?: Call) => done.find((each) => call && isSame(call, each))?.output

  const listing = isWork(task) || isQuestion(task) ? list() : undefined
  const listed = pathsIn(resultOf(listing) ?? '', OUTPUT_CHARACTERS_MAX)
  const isUnclear = pathsIn(task).length === 0 && listed.filter(languageOf).length > FILES_MAX
  const hint = isRepair(task) ? run(verified ?? testCommand(task, listed.join('\n'))) : search(symbolIn(task))
  const clue = isUnclear ? hint : undefined
  const relevant = filesFor(task, listed, resultOf(clue) ?? asked)
  const reads = relevant.slice(0, FILES_MAX).map(read)
  const files = filesIn(done)
  const partial = new Set(listed.filter((path) => !files.has(path)))
  const { changes, report } = outcomeOf(task, files, { partial })
  const edits = changes.map(({ path, before, after }) => ({ path, call: write(path, before, after) }))
  const texts = [listed.join('\n'), ...files.values(), ...changes.map(({ after }) => after)]
  const command = verified ?? testCommand(task, ...texts)
  const isTested = /\btests?\b|\bpass(es)?\b/i.test(task) || (edits.length > 0 && listed.some(isTestFile))
  const tests = files.size > 0 && isTested ? run(command) : undefined
  // The tests may run before and after the edits: each planned call stands for one that was made.
  const left = [...done]
  const isMade = (call: Call) => left.splice(left.findIndex((each) => isSame(call, each)) >>> 0, 1).length > 0
  const plan = [listing, clue, ...reads, ...edits.map(({ call }) => call), tests]
  const next = plan.find((call) => call && !isMade(call))
  if (next && done.length < CALLS_MAX) return next
  if (done.length === 0) return null
  const refused = edits.filter(({ call }) => FAILED.test(resultOf(call) ?? 'Error')).map(({ path }) => path)
  const unread = edits.length > 0 && !isRepair(task) ? relevant.slice(FILES_MAX) : []
  return finalAnswer(report, [...refused, ...unread], command, done)
}

function finalAnswer(report: string[], failed: string[], command: string, done: readonly Done[]): string {
  const partly = [`I could not change ${failed.join(', ')}. The task is not done.`, IDENTITY]
  const tested = done.findLast(({ input }) => valueIn(input, 'command') === command)
  const lines = tested?.output.trim().split(/\n(?:\| )?/)
  const evidence = lines ? [`\`${command}\` printed:\n\`\`\`\n${lines.slice(-8).join('\n')}\n\`\`\``] : []
  return [...(failed.length > 0 ? partly : report), ...evidence].join('\n\n')
}

/** The calls that the tools of the client allow. */
function toolsFor(tools: readonly Tool[]) {
  const usable = tools.filter((tool) => !NOT_FOR_CODE.test(tool.function.name))
  const find = (name: RegExp, ...properties: Property[]) =>
    usable.find((tool) => name.test(tool.function.name) && properties.every((each) => nameIn(tool, each)))
  const shell = find(/bash|shell|exec|terminal|command|run/i, 'command')
  const reader = find(READER, 'path')
  const editor = find(/./, 'path', 'old', 'fresh')
  const batch = find(/^edit$/, 'path', 'edits')
  const writer = find(/write|create|save/i, 'path', 'content')
  const run = (script: string) => callOf(shell, { command: script })
  return {
    run,
    list: () => callOf(find(/^list$/i), { depth: 9 }),
    search: (query: string) => callOf(find(/^search$/i, 'query'), { query }),
    read: (path: string) => (reader ? callOf(reader, { path }) : run(`cat ${path}`)),
    write(path: string, before: string | undefined, after: string) {
      const hunk = before === undefined ? undefined : hunkOf(before, after)
      if (editor && hunk) return callOf(editor, { path, old: hunk.find, fresh: hunk.replace })
      if (batch && hunk) return callOf(batch, { path, edits: [hunk] })
      if (writer) return callOf(writer, { path, content: after })
      return run(`cat > ${path} <<'END_OF_FILE'\n${after}END_OF_FILE`)
    },
  }
}

/** The files that the task names; otherwise those in the clue, with their tests, and those with a similar name. */
function filesFor(task: string, listed: readonly string[], clue: string): string[] {
  const find = (path: string) =>
    listed.find((each) => each === path || each.endsWith(`/${path}`) || path.endsWith(`/${each}`))
  const named = pathsIn(task).map((path) => find(path) ?? path)
  const shown = pathsIn(clue, OUTPUT_CHARACTERS_MAX).flatMap((path) => find(path) ?? [])
  const code = listed.filter(languageOf)
  const stems = new Set([...named, ...shown].map(stemOf))
  const related = code.filter((path) => stems.has(stemOf(path)))
  const similar = code.filter((path) => code.length <= FILES_MAX || task.toLowerCase().includes(stemOf(path)))
  const isClear = named.length > 0 && !isRepair(task)
  return [...new Set(isClear ? named : [...named, ...shown, ...related, ...similar])]
}

const SYMBOL =
  /\brename (?:the (?:\w+ )?)?[`"']?([\w$]+)|[`"']([^`"'\n]{2,60})[`"']|\bfunction (?:called |named )?([\w$]+)|([\w$]+)[^\w$]*$/i
const symbolIn = (task: string): string => SYMBOL.exec(task.slice(0, 2_000))?.slice(1).join('') ?? ''

function callsIn(messages: readonly Message[]): Done[] {
  const results = new Map(messages.map(({ tool_call_id, content }) => [tool_call_id, content]))
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? [])
  return calls.map(({ id, function: call }) => {
    return { call, input: parsed(call.arguments), output: outputOf(results.get(id) ?? '') }
  })
}

/** Some clients send a call back with its properties in another order, or with more of them. */
const isSame = (planned: Call, { call, input }: Done): boolean =>
  planned.name === call.name &&
  Object.entries(parsed(planned.arguments)).every(([name, value]) => isDeepStrictEqual(value, input[name]))

/** The files that were read, by path. */
function filesIn(done: readonly Done[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { call, input, output } of done) {
    const path = READER.test(call.name) ? valueIn(input, 'path') : undefined
    const shown = path ?? /^cat ([^ >]+)$/.exec(valueIn(input, 'command') ?? '')?.[1]
    if (shown !== undefined && !FAILED.test(output)) files.set(shown, output)
  }
  return files
}

const VERIFIED_WITH = /(?:verified with this command[^"\n]*|<<tests \w+ command=)"([^"\n]+)"/
const GIVEN_COMMAND = /`((?:npm|npx|node|pytest|python3?|yarn|pnpm|go|cargo|make) [^`\n]+)`/
const TEST_COMMANDS: readonly (readonly [sign: RegExp, command: string])[] = [
  [/\bnode:test\b/, 'node --test'],
  [/\bunittest\b/, 'python3 -m unittest'],
  [/\.py\b/, 'python3 -m pytest -q'],
]

const testCommand = (task: string, ...texts: string[]): string =>
  GIVEN_COMMAND.exec(task)?.[1] ??
  TEST_COMMANDS.find(([sign]) => [task, ...texts].some((text) => sign.test(text)))?.[1] ??
  'npm test'

const nameIn = ({ function: { parameters } }: Tool, property: Property): string | undefined =>
  Object.keys(parameters?.properties ?? {}).find((name) => PROPERTIES[property].test(name))

const PLAIN_VALUES: Fields = { number: 1, integer: 1, boolean: false, array: [] }

/** Uses the property names of the tool's schema. Other required properties get a default value of their type. */
function callOf(tool: Tool | undefined, input: Partial<Record<Property, unknown>>): Call | undefined {
  if (!tool) return undefined
  const { name, parameters } = tool.function
  const typeOf = (each: string) => parameters?.properties?.[each]?.type
  const defaultOf = (each: string) =>
    parameters?.properties?.[each]?.enum?.[0] ?? PLAIN_VALUES[`${typeOf(each)}`]
  const plain = parameters?.required?.map((each) => [each, defaultOf(each) ?? 'One step'])
  const given = Object.entries(input).flatMap(([property, value]) => {
    const own = nameIn(tool, property as Property)
    const isScript = own !== undefined && typeOf(own) === 'array' && typeof value === 'string'
    return own === undefined ? [] : [[own, isScript ? ['bash', '-lc', value] : value]]
  })
  return { name, arguments: JSON.stringify(Object.fromEntries([...(plain ?? []), ...given])) }
}

function valueIn(input: Fields, property: Property): string | undefined {
  const [, value] = Object.entries(input).find(([name]) => PROPERTIES[property].test(name)) ?? []
  // Some clients take a command as a list of words, the last of which is the script.
  const text = Array.isArray(value) ? value.at(-1) : value
  return typeof text === 'string' ? text : undefined
}

/** The output of a tool without the wrapping of the client: JSON, tags, line numbers. */
function outputOf(result: string): string {
  const { output } = parsed(result)
  const text = typeof output === 'string' ? output : result.replace(/^[\s\S]{0,200}\nOutput:\n/, '')
  const inner = /<(?:content|file)>\n([\s\S]*?)\n?<\/(?:content|file)>/.exec(text)?.[1] ?? text
  const lines = inner.replace(/\n*\(End of file[^\n]*\)\s*$/, '\n').split('\n')
  const [, last, all] = /: lines \d+-(\d+) of (\d+)\./.exec(lines[0] ?? '') ?? []
  if (last !== all) return 'Error: only a part of the file was read.'
  const number = /^\s*\d+(?:\t| ?\| ?|: |→)/
  const numbered = lines.filter((line) => number.test(line))
  const isNumbered = numbered.length > 0 && numbered.length >= lines.filter((line) => line !== '').length - 2
  return isNumbered ? numbered.map((line) => `${line.replace(number, '')}\n`).join('') : lines.join('\n')
}

function parsed(text: string): Fields {
  try {
    return Object(JSON.parse(text)) as Fields
  } catch {
    return {}
  }
}
