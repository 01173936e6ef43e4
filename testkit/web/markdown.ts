// Markdown as a tree that tests can compare, and patterns to repeat.

import { splitBlocks } from '@cowrie/web/src/ui/markdown/markdown-blocks.ts'
import { type Inline, readInline } from '@cowrie/web/src/ui/markdown/markdown-inline.ts'
import { cellsOf, readBlock } from '@cowrie/web/src/ui/markdown/markdown-nodes.ts'
import { measureCost } from '../harness/cpu-time.ts'

/** A compact tree of the visible structure. */
export function tree(text: string, depth = 0): unknown[] {
  if (depth > 8) return [text]
  return splitBlocks(text).map((block) => {
    const node = readBlock(block)
    if (node.kind === 'list') {
      const items = node.items.map((item) => [
        ...(item.isDone === null ? [] : [item.isDone]),
        ...tree(item.text, depth + 1),
      ])
      return { [node.first === null ? 'ul' : `ol ${node.first}`]: items }
    }
    if (node.kind === 'quote') return { quote: tree(node.text, depth + 1) }
    if (node.kind === 'code')
      return { [`code ${node.language}`]: node.text, ...(node.isClosed ? {} : { open: true }) }
    if (node.kind === 'table')
      return { table: [node.head, ...node.rows.map(cellsOf)], aligns: node.aligns.join(' ') }
    if (node.kind === 'heading') return { [`h${node.level}`]: line(node.text) }
    return node.kind === 'rule' ? 'rule' : line(node.text)
  })
}

export const line = (text: string): string => readInline(text).map(describeInline).join('')

function describeInline(node: Inline): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'break') return '⏎'
  if (node.kind === 'cite') return `{cite ${node.n}}`
  if (node.kind === 'code') return `{code ${node.text}}`
  const inner = node.children.map(describeInline).join('')
  return node.kind === 'link' ? `{link ${node.href} ${inner}}` : `{${node.kind} ${inner}}`
}

/** Pieces of syntax, complete and cut off. */
export const PATTERNS = [
  '*',
  '**',
  '_',
  '~~',
  '`',
  '``` ',
  '[',
  ']',
  '](',
  '[a](',
  '[a](b',
  '![',
  '<',
  '<a',
  '&',
  '\\',
  '>',
  '> > ',
  '- ',
  '-\n',
  '  - a\n',
  '1. ',
  '#',
  '# ',
  '|',
  '|-',
  '| a | b |\n|---|---|\n',
  'http://',
  'https://a.b/(',
  '*a ',
  'a* ',
  '**a *a ',
  '*a _b ',
  '*a**b',
  '\n',
  ' ',
  '\t',
  '-  ',
  '~~~',
  '= ',
  '===\n',
  '[a](b "',
  ':-',
  '[1]',
  '`a``b```c',
  '<br>',
  '\u202e',
  '\u{1f469}\u200d',
  '- [ ] ',
  '> - ',
  '    ',
  '"',
]

export const full = (text: string) => JSON.stringify(tree(text)).length

/** The cost to read 200 kB of a pattern. */
export function readingCost(pattern: string): number {
  const text = pattern.repeat(Math.ceil(200_000 / pattern.length))
  return measureCost(() => {
    full(text)
    full(`# ${text}x`)
  })
}
