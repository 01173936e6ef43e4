// The tools as a model sees them, and the check of the arguments that it sends.
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import type { ToolCall, ToolName } from '@cowrie/workspace/tools/tool-types.ts'
import { toOwnNames } from '@cowrie/workspace/tools/usual-arguments.ts'
import { z } from 'zod'
import type { ClientTool, TurnMode } from '../types.ts'
import type { ClientToolCall } from './tool-types.ts'

const PATH_CHARACTERS_MAX = 400
const TEXT_CHARACTERS_MAX = 400 * 1024

const path = z
  .string()
  .min(1)
  .max(PATH_CHARACTERS_MAX)
  .describe('Relative to the root of the workspace, such as src/app.ts.')
const folder = z.string().max(PATH_CHARACTERS_MAX)
const glob = z.string().min(1).max(PATH_CHARACTERS_MAX)
const line = z.int().min(1).max(10_000_000)

const INPUTS = {
  list: z.strictObject({
    path: folder.optional().describe('A folder. Default: the root.'),
    depth: z.int().min(1).max(10).optional().describe('Levels of folders. Default: 2.'),
    pattern: glob.optional().describe('A glob, such as **/*.test.ts. Lists matching files of any depth.'),
  }),
  read: z.strictObject({
    path,
    from: line.optional().describe('The first line, from 1.'),
    to: line.optional().describe('The last line.'),
  }),
  search: z.strictObject({
    query: z.string().min(1).max(1_000),
    kind: z
      .enum(['text', 'regex', 'symbol', 'meaning'])
      .describe(
        'text: exact text; a query in lower case ignores case. regex: a JavaScript regular expression. symbol: where a name is defined. meaning: a question or description in words.',
      ),
    path: folder.optional().describe('Only this folder or file.'),
    glob: glob.optional().describe('Only files that match, such as *.py.'),
    limit: z.int().min(1).max(200).optional().describe('Default: 50.'),
  }),
  edit: z.strictObject({
    path,
    edits: z
      .array(
        z.strictObject({
          find: z
            .string()
            .max(TEXT_CHARACTERS_MAX)
            .describe('Text of the file, copied exactly, without line numbers.'),
          replace: z.string().max(TEXT_CHARACTERS_MAX).describe('The new text. Empty: removes it.'),
          all: z
            .boolean()
            .optional()
            .describe('Replaces every occurrence. Without it, find must occur exactly once.'),
        }),
      )
      .min(1)
      .max(100),
  }),
  create: z.strictObject({
    path,
    content: z.string().max(TEXT_CHARACTERS_MAX).describe('The whole content.'),
    overwrite: z.boolean().optional().describe('Replaces an existing file.'),
  }),
  delete: z.strictObject({ path }),
  run: z.strictObject({
    command: z.string().min(1).max(8_000).describe('A shell command, run in the root of the workspace.'),
    timeoutSeconds: z.int().min(1).max(300).optional().describe('Default: 120.'),
  }),
} as const satisfies Record<ToolName, z.ZodType>

const DESCRIPTIONS: Readonly<Record<ToolName, string>> = {
  list: 'Lists folders with the number of their files, and files with their sizes.',
  read: 'Reads a file, or lines of it. Each line begins with its number and "| ", which are not part of the file.',
  search: 'Searches the files of the workspace. Returns paths, line numbers and lines.',
  edit: 'Changes a file by exact replacements. All edits are applied in order, or none. A failure returns the closest lines.',
  create: 'Creates a file. Fails if it exists, unless overwrite is true.',
  delete: 'Deletes a file.',
  run: 'Runs a command, such as the tests, on a copy of the workspace, without network access. Files that it writes are discarded. Long output is shortened.',
}

/** In a client workspace the caller runs the command in the real folder. */
const CLIENT_RUN =
  'Runs a command, such as the tests, in the folder on the computer of the caller. Files that it changes stay changed. The caller decides about network access, and may refuse the command. Long output is shortened.'

const READ_ONLY: ReadonlySet<string> = new Set<ToolName>(['list', 'read', 'search'])

