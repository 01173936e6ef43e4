import { showAll } from '@cowrie/testkit/analysis/java-program-text.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { scanFiles } from '../../engine/scan-files.ts'
import type { ClassDefinition, Program } from '../../ir.ts'
import { type Grammar, grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { csharp } from '../csharp.ts'
import { lower } from './lower.ts'

let grammar: Grammar
beforeAll(async () => {
  const loaded = await grammarFor('A.cs')
  if (loaded === 'unavailable') throw new Error('no grammar for C#')
  grammar = loaded
})

function lowered(text: string): Program {
  const tree = parseTree(grammar, text, {})
  if (!tree) throw new Error('not parsed')
  return lower(tree)
}

const classesOf = ({ body }: Program): ClassDefinition[] =>
  body.flatMap((each) => (each.kind === 'class' ? [each.definition] : []))
const shown = (text: string): string[] => showAll(lowered(text).body)

describe('statements and expressions', () => {
  test.for([
    ['var a = b?.C?[0]?.D("x");', 'let a = b.C[0].D("x")'],
    ['a ??= b ?? c!;', 'a ??= b ?? <same>'],
    ['if (x is string s && s != "") F(s);', 'if ((s = (string) x) instanceof string && s != "") { F(s) }'],
    ['var z = x switch { "a" => 1, _ => 2 };', 'let z = x == "a" ? 1 : 2'],
    ['map.TryGetValue("k", out var v);', 'map.TryGetValue("k", v = map["k"])'],
    [
      'var r = from u in users where u.Ok select u.Name;',
      'let r = users.map((u) => { u.Ok; return u.Name })',
    ],
    ['using (var x = F()) { G(); }', 'block'],
    ['var o = System.IO.File.ReadAllText(p);', 'let o = File.ReadAllText(p)'],
    ['sb.Append(a).Append(b);', '(sb = sb.Append(a)).Append(b)'],
  ] as const)('%s', ([code, expected]) => {
    expect(
      shown(code)
        .filter((line) => !/^let [sv]$/.test(line))
        .join('; '),
    ).toContain(expected === 'block' ? 'let x = F()' : expected)
  })

  test('text keeps its escapes, doubled quotes, braces and indentation', () => {
    const code = 'var a = @"c:\\""x"; var b = "t\\u0041b"; var c = """\n    one\n      two\n    """;'
    expect(shown(code)).toEqual(['let a = "c:\\\\\\"x"', 'let b = "tAb"', 'let c = "one\\n  two"'])
  })
})

test('members of a class: primary constructors, computed properties and inner classes', () => {
  const [inner, outer] = classesOf(
    lowered('record A(string Name, int Id) : B(Name) { string Full => Name + Id; class C { int x = 1; } }'),
  )
  expect(inner?.name).toBe('C')
  expect(outer?.bases).toEqual(['B'])
  expect(outer?.fields.map(({ name, type }) => [name, type])).toEqual([
    ['Name', 'string'],
    ['Id', 'int'],
  ])
  expect(outer?.methods.map(({ name }) => name)).toEqual(['constructor', 'get Full'])
})

const scan = (content: string) => scanFiles([{ path: 'src/A.cs', content }], [csharp], [], {})

test('a deeply nested file is analyzed or named', async () => {
  const deep = `${'('.repeat(2_000)}1${')'.repeat(2_000)}`
  const { findings, skipped } = await scan(
    `class A { void M(string p) { new DESCryptoServiceProvider(); var x = ${deep}; } }`,
  )
  expect(findings.length + skipped.length).toBeGreaterThan(0)
})

test('a member named like a property of every object has no special type', async () => {
  const { skipped } = await scan(
    'class A { void M(Type t) { var constructor = t.constructor; constructor.toString(); } }',
  )
  expect(skipped).toEqual([])
})
