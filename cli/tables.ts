// Prints the tables of the README from the command definitions: `node cli/tables.ts` rewrites them, a test compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { commands } from './src/commands/index.ts'
import { EXIT_LABELS } from './src/exit-codes.ts'
import { GLOBAL_OPTIONS } from './src/help.ts'
import { SETTINGS } from './src/system/config.ts'

const README = new URL('README.md', import.meta.url)

/** The README with its tables as they should be. */
export function withTables(text: string): string {
  return Object.entries(TABLES).reduce(
    (whole, [name, rows]) =>
      whole.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`),
        (_, begin: string, end: string) => `${begin}${rows().join('\n')}\n${end}`,
      ),
    text,
  )
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
const code = (text: string): string => `\`${cell(text)}\``
const table = (head: string[], rows: string[][]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const TABLES: Readonly<Record<string, () => string[]>> = {
  commands: () =>
    table(
      ['Command', 'Description'],
      commands
        .filter(({ hidden }) => !hidden)
        .map(({ name, usage, summary }) => [code(usage ? `${name} ${usage}` : name), cell(summary)]),
    ),
  options: () =>
    table(
      ['Option', 'Description'],
      Object.entries(GLOBAL_OPTIONS).map(([name, option]) => [
        code(
          `${'short' in option ? `-${option.short}, ` : ''}--${name}${'placeholder' in option ? ` ${option.placeholder}` : ''}`,
        ),
        cell(option.summary),
      ]),
    ),
  exits: () =>
    table(
      ['Code', 'Meaning'],
      EXIT_LABELS.map(([exit, words]) => [String(exit), words]),
    ),
  settings: () =>
    table(
      ['Setting', 'Value', 'Default', 'Allowed in a repository'],
      Object.entries(SETTINGS).map(([name, { summary, default: byDefault, allowedInProject }]) => [
        code(name),
        cell(summary),
        byDefault,
        allowedInProject ? 'yes' : 'no',
      ]),
    ),
}

if (import.meta.main) writeFileSync(README, withTables(readFileSync(README, 'utf8')))