export type ToolDefinition = {
  readonly name: ToolName
  readonly description: string
  /** A JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly isReadOnly: boolean
}

export const TOOL_NAMES = Object.keys(INPUTS) as readonly ToolName[]

export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((each) => each === name)

export const TOOLS: readonly ToolDefinition[] = TOOL_NAMES.map((name) => {
  const { $schema: _, ...schema } = z.toJSONSchema(INPUTS[name])
  return { name, description: DESCRIPTIONS[name], schema, isReadOnly: READ_ONLY.has(name) }
})

/** The same tools, as a caller runs them. */
export const CLIENT_WORKSPACE_TOOLS: readonly ToolDefinition[] = TOOLS.map((tool) =>
  tool.name === 'run' ? { ...tool, description: CLIENT_RUN } : tool,
)

export type CallRules = {
  /** Tools that the caller brings, beside those of the service. */
  readonly clientTools: readonly ClientTool[]
  readonly mode: TurnMode
}

export const PLAN_PROBLEM =
  'Nothing was done: this turn only plans, so tools that may change something are not available. Use the tools that read, and answer with the plan.'

const ARGUMENTS_CHARACTERS_MAX = 2 << 20
const ISSUES_SHOWN = 5

/** The call of a model, or a problem that is worded for it. */
export function readOfferedCall(
  name: string,
  argumentsText: string,
  { clientTools, mode }: CallRules,
): { readonly call: ToolCall | ClientToolCall } | { readonly problem: string } {
  const own = clientTools.find((each) => each.name === name)
  if (!own && !isToolName(name)) return unknownTool(name, clientTools)
  if (mode === 'plan' && !(own ? own.isReadOnly : READ_ONLY.has(name))) return { problem: PLAN_PROBLEM }
  if (!own) return readToolCall(name, argumentsText)
  const input = parseObject(argumentsText)
  return typeof input === 'string' ? { problem: input } : { call: { name, input } }
}

/** As `readOfferedCall`, for the tools of the service alone. */
export function readToolCall(
  name: string,
  argumentsText: string,
): { readonly call: ToolCall } | { readonly problem: string } {
  if (!isToolName(name)) return unknownTool(name, [])
  const input = parseObject(argumentsText)
  if (typeof input === 'string') return { problem: input }
  const { data, error } = INPUTS[name].safeParse(tidy(name, toOwnNames(name, input)))
  if (error) return { problem: `The arguments of ${name} are wrong: ${describeIssues(error)}` }
  // The schema of the tool has checked the input.
  return { call: { name, input: data } as ToolCall }
}

function unknownTool(name: string, clientTools: readonly ClientTool[]) {
  const names = [...TOOL_NAMES, ...clientTools.map((each) => each.name)]
  return { problem: `There is no tool ${quote(name)}. The tools are ${names.join(', ')}.` }
}

/** The object, or a problem. */
function parseObject(text: string): Record<string, unknown> | string {
  if (text.length > ARGUMENTS_CHARACTERS_MAX) return 'The arguments are too long.'
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
    return 'The arguments must be a JSON object.'
  } catch (error) {
    return `The arguments are not valid JSON: ${toPlainText((error as Error).message).slice(0, 200)}`
  }
}

const NUMBERS: ReadonlySet<string> = new Set(['from', 'to', 'depth', 'limit', 'timeoutSeconds'])
const OPTIONAL: ReadonlySet<string> = new Set(['path', 'glob', 'pattern', ...NUMBERS, 'all', 'overwrite'])

/** Accepts what models often write: numbers as strings, null for a missing value, `./` before a path. */
function tidy(tool: ToolName, input: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    if (value === null && OPTIONAL.has(key)) return []
    if (NUMBERS.has(key) && typeof value === 'string' && /^\d{1,9}$/.test(value))
      return [[key, Number(value)]]
    if (key === 'path' && typeof value === 'string')
      return [[key, tidyPath(value, tool === 'list' || tool === 'search')]]
    return [[key, value]]
  })
  return Object.fromEntries(entries)
}

/** A folder may be written as `.`, `/` or with a slash at its end. */
function tidyPath(path: string, isFolder: boolean): string {
  const relative = path.replace(/^(?:\.\/)+/, '')
  return isFolder ? relative.replace(/^[./]$/, '').replace(/(?<=[^/])\/$/, '') : relative
}

const describeIssues = (error: z.ZodError): string =>
  error.issues
    .slice(0, ISSUES_SHOWN)
    .map(
      ({ path, message }) => `${path.length > 0 ? `${quote(path.join('.'))}: ` : ''}${toPlainText(message)}`,
    )
    .join('; ')

const quote = (text: string): string => JSON.stringify(toPlainText(text).slice(0, 100))
