import { describe, expect, test } from 'vitest'
import { parseLine } from './arguments/parse.ts'
import { commands } from './commands/index.ts'
import { session } from './commands/session/session.ts'
import { EXAMPLES } from './examples.ts'
import { helpOf, helpOfOne } from './help.ts'
import { widthOf } from './terminal/width.ts'

const shown = commands.filter(({ hidden }) => !hidden)
const pagesIn = (width: number) => [
  helpOf(commands, width),
  ...shown.map((command) => helpOfOne(command, [], width)),
]

test('every command has an example, and every example belongs to a command', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(shown.map(({ name }) => name).sort())
})

test.for(Object.entries(EXAMPLES).flatMap(([name, lines]) => lines.map((line) => [line, name] as const)))(
  'the example %s parses',
  ([line, name]) => {
    expect(parseLine(wordsOf(line), commands, session)).toMatchObject({ kind: 'run', command: { name } })
  },
)

describe('help', () => {
  test('of a command shows its examples', () => {
    const [run] = shown.filter(({ name }) => name === 'run')
    expect(run && helpOfOne(run, [], 80)).toEqual(
      expect.arrayContaining(['Examples:', '  cowrie run "Make add() add." -f src/add.js']),
    )
  })

  test.for([40, 80, 120])('fits %d columns without splitting a word', (width) => {
    const words = (lines: string[]) => lines.flatMap((line) => line.trim().split(/\s+/))
    const whole = new Set(words(pagesIn(10_000).flat()))
    const examples = new Set(Object.values(EXAMPLES).flat())
    for (const line of pagesIn(width).flat()) {
      expect(words([line]).filter((word) => !whole.has(word))).toEqual([])
      // Examples, usage lines and option names are not wrapped.
      if (!examples.has(line.trim()) && !/^Usage: |^ {2}\S[^.]*$/.test(line))
        expect(widthOf(line), line).toBeLessThanOrEqual(width)
    }
  })
})

/** The arguments that a shell passes to `cowrie` for a line such as `npm test | cowrie run "…" > file`. */
function wordsOf(line: string): string[] {
  const [, own = ''] = /(?:^|\| |\$\()cowrie (.*?)\)?$/.exec(line) ?? []
  const words = [...own.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  return words.includes('>') ? words.slice(0, words.indexOf('>')) : words
}
