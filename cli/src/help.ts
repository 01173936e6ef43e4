// The help, printed from the commands themselves.
import type { Command, Option } from './command.ts'
import { columns } from './output.ts'

export const GLOBAL_OPTIONS = {
  'base-url': {
    type: 'string',
    placeholder: '<url>',
    summary:
      'Where the service is; else COWRIE_URL, else where you signed in last, else http://127.0.0.1:8080.',
  },
  json: { type: 'boolean', summary: 'Print the result, or the failure, as JSON.' },
  help: { type: 'boolean', short: 'h', summary: 'Explain a command.' },
} as const satisfies Record<string, Option>

export function helpOf(commands: readonly Command[]): string[] {
  return [
    'Usage: cowrie <command> [options]',
    '',
    ...columns(commands.map(({ name, usage, summary }) => [usage ? `${name} ${usage}` : name, summary])),
    '',
    ...columns(optionRows(GLOBAL_OPTIONS)),
    '',
    'COWRIE_API_KEY is the key that calls are made with; else the one that "cowrie login" stored.',
    'Exit codes: 0 done, 1 refused, 2 not understood, 3 service not reached, 130 interrupted.',
  ]
}

export function helpOfOne({ name, usage, summary, options = {} }: Command): string[] {
  return [
    `Usage: cowrie ${name}${usage ? ` ${usage}` : ''} [options]`,
    '',
    summary,
    '',
    ...columns(optionRows({ ...options, ...GLOBAL_OPTIONS })),
  ]
}

const optionRows = (options: Readonly<Record<string, Option>>): [string, string][] =>
  Object.entries(options).map(([name, { short, placeholder, summary }]) => [
    `${short ? `-${short}, ` : ''}--${name}${placeholder ? ` ${placeholder}` : ''}`,
    summary,
  ])
