// The help, printed from the command definitions.
import { GLOBAL_OPTIONS } from './arguments/global-options.ts'
import type { Command, Option } from './command.ts'
import { EXAMPLES } from './examples.ts'
import { EXIT_LABELS } from './exit-codes.ts'
import { columns, wrapText } from './terminal/wrap.ts'

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
