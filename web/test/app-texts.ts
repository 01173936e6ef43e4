// All texts of the app that are looked up in translations, read from its source and from the recipes of coding clients.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLIENT_RECIPES } from '@cowrie/sdk/clients'

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url))
const LITERAL = `('(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*")`
const PLAIN = new RegExp(`(?<![.\\w])(?:t|msg)\\(\\s*${LITERAL}`, 'g')
const COUNTED = new RegExp(`(?<![.\\w])tn\\(\\s*[^'"]+?,\\s*${LITERAL},\\s*${LITERAL}`, 'g')
const INSIDE = new RegExp(`<Trans\\s+text=(?:\\{\\s*)?${LITERAL}`, 'g')

export type AppText = { plain: Set<string>; counted: Set<string>; unread: string[] }

/** The texts in these folders. `unread`: calls whose text is not a literal. */
export function appTextsIn(folders: readonly string[]): AppText {
  const said: AppText = { plain: new Set(), counted: new Set(), unread: [] }
  for (const file of folders.flatMap(sourcesIn)) {
    const text = readFileSync(file, 'utf8')
    for (const [, literal = ''] of text.matchAll(PLAIN)) said.plain.add(textOf(literal))
    for (const [, literal = ''] of text.matchAll(INSIDE)) said.plain.add(textOf(literal))
    const counted = [...text.matchAll(COUNTED)]
    for (const [, , other = ''] of counted) said.counted.add(textOf(other))
    const calls = text.match(/(?<![.\w]|function )tn\(/g)?.length ?? 0
    const sentences = text.match(/<Trans\b/g)?.length ?? 0
    if (calls !== counted.length || sentences !== [...text.matchAll(INSIDE)].length)
      said.unread.push(file.slice(SOURCE.length))
    if (/(?<![.\w])(?:t|msg)\(\s*`/.test(text)) said.unread.push(`${file.slice(SOURCE.length)} (template)`)
  }
  if (folders.includes('screens/tools')) for (const text of recipeTexts()) said.plain.add(text)
  return said
}

/** The sentences of the recipes. A start without a full stop is a command. */
const recipeTexts = (): string[] =>
  CLIENT_RECIPES.flatMap(({ steps, start, notes }) => [
    ...steps,
    ...notes,
    ...(start.endsWith('.') ? [start] : []),
  ])

/** The folders and files of the shell, which every screen loads. */
export const SHELL = ['data', 'i18n', 'router', 'ui', 'screens/frame', 'screens/shared', 'screens/table.ts']

/** The areas of the app: one folder of screens each. */
export const areasOfApp = (): string[] =>
  readdirSync(join(SOURCE, 'screens'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !SHELL.includes(`screens/${entry.name}`))
    .map(({ name }) => name)

function sourcesIn(path: string): string[] {
  if (path.endsWith('.ts')) return [join(SOURCE, path)]
  return readdirSync(join(SOURCE, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The text of a string literal. */
const textOf = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(/\\u\{?([0-9a-fA-F]{4})\}?/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\\(.)/gs, '$1')
