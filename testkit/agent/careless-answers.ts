// Correct and careless answers as various models write them, with the expected files.

import type { Finish } from '@cowrie/server/src/agent/edits/envelope.ts'
import { mark } from '@cowrie/server/src/agent/prompt/markers.ts'

export const NONCE = '7f3a9c12'
const N = NONCE
const m = (words: string): string => mark(NONCE, words)

/** The changed files by path; null for a deleted one. Undefined: the answer is refused. */
export type CarelessAnswer = readonly [
  name: string,
  text: string,
  changes: Readonly<Record<string, string | null>>,
  finish?: Finish,
]

const cart = `import { Item } from './item'

// Sums up a cart.
export function total(items: Item[]): number {
  let sum = 0
  for (const item of items) {
    sum += item.price
  }

  return sum
}

export function count(items: Item[]): number {
  return items.length
}
`
const want = cart.replace('    sum += item.price\n', '    sum += item.price * item.quantity\n')
const main = `import os


class Store:
    def __init__(self, path):
        self.path = path

    def load(self):
        # read everything
        with open(self.path) as file:
            return file.read()

    def save(self, text):
        with open(self.path, "w") as file:
            file.write(text)
`
const wantPy = main.replace('            return file.read()\n', '            return file.read().strip()\n')
const readme = '# Cart\n\nUse it:\n\n```ts\ntotal([])\n```\n'
export const carelessBase: ReadonlyMap<string, string> = new Map([
  ['src/cart.ts', cart],
  ['app/main.py', main],
  ['README.md', readme],
  ['src/item.ts', 'export type Item = { price: number; quantity: number }\n'],
])
const F = '    sum += item.price',
  W = '    sum += item.price * item.quantity'
const LOOP = '  for (const item of items) {\n    sum += item.price\n  }',
  LOOP2 = '  for (const item of items) {\n    sum += item.price * item.quantity\n  }'
const blk = (p: string, f: string, w: string) =>
  [m(`FILE update ${p}`), 'why: count quantities', m('FIND'), f, m('WITH'), w, m('END')].join('\n')
const PLAN = `${m('PLAN')}\n1. Count quantities.`,
  SUM = `${m('SUMMARY')}\nQuantities count now.`
const env = (...b: string[]) => [PLAN, ...b, SUM].join('\n')
const TS = { 'src/cart.ts': want },
  PY = { 'app/main.py': wantPy }
