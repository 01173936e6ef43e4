// Prints the tables of the README and of docs/terminal.md from the command definitions: `node cli/tables.ts` rewrites them, a test
// compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { GLOBAL_OPTIONS } from './src/arguments/global-options.ts'
import { commands } from './src/commands/index.ts'
import { EXIT_LABELS } from './src/exit-codes.ts'
import { SLASH_COMMANDS } from './src/interactive/slash/table.ts'
import { SETTINGS } from './src/system/config.ts'

export const PAGES = ['README.md', '../docs/terminal.md'].map((path) => new URL(path, import.meta.url))

/** A page with its tables as they should be. */
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
  slash: () =>
    table(
      ['Command', 'Description'],
      SLASH_COMMANDS.map(({ name, usage, summary }) => [
        code(`/${name}${usage ? ` ${usage}` : ''}`),
        cell(summary),
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

if (import.meta.main) for (const page of PAGES) writeFileSync(page, withTables(readFileSync(page, 'utf8')))
