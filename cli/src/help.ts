// The help, printed from the commands themselves.
import type { Command, Option } from './command.ts'
import { EXAMPLES } from './examples.ts'
import { EXIT_WORDS } from './exits.ts'
import { columns, wrapText } from './terminal/wrap.ts'

export const GLOBAL_OPTIONS = {
  org: { type: 'string', placeholder: '<id>', summary: 'The organisation to work for.', complete: 'orgs' },
  json: { type: 'boolean', summary: 'Print the result, or the failure, as JSON; a stream as lines of it.' },
  quiet: { type: 'boolean', short: 'q', summary: 'No remarks and no progress.' },
  yes: { type: 'boolean', short: 'y', summary: 'Agree beforehand to what would be asked.' },
  'max-cost': {
    type: 'string',
    placeholder: '<amount>',
    summary: 'The most this may cost, such as 500; what could cost more is not begun.',
  },
  'idempotency-key': {
    type: 'string',
    placeholder: '<key>',
    summary: 'A name for this very intent: sent twice, it is done and paid once.',
  },
  timeout: { type: 'string', placeholder: '<seconds>', summary: 'How long an answer is waited for.' },
  'data-saver': { type: 'boolean', summary: 'Send and fetch as little as possible.' },
  'no-color': { type: 'boolean', summary: 'No colours; the same as NO_COLOR.' },
  profile: { type: 'string', placeholder: '<name>', summary: 'Other keys and settings than usual.' },
  'base-url': {
    type: 'string',
    placeholder: '<url>',
    summary:
      'Where the service is; else COWRIE_URL, else where you signed in last, else http://127.0.0.1:8080.',
  },
  help: { type: 'boolean', short: 'h', summary: 'Explain a command.' },
} as const satisfies Record<string, Option>

export function helpOf(commands: readonly Command[], width: number): string[] {
  const shown = commands.filter(({ hidden }) => !hidden)
  return [
    'Usage: cowrie <command> [options]',
    ...wrapText('Begin with "cowrie auth login"; "cowrie help <command>" explains a command.', width),
    '',
    ...columns(shown.map(rowOf), width),
    '',
    ...columns(optionRows(GLOBAL_OPTIONS), width),
    '',
    ...wrapText(
      'The key is taken from COWRIE_API_KEY, else from what "cowrie auth login" has stored.',
      width,
    ),
    '',
    'Exit codes:',
    ...columns(
      EXIT_WORDS.map(([code, words]) => [String(code).padStart(2), words]),
      width,
    ),
  ]
}

/** The commands that share their first word. */
export const helpOfGroup = (commands: readonly Command[], width: number): string[] => [
  ...columns(commands.map(rowOf), width),
  '',
  'Options and more: cowrie help <command>',
]

export function helpOfOne(
  { name, usage, summary, options = {} }: Command,
  below: readonly Command[],
  width: number,
): string[] {
  return [
    `Usage: cowrie ${name}${usage ? ` ${usage}` : ''} [options]`,
    '',
    ...wrapText(summary, width),
    '',
    ...examplesOf(name),
    ...(below.length > 0 ? [...columns(below.map(rowOf), width), ''] : []),
    ...columns(optionRows({ ...options, ...GLOBAL_OPTIONS }), width),
  ]
}

/** As they are typed, however narrow the terminal: a broken line could not be copied. */
function examplesOf(name: string): string[] {
  const examples = EXAMPLES[name] ?? []
  return examples.length === 0 ? [] : ['Examples:', ...examples.map((line) => `  ${line}`), '']
}

const rowOf = ({ name, usage, summary }: Command): [string, string] => [
  usage ? `${name} ${usage}` : name,
  summary,
]

const optionRows = (options: Readonly<Record<string, Option>>): [string, string][] =>
  Object.entries(options).map(([name, { short, placeholder, summary }]) => [
    `${short ? `-${short}, ` : ''}--${name}${placeholder ? ` ${placeholder}` : ''}`,
    summary,
  ])
