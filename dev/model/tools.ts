// Acts as a coding agent: reads the files of a task, edits them, runs the tests once, and answers. It repeats no call and
// limits their number, so that a client never loops.
import { isDeepStrictEqual } from 'node:util'
import { hunkOf, outcomeOf } from './outcome.ts'
import { type Message, requestIn } from './prompt.ts'
import { pathsIn } from './tasks.ts'

type Properties = Readonly<Record<string, { readonly type?: string }>>
type Schema = { readonly properties?: Properties; readonly required?: readonly string[] }
export type Tool = { readonly function: { readonly name: string; readonly parameters?: Schema } }
export type Call = { readonly name: string; readonly arguments: string }
type Done = { readonly call: Call; readonly input: Fields; readonly output: string }
type Fields = Readonly<Record<string, unknown>>

const CALLS_MAX = 12
const FILES_MAX = 4
/** Property names of tools in common clients. */
const PROPERTIES = {
  path: /^(file_?)?(path|name)$|^file$|^target_file$/i,
  old: /^old|^search|^find/i,
  fresh: /^new|^replace/i,
  content: /^(content|contents|text|file_text|code)$/i,
  command: /^(command|cmd|script)$/i,
} as const
type Property = keyof typeof PROPERTIES
// Tools that take a path or a name but handle no source files.
const NOT_FOR_CODE = /image|picture|screenshot|url|web|browser|skill|resource/i

/** The next tool call, or the final answer; null when the task needs no tools. */
export function nextCall(messages: readonly Message[], tools: readonly Tool[]): Call | string | null {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const task = requestIn(messages[at]?.content ?? '')
  const done = callsIn(messages.slice(at + 1))
  const files = filesIn(done)
  const { changes, report } = outcomeOf(task, files)
  const command = testCommand(task)

  const usable = tools.filter((tool) => !NOT_FOR_CODE.test(tool.function.name))
  const find = (name: RegExp, ...properties: Property[]) =>
    usable.find((tool) => name.test(tool.function.name) && properties.every((each) => nameIn(tool, each)))
  const shell = find(/bash|shell|exec|terminal|command|run/i, 'command')
  const reader = find(/read|view|open|cat|get_?file/i, 'path')
  const editor = find(/./, 'path', 'old', 'fresh')
  const writer = find(/write|create|save/i, 'path', 'content')
  const run = (script: string) => callOf(shell, { command: script })
  const read = (path: string) => (reader ? callOf(reader, { path }) : run(`cat ${path}`))
  const edits = changes.map(({ path, before, after }) => {
    const hunk = before === undefined ? undefined : hunkOf(before, after)
    if (editor && hunk) return callOf(editor, { path, old: hunk.find, fresh: hunk.replacement })
    if (writer) return callOf(writer, { path, content: after })
    return run(`cat > ${path} <<'END_OF_FILE'\n${after}END_OF_FILE`)
  })
  const tests = files.size > 0 && /\btests?\b|\bpass(es)?\b/i.test(task) ? run(command) : undefined

  const isMade = (call: Call) =>
    done.some((each) => each.call.name === call.name && isSameInput(parsed(call.arguments), each.input))
  const plan = [...pathsIn(task).slice(0, FILES_MAX).map(read), ...edits, tests]
  const next = done.length < CALLS_MAX && plan.find((call) => call !== undefined && !isMade(call))
  if (next) return next
  if (done.length === 0) return null
  const tested = done.find(({ input }) => valueIn(input, 'command') === command)
  const printed = tested?.output.trim().split('\n').slice(-8).join('\n')
  return [...report, ...(tested ? [`\`${command}\` printed:\n\`\`\`\n${printed}\n\`\`\``] : [])].join('\n\n')
}

function callsIn(messages: readonly Message[]): Done[] {
  const results = new Map(messages.map(({ tool_call_id, content }) => [tool_call_id, content]))
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? [])
  const doneOf = (call: Call, output = '') => ({
    call,
    input: parsed(call.arguments),
    output: outputOf(output),
  })
  return calls.map(({ id, function: call }) => doneOf(call, results.get(id)))
}

/** Some clients send a call back with its properties in another order, or with more of them. */
const isSameInput = (planned: Fields, made: Fields): boolean =>
  Object.entries(planned).every(([name, value]) => isDeepStrictEqual(value, made[name]))

/** The files that were read, by path. */
function filesIn(done: readonly Done[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { input, output } of done) {
    const isWrite = (['old', 'content'] as const).some((each) => valueIn(input, each) !== undefined)
    const path = /^cat ([^ >]+)$/.exec(valueIn(input, 'command') ?? '')?.[1] ?? valueIn(input, 'path')
    const isMissing = /^\s*(error\b|.{0,80}(no such file|not found|does not exist|ENOENT))/i.test(output)
    if (path !== undefined && !isWrite && !isMissing) files.set(path, output)
  }
  return files
}

const testCommand = (task: string): string =>
  /`((?:npm|npx|node|pytest|python3?|yarn|pnpm) [^`\n]+)`/.exec(task)?.[1] ??
  (/\.py\b/.test(task) ? 'python3 -m pytest -q' : 'npm test')

const nameIn = ({ function: { parameters } }: Tool, property: Property): string | undefined =>
  Object.keys(parameters?.properties ?? {}).find((name) => PROPERTIES[property].test(name))

const PLAIN_VALUES: Fields = { number: 1, integer: 1, boolean: false, array: [] }

/** Uses the property names of the tool's schema. Other required properties get a default value of their type. */
function callOf(tool: Tool | undefined, input: Partial<Record<Property, string>>): Call | undefined {
  if (!tool) return undefined
  const { name, parameters } = tool.function
  const typeOf = (each: string) => parameters?.properties?.[each]?.type
  const plain = parameters?.required?.map((each) => [each, PLAIN_VALUES[typeOf(each) ?? ''] ?? 'One step'])
  const given = Object.entries(input).map(([property, value]) => {
    const own = nameIn(tool, property as Property) ?? ''
    return [own, typeOf(own) === 'array' ? ['bash', '-lc', value] : value]
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
  const number = /^\s*\d+(?:\t|\| ?|: |→)/
  const isNumbered = lines.every((line) => line === '' || number.test(line))
  return (isNumbered ? lines.map((line) => line.replace(number, '')) : lines).join('\n')
}

function parsed(text: string): Fields {
  try {
    return Object(JSON.parse(text)) as Fields
  } catch {
    return {}
  }
}
