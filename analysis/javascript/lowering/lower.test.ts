import { beforeAll, describe, expect, test } from 'vitest'
import type { Expr, FunctionDefinition, Stmt } from '../../ir.ts'
import { type Grammar, grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { partsIn } from '../ir-walk.ts'
import { lower } from './lower.ts'

const grammars = new Map<string, Grammar>()

beforeAll(async () => {
  for (const ending of ['js', 'ts', 'tsx']) {
    const grammar = await grammarFor(`a.${ending}`)
    if (grammar === 'unavailable') throw new Error(`no grammar for ${ending}`)
    grammars.set(ending, grammar)
  }
})

describe('modules', () => {
  test('have the same names for every import style', () => {
    const imported = imports(`import fs, { readFile as read } from 'node:fs'
import * as path from 'path'`)
    expect(imported).toEqual(['fs as fs', 'fs.readFile as read', 'path as path'])
    expect(imports(`const fs = require('node:fs'), { readFile: read } = require('fs')`)).toEqual([
      'fs as fs',
      'fs.readFile as read',
    ])
  })

  test('wrapped by compilers are unwrapped', () => {
    const body = lowered(`const fs_1 = __importDefault(require("fs"));
(0, fs_1.default.readFile)(name)`)
    expect(body[0]).toMatchObject({ kind: 'import', module: 'fs', local: 'fs_1' })
    expect(body[1]).toMatchObject({
      value: { kind: 'call', callee: { kind: 'member', object: { name: 'fs_1' }, property: 'readFile' } },
    })
  })

  test('required inside an expression are imported at the top', () => {
    const body = lowered(`require('child_process').exec(command)`)
    expect(body[0]).toMatchObject({ kind: 'import', module: 'child_process', imported: null })
    const local = body[0]?.kind === 'import' ? body[0].local : ''
    expect(body[1]).toMatchObject({ value: { callee: { object: { name: local }, property: 'exec' } } })
  })

  test('of the project keep their default export separate', () => {
    expect(imports(`import a, { b } from './a.ts'`)).toEqual(['./a.ts.default as a', './a.ts.b as b'])
  })

  test('record their exports by name', () => {
    const body = lowered(`export const a = 1
export default function b() {}
export { c as d } from './c.ts'`)
    const noted = body.flatMap((each) =>
      each.kind === 'expression' && each.value.kind === 'assign' && each.value.target.kind === 'member'
        ? [each.value.target.property]
        : [],
    )
    expect(noted).toEqual(['a', 'default', 'd'])
  })
})

describe('exported functions', () => {
  const reachable = (text: string) =>
    functions(text)
      .filter(({ isExported }) => isExported)
      .map(({ name }) => name)

  test.for([
    ['an export', `export function a() {} function b() {}`, ['a']],
    ['a list of exports', `function a() {} function b() {} export { b }`, ['b']],
    [
      'module.exports',
      `function a() {} function b() {} module.exports = { a, c: function () {} }`,
      ['a', 'c'],
    ],
    ['a chain', `var a = exports = module.exports = function () {}; a.b = function () {}`, ['a', 'b']],
    ['an exported class', `export class A { b() {} private c() {} #d() {} }`, ['b']],
    [
      'a prototype',
      `function A() {} A.prototype.b = function () {}; module.exports = A`,
      ['constructor', 'b'],
    ],
    ['the result of an exported function', `module.exports = function a() { return { b() {} } }`, ['a', 'b']],
    ['nothing', `function a() {} const b = () => a()`, []],
  ] as const)('by %s', ([, text, names]) => {
    expect(reachable(text).toSorted()).toEqual([...names].toSorted())
  })

  test('found through a long chain of names take linear time', () => {
    const chain = Array.from({ length: 300 }, (_, index) => `exports.a${index}`).join(' = ')
    expect(reachable(`${chain} = function () {}`)).toHaveLength(1)
  })
})

describe('statements and expressions', () => {
  test('an indexOf comparison becomes a membership test', () => {
    const [found, absent] = expressions(
      `names.indexOf(x) !== -1; path.indexOf(root) === 0 || a.indexOf(b) < 0`,
    )
    expect(found).toMatchObject({ kind: 'call', callee: { property: 'includes' } })
    expect(absent).toMatchObject({
      left: { kind: 'call', callee: { property: 'startsWith' } },
      right: { kind: 'unary', operator: '!', operand: { callee: { property: 'includes' } } },
    })
  })

  test('a comparison of a prefix becomes startsWith', () => {
    const [question] = expressions('file.slice(0, this.root.length) !== this.root')
    expect(question).toMatchObject({
      kind: 'unary',
      operand: { callee: { property: 'startsWith' }, args: [{}] },
    })
  })

  test('strings and templates have their values', () => {
    const [text, template, tagged] = expressions(
      `'it\\'s \\u{41}\\x42\\n'; \`a\${b}\\tc\`; sql\`select \${d}\``,
    )
    expect(text).toMatchObject({ kind: 'literal', value: "it's AB\n" })
    expect(template).toMatchObject({ parts: [{ value: 'a' }, { name: 'b' }, { value: '\tc' }], tag: null })
    expect(tagged).toMatchObject({ kind: 'template', tag: { name: 'sql' } })
  })

  test('patterns keep defaults, rests and empty slots', () => {
    const [declared] = lowered(`const { a, b: { c = 1 }, ...d } = e, [, f] = g`)
    expect(declared).toMatchObject({
      target: {
        kind: 'map',
        entries: [
          { value: { name: 'a' } },
          { value: { entries: [{ value: { kind: 'default', target: { name: 'c' } } }] } },
          { key: null, value: { kind: 'rest', target: { name: 'd' } } },
        ],
      },
    })
    expect(lowered(`const [, f] = g`)[0]).toMatchObject({ target: { items: [{}, { value: { name: 'f' } }] } })
  })

  test('loops distinguish keys and values', () => {
    const [keys, values] = lowered('for (const k in o) {} for (const [k, v] of o) {}')
    expect(keys).toMatchObject({ kind: 'loop', eachKey: { name: 'k' }, each: null })
    expect(values).toMatchObject({ kind: 'loop', eachKey: null, each: { kind: 'list' } })
  })

  test('decorators and parameter properties of classes are kept', () => {
    const [made] = functions(
      `@Controller('x') class A { constructor(private rows: Rows) {} @Get(':id') get(@Param('id') id: string) {} }`,
    )
    const get = functions(`class A { @Get(':id') get(@Param('id') id: string) {} }`).at(0)
    expect(made?.body[0]).toMatchObject({ value: { target: { property: 'rows' } } })
    expect(get).toMatchObject({
      annotations: [{ name: 'Get' }],
      parameters: [{ type: 'string', annotations: [{ name: 'Param' }] }],
    })
  })

  test('elements have entries and children', () => {
    const [element] = expressions('<A.B c="d" {...e} f>{g}<i/></A.B>', 'tsx')
    expect(element).toMatchObject({
      kind: 'element',
      name: 'A.B',
      entries: [{ value: { value: 'd' } }, { key: null }, { value: { value: true } }],
      children: [{ name: 'g' }, { kind: 'element', name: 'i' }],
    })
  })

  test('a text with syntax errors is lowered as far as possible', () => {
    expect(() => lowered('const a = ; function ( { exec(b) }')).not.toThrow()
  })
})

function lowered(text: string, ending = 'ts'): readonly Stmt[] {
  const grammar = grammars.get(ending)
  const tree = grammar && parseTree(grammar, text, { msMax: 5_000 })
  if (!tree) throw new Error('not parsed')
  return lower(tree).body
}

const imports = (text: string): string[] =>
  lowered(text).flatMap((each) =>
    each.kind === 'import'
      ? [`${each.module}${each.imported === null ? '' : `.${each.imported}`} as ${each.local}`]
      : [],
  )

const expressions = (text: string, ending?: string): Expr[] =>
  lowered(text, ending).flatMap((each) => (each.kind === 'expression' ? [each.value] : []))

function functions(text: string): FunctionDefinition[] {
  const found: FunctionDefinition[] = []
  for (const part of partsIn(lowered(text))) {
    if (part.kind === 'function') found.push(part.definition)
    if (part.kind === 'class') found.push(...part.definition.methods)
  }
  return found
}

test('a using declaration declares its name like const', () => {
  expect(lowered('using file = open()', 'js').map(({ kind }) => kind)).toEqual(
    lowered('const file = open()', 'js').map(({ kind }) => kind),
  )
})
