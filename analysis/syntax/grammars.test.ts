import { once } from 'node:events'
import { CONSTRUCTS } from '@cowrie/testkit/analysis/modern-constructs.ts'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { blankCommentRuns } from './comment-runs.ts'
import { GRAMMAR_FILES } from './grammar-files.ts'
import { grammarNamed } from './grammars.ts'
import { blankTagTypes } from './tag-types.ts'
import { parseTree, type SyntaxNode } from './tree.ts'

/** Constructs that the installed grammars cannot parse. Remove an entry when a newer grammar parses it. */
const KNOWN_LIMITS = new Set([
  'typescript: variance annotations',
  'python: type parameter default',
  'kotlin: guard in when',
  'css: container query',
])

const PARSE_MS = 20_000

async function parses(grammar: string, source: string): Promise<boolean> {
  const loaded = await grammarNamed(grammar)
  if (loaded === 'unavailable') throw new Error(`the ${grammar} grammar did not load`)
  const tree = parseTree(loaded, source, { msMax: PARSE_MS })
  if (!tree) throw new Error(`the ${grammar} grammar needed more than ${PARSE_MS} ms`)
  return !tree.hasError
}

describe('modern constructs', () => {
  test.for(CONSTRUCTS)('$grammar: $name', async ({ grammar, name, source }) => {
    expect(await parses(grammar, source)).toBe(!KNOWN_LIMITS.has(`${grammar}: ${name}`))
  })

  test('at least 60 of the 65 parse, and each known limit is one of them', () => {
    const names = CONSTRUCTS.map(({ grammar, name }) => `${grammar}: ${name}`)
    expect(new Set(names).size).toBe(65)
    expect(names).toEqual(expect.arrayContaining([...KNOWN_LIMITS]))
    expect(names.length - KNOWN_LIMITS.size).toBeGreaterThanOrEqual(60)
  })
})

test.for(Object.keys(GRAMMAR_FILES))('the %s grammar loads', async (name) => {
  expect(await grammarNamed(name)).not.toBe('unavailable')
})

test('a grammar that does not load is named in a warning', async () => {
  const warned = once(process, 'warning')
  expect(await grammarNamed('cobol')).toBe('unavailable')
  expect((await warned)[0]).toMatchObject({
    code: 'GRAMMAR_UNAVAILABLE',
    message: expect.stringContaining('The cobol grammar did not load'),
  })
})

test.for([
  'const rows = await tx<Row[]>`select 1`\n',
  'const find = (id: string) => db.rows<Record<string, { a: number; b?: string }>>`select 1`\n',
  'const find = (id: string) =>\n  sql.rows<{\n    id: string\n  }>`select 1`.first()\n',
])('a tagged template with type arguments is a call: %s', async (source) => {
  const grammar = await grammarNamed('typescript')
  if (grammar === 'unavailable') throw new Error('the typescript grammar did not load')
  const tree = parseTree(grammar, source, { msMax: PARSE_MS })
  const types: string[] = []
  const walk = ({ type, children }: SyntaxNode) => {
    types.push(type)
    children.forEach(walk)
  }
  if (tree) walk(tree.root)
  expect(tree).toMatchObject({ hasError: false, text: source })
  expect(types).toContain('call_expression')
  expect(types).not.toContain('instantiation_expression')
  expect(types).not.toContain('binary_expression')
})

test('a comparison is unchanged, and hostile text is prepared in linear time', () => {
  const compared = 'if (a < b && (c > d)) e = `x`\nconst html = `x</b>` + `y<b \x24{c}>`\n'
  expect(blankTagTypes(compared)).toBe(compared)
  for (const hostile of ['a<', 'a<b<c>', 'a<b,c<d>,', '<'])
    expect(
      measureCost(() => blankTagTypes(hostile.repeat(20_000))),
      hostile,
    ).toBeLessThan(1_000)
})

test('only long runs of Python comments are blanked, and no line of a text', () => {
  const comments = '    # it is "so"\n'.repeat(101)
  const body = (lines: string) => `def f():\n    x = """\n${lines}"""\n${lines}    return x # y\n`
  const blank = comments.replaceAll(/[^\n]/g, ' ')
  expect(blankCommentRuns(body(comments))).toBe(
    body(comments).replace(/(?<="""\n)(?: {4}#[^\n]*\n)+(?= {4}return)/, blank),
  )
  const mixed = `def f():\n    return 1\n${'# a\n\n\f    # b\n'.repeat(51)}x = 2\n`
  expect(blankCommentRuns(mixed)).toBe(mixed.replaceAll(/# [ab]/g, '   '))
  for (const kept of [body('    # a\n'.repeat(100)), 'x = 1 # a\n'.repeat(101), 'x = "\\"'])
    expect(blankCommentRuns(kept)).toBe(kept)
})

test('a parse stops at its time limit, and the parser works afterwards', async () => {
  const grammar = await grammarNamed('typescript')
  if (grammar === 'unavailable') throw new Error('the typescript grammar did not load')
  const hostile = 'const a = [1, 2, 3].map((b) => b + 1)\n'.repeat(20_000)
  expect(parseTree(grammar, hostile, { msMax: 1 })).toBeNull()
  expect(parseTree(grammar, 'const a = 1\n', { msMax: PARSE_MS })?.hasError).toBe(false)
})
