// The help, printed from the command definitions.
import type { Command, Option } from './command.ts'
import { EXAMPLES } from './examples.ts'
import { EXIT_LABELS } from './exit-codes.ts'
import { columns, wrapText } from './terminal/wrap.ts'

export const GLOBAL_OPTIONS = {
  org: { type: 'string', placeholder: '<id>', summary: 'The organisation to use.', complete: 'orgs' },
  json: { type: 'boolean', summary: 'Print the result or error as JSON; streams as JSON lines.' },
  quiet: { type: 'boolean', short: 'q', summary: 'Hide notes and progress.' },
  yes: { type: 'boolean', short: 'y', summary: 'Answer yes to every question.' },
  'max-cost': {
    type: 'string',
    placeholder: '<amount>',
    summary: 'The maximum cost, such as 500. A command that could cost more does not start.',
  },
  'idempotency-key': {
    type: 'string',
    placeholder: '<key>',
    summary: 'A name for this request. Sending it twice runs and charges it once.',
  },
  timeout: { type: 'string', placeholder: '<seconds>', summary: 'How long to wait for a response.' },
  'data-saver': { type: 'boolean', summary: 'Send and download as little as possible.' },
  'no-color': { type: 'boolean', summary: 'No colours; same as NO_COLOR.' },
  profile: { type: 'string', placeholder: '<name>', summary: 'Use the keys and settings of this profile.' },
  'base-url': {
    type: 'string',
    placeholder: '<url>',
    summary:
      'The address of the service. Default: COWRIE_URL, then your last sign-in, then http://127.0.0.1:8080.',
  },
  help: { type: 'boolean', short: 'h', summary: 'Show help for a command.' },
} as const satisfies Record<string, Option>

export function helpOf(commands: readonly Command[], width: number): string[] {
  const shown = commands.filter(({ hidden }) => !hidden)
  return [
    'Usage: cowrie <command> [options]',
    ...wrapText(
      'Start with "cowrie auth login". "cowrie" alone works with the agent in this folder. "cowrie help <command>" explains a command.',
      width,
    ),
    '',
    ...columns(shown.map(rowOf), width),
    '',
    ...columns(optionRows(GLOBAL_OPTIONS), width),
    '',
    ...wrapText('The key comes from COWRIE_API_KEY, or from "cowrie auth login".', width),
    '',
    'Exit codes:',
    ...columns(
      EXIT_LABELS.map(([code, words]) => [String(code).padStart(2), words]),
      width,
    ),
  ]
}

/** The commands with this first word. */
export const helpOfGroup = (commands: readonly Command[], width: number): string[] => [
  ...columns(commands.map(rowOf), width),
  '',
  'Options and examples: cowrie help <command>',
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

/** Examples are not wrapped, so that they can be copied. */
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