export const carelessAnswers: readonly CarelessAnswer[] = [
  ['exact', env(blk('src/cart.ts', LOOP, LOOP2)), TS],
  ['all of it in a fence', `\`\`\`\n${env(blk('src/cart.ts', LOOP, LOOP2))}\n\`\`\``, TS],
  [
    'fences inside the parts',
    env(blk('src/cart.ts', `\`\`\`ts\n${LOOP}\n\`\`\``, `\`\`\`ts\n${LOOP2}\n\`\`\``)),
    TS,
  ],
  [
    'prose before the plan',
    `I'll help with that. Here is the plan:\n\n${env(blk('src/cart.ts', LOOP, LOOP2))}`,
    TS,
  ],
  [
    'thinking aloud before it',
    '<think>\nThe user wants [[' +
      N +
      ' FILE delete src/item.ts]] hmm no.\n</think>\n' +
      env(blk('src/cart.ts', LOOP, LOOP2)),
    TS,
  ],
  [
    'thinking aloud with only the closing tag',
    'Okay, let me think about it. Maybe\n' +
      m('FILE delete src/item.ts') +
      '\nwhy: not needed\nno, that is wrong.\n</think>\n\n' +
      env(blk('src/cart.ts', LOOP, LOOP2)),
    TS,
  ],
  ['lines that end in CRLF', env(blk('src/cart.ts', LOOP, LOOP2)).replaceAll('\n', '\r\n'), TS],
  [
    'no END before the next file',
    [
      PLAN,
      m('FILE update src/cart.ts'),
      'why: x',
      m('FIND'),
      LOOP,
      m('WITH'),
      LOOP2,
      blk('app/main.py', '            return file.read()', '            return file.read().strip()'),
      SUM,
    ].join('\n'),
    { ...TS, ...PY },
  ],
  [
    'no END before the summary',
    [PLAN, m('FILE update src/cart.ts'), 'why: x', m('FIND'), LOOP, m('WITH'), LOOP2, SUM].join('\n'),
    TS,
  ],
  [
    'prose between the blocks',
    env(
      'Now the first file:\n',
      blk('src/cart.ts', LOOP, LOOP2),
      '\nAnd now the second file, which needs a change as well:\n',
      blk('app/main.py', '            return file.read()', '            return file.read().strip()'),
    ),
    { ...TS, ...PY },
  ],
  ['bold marks', env(blk('src/cart.ts', LOOP, LOOP2)).replace(/(\[\[.*?\]\])/g, '**$1**'), TS],
  ['the nonce of another run', env(blk('src/cart.ts', LOOP, LOOP2)).replaceAll(N, 'deadbeef'), TS],
  ['no nonce', env(blk('src/cart.ts', LOOP, LOOP2)).replaceAll(`${N} `, ''), TS],
  ['the letter that stands for the nonce', env(blk('src/cart.ts', LOOP, LOOP2)).replaceAll(N, 'N'), TS],
  ['a block written twice', env(blk('src/cart.ts', LOOP, LOOP2), blk('src/cart.ts', LOOP, LOOP2)), TS],
  [
    'outdented parts',
    env(
      blk(
        'src/cart.ts',
        'for (const item of items) {\n  sum += item.price\n}',
        'for (const item of items) {\n  sum += item.price * item.quantity\n}',
      ),
    ),
    TS,
  ],
  [
    'outdented parts in a language of indentation',
    env(
      blk(
        'app/main.py',
        'with open(self.path) as file:\n    return file.read()',
        'with open(self.path) as file:\n    return file.read().strip()',
      ),
    ),
    PY,
  ],
  [
    'dots for lines in both parts',
    env(
      blk(
        'src/cart.ts',
        'export function total(items: Item[]): number {\n  ...\n    sum += item.price\n  }',
        'export function total(items: Item[]): number {\n  ...\n    sum += item.price * item.quantity\n  }',
      ),
    ),
    {},
  ],
  [
    'a comment for lines that were left out',
    env(
      blk(
        'src/cart.ts',
        cart.trim().split('\n').slice(3, 11).join('\n'),
        'export function total(items: Item[]): number {\n  // ... existing code ...\n    sum += item.price * item.quantity\n  }\n\n  return sum\n}',
      ),
    ),
    {},
  ],
  [
    'a comment dropped from FIND',
    env(
      blk(
        'app/main.py',
        '    def load(self):\n        with open(self.path) as file:\n            return file.read()',
        '    def load(self):\n        with open(self.path) as file:\n            return file.read().strip()',
      ),
    ),
    PY,
  ],
  [
    'a diff in a fence',
    'Sure!\n\n```diff\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -4,5 +4,5 @@\n   let sum = 0\n   for (const item of items) {\n-    sum += item.price\n+    sum += item.price * item.quantity\n   }\n```\nDone.',
    TS,
  ],
  [
    'SEARCH and REPLACE in a fence',
    `src/cart.ts\n\`\`\`ts\n<<<<<<< SEARCH\n${F}\n=======\n${W}\n>>>>>>> REPLACE\n\`\`\``,
    TS,
  ],
  [
    'SEARCH and REPLACE without a fence',
    `src/cart.ts\n<<<<<<< SEARCH\n${F}\n=======\n${W}\n>>>>>>> REPLACE\n`,
    TS,
  ],
  ['a whole file in a fence below a heading', `### src/cart.ts\n\n\`\`\`ts\n${want}\`\`\`\n`, TS],
  ['a piece of a file in a fence below a heading', `**src/cart.ts**\n\n\`\`\`ts\n${LOOP2}\n\`\`\`\n`, {}],
  [
    'JSON with whole files',
    '```json\n' +
      JSON.stringify({ edits: [{ path: 'src/cart.ts', action: 'update', content: want }] }, null, 1) +
      '\n```',
    TS,
  ],
  ['JSON with find and with', `{"edits":[{"path":"src/cart.ts","find":"${F}","with":"${W}"}]}`, TS],
  [
    'an update with the whole file',
    env([m('FILE update src/cart.ts'), 'why: x', m('BODY'), want.trimEnd(), m('END')].join('\n')),
    TS,
  ],
  [
    'a create of a file that exists',
    env([m('FILE create src/cart.ts'), 'why: x', m('BODY'), want.trimEnd(), m('END')].join('\n')),
    TS,
  ],
  [
    'an update with a piece of the file as if it were all',
    env(
      [
        m('FILE update src/cart.ts'),
        'why: x',
        m('BODY'),
        'export function total(items: Item[]): number {\n  let sum = 0\n  for (const item of items) {\n    sum += item.price * item.quantity\n  }\n\n  return sum\n}',
        m('END'),
      ].join('\n'),
    ),
    {},
  ],
  [
    'a new file that contains fences',
    env(
      [m('FILE create docs/use.md'), 'why: x', m('BODY'), '# Use\n\n```ts\ntotal([])\n```', m('END')].join(
        '\n',
      ),
    ),
    { 'docs/use.md': '# Use\n\n```ts\ntotal([])\n```\n' },
  ],
  [
    'fences that are the text to find',
    env(blk('README.md', '```ts\ntotal([])\n```', '```ts\ntotal([{ price: 1, quantity: 2 }])\n```')),
    { 'README.md': readme.replace('total([])', 'total([{ price: 1, quantity: 2 }])') },
  ],
  [
    'numbers before the lines of FIND',
    env(blk('src/cart.ts', '6:   for (const item of items) {\n7:     sum += item.price\n8:   }', LOOP2)),
    TS,
  ],
  ['a dressed path', env(blk('`./src/cart.ts`', LOOP, LOOP2)), TS],
  [
    'other brackets in lower case',
    env(blk('src/cart.ts', LOOP, LOOP2))
      .replace(/\[\[(\w+) (\w+)/g, (_, n, w) => `<<${n} ${w.toLowerCase()}`)
      .replaceAll(']]', '>>'),
    TS,
  ],
  [
    'cut off within WITH',
    PLAN +
      '\n' +
      [m('FILE update src/cart.ts'), 'why: x', m('FIND'), LOOP, m('WITH'), '  for (const item'].join('\n'),
    {},
    'length',
  ],
  [
    'bent quotes',
    env(
      blk(
        'app/main.py',
        '        with open(self.path, “w”) as file:\n            file.write(text)',
        '        with open(self.path, “w”) as file:\n            file.write(text + "\\n")',
      ),
    ),
    { 'app/main.py': main.replace('file.write(text)', 'file.write(text + "\\n")') },
  ],
  [
    'no END between two hunks',
    env(
      [
        m('FILE update src/cart.ts'),
        'why: x',
        m('FIND'),
        F,
        m('WITH'),
        W,
        m('FIND'),
        '  return items.length',
        m('WITH'),
        '  return items.length | 0',
        m('END'),
      ].join('\n'),
    ),
    { 'src/cart.ts': want.replace('return items.length', 'return items.length | 0') },
  ],
  ['tabs for spaces', env(blk('src/cart.ts', LOOP.replaceAll('  ', '\t'), LOOP2.replaceAll('  ', '\t'))), TS],
  [
    'thinking aloud after the plan, with a mark in it',
    PLAN +
      '\n<thinking>\nmaybe ' +
      m('FILE delete src/item.ts') +
      '\n</thinking>\n' +
      blk('src/cart.ts', LOOP, LOOP2) +
      '\n' +
      SUM,
    TS,
  ],
  [
    'a delete and a create',
    env(
      [m('FILE delete src/item.ts'), 'why: moved'].join('\n'),
      [
        m('FILE create src/items.ts'),
        'why: moved',
        m('BODY'),
        'export type Item = { price: number; quantity: number }',
        m('END'),
      ].join('\n'),
    ),
    { 'src/item.ts': null, 'src/items.ts': 'export type Item = { price: number; quantity: number }\n' },
  ],
  [
    'a mark written twice and a closing bracket as END',
    env(
      [
        m('FILE update src/cart.ts'),
        'why: x',
        m('FIND'),
        m('FIND'),
        LOOP,
        m('WITH'),
        LOOP2,
        `[[/${N}]]`,
      ].join('\n'),
    ),
    TS,
  ],
  ['FIND that occurs twice', env(blk('src/cart.ts', '}', '}\n')), {}],
  [
    'a delete with prose below it',
    env([m('FILE delete src/item.ts'), 'why: unused', 'The type is now in cart.ts.'].join('\n')),
    {},
  ],
  [
    'a fence around each file',
    `Plan below\n${PLAN}\n\`\`\`ts\n${blk('src/cart.ts', LOOP, LOOP2)}\n\`\`\`\n${SUM}`,
    TS,
  ],
  [
    'marks mentioned in the summary',
    `${env(blk('src/cart.ts', LOOP, LOOP2))}\nI used ${m('FIND')} and ${m('END')} marks.`,
    TS,
  ],
  [
    'the path on the next line',
    env([m('FILE update'), 'src/cart.ts', m('FIND'), LOOP, m('WITH'), LOOP2, m('END')].join('\n')),
    TS,
  ],
  [
    'a patch with a beginning and an end',
    '*** Begin Patch\n*** Update File: src/cart.ts\n@@\n   for (const item of items) {\n-    sum += item.price\n+    sum += item.price * item.quantity\n   }\n*** End Patch',
    TS,
  ],
  ['the path in the first comment of a fence', `\`\`\`ts\n// src/cart.ts\n${want}\`\`\``, TS],
  ['commands below a path', 'Run the file\n\nsrc/cart.ts\n\n```sh\nnode src/cart.ts\n```\n', {}],
  [
    'a new file below its name',
    'You should add this to your new config.\n\n`tsconfig.json`:\n\n```json\n{ "strict": true }\n```\n',
    { 'tsconfig.json': '{ "strict": true }\n' },
  ],
]
