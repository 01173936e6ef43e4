// Content tables can be in another schema or database. This rule finds statements that use them through the wrong connection.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Token } from './sources.ts'

/** The tables that the migrations in a folder create. */
export function contentTablesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/^create table (\w+)/gim)])
    .map(([, table = '']) => table)
}

/** Whether a statement uses content tables without `.content`, or other tables with it. */
export function contentProblem(tokens: Token[], at: number, contentTables: readonly string[]): boolean {
  const text = statementText(tokens, at)
  const words = new Set(text.match(/\w+/g))
  if (!isBehindContent(tokens, at)) return contentTables.some((table) => words.has(table))
  const named = tablesNamed(text)
  return named.length === 0 || named.some((name) => !contentTables.includes(name))
}

/** The tables that the statement at a token reads or writes. */
export const tablesInStatement = (tokens: Token[], at: number): string[] =>
  tablesNamed(statementText(tokens, at))

/** The text of one template literal, with a space in place of each value. */
function statementText(tokens: Token[], at: number): string {
  const parts: string[] = []
  let depth = 0
  for (const token of tokens.slice(at)) {
    if (token.kind !== 'template') continue
    if (token.text.startsWith('`')) depth++
    if (depth === 1) parts.push(token.text.replace(/^[`}]|(`|\$\{)$/g, ' '))
    if (token.text.endsWith('`')) depth--
    if (depth === 0) break
  }
  return parts.join(' ')
}

/** Whether the tag is `….content.rows` or similar, with or without a type argument. */
function isBehindContent(tokens: Token[], at: number): boolean {
  let i = at - 1
  if (tokens[i]?.text === '>') {
    for (let depth = 0; i >= 0; i--) {
      if (tokens[i]?.text === '>' && tokens[i - 1]?.text !== '=') depth++
      if (tokens[i]?.text === '<' && --depth === 0) break
    }
    i--
  }
  return tokens[i - 1]?.text === '.' && tokens[i - 2]?.text === 'content' && tokens[i - 3]?.text === '.'
}

/** The tables that a statement names, without its CTEs. */
function tablesNamed(text: string): string[] {
  const given = new Set([...text.matchAll(/(?:\bwith|,)\s+(\w+)\s+as\s*\(/gi)].map(([, name]) => name))
  const words = text.match(/[\w.]+|[(),]/g) ?? []
  return words.flatMap((_, at) => tablesAfter(words, at)).filter((name) => !given.has(name))
}

function tablesAfter(words: readonly string[], at: number): string[] {
  const [before = '', word = '', next = ''] = [words[at - 1], words[at], words[at + 1]]
  if (/^(into|update)$/i.test(word)) return /^(for|do)$/i.test(before) ? [] : [next]
  if (!/^(from|join|using)$/i.test(word) || /^distinct$/i.test(before)) return []
  return listed(words.slice(at + 1))
}

/** The tables of a FROM list, up to a subquery or function, which has a separate FROM. */
function listed(words: readonly string[]): string[] {
  const [name = ',', next, afterNext] = words
  if (/^(lateral|only)$/i.test(name)) return listed(words.slice(1))
  if (!/^\w/.test(name) || next === '(') return []
  if (/^as$/i.test(next ?? '')) return [name, ...listed(words.slice(words[3] === ',' ? 4 : words.length))]
  const comma = next === ',' ? 0 : afterNext === ',' ? 1 : words.length
  return [name, ...listed(words.slice(comma + 2))]
}
