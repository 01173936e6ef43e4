import { showAll } from '@cowrie/testkit/analysis/java-program-text.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { scanFiles } from '../../engine/scan-files.ts'
import type { ClassDefinition, FunctionDefinition, Program } from '../../ir.ts'
import { type Grammar, grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { kotlin } from '../kotlin.ts'
import { lower } from './lower.ts'

let grammar: Grammar
beforeAll(async () => {
  const loaded = await grammarFor('A.kt')
  if (loaded === 'unavailable') throw new Error('no grammar for Kotlin')
  grammar = loaded
})

function lowered(text: string): Program {
  const tree = parseTree(grammar, text, {})
  if (!tree) throw new Error('not parsed')
  return lower(tree)
}

const classesOf = ({ body }: Program): ClassDefinition[] =>
  body.flatMap((each) => (each.kind === 'class' ? [each.definition] : []))
const functionsOf = ({ body }: Program): FunctionDefinition[] =>
  body.flatMap((each) => (each.kind === 'function' ? [each.definition] : []))
const shown = (body: string): string[] =>
  showAll(functionsOf(lowered(`fun f(x: String) {\n${body}\n}`))[0]?.body ?? [])

describe('statements and expressions', () => {
  test.for([
    ['val a = b?.c ?: "d"', 'let a = b.c ?? "d"'],
    ['if (!x.isEmpty()) g()', 'if (!x.isEmpty()) { g() }'],
    ['x.let { h(it) }', '(it) => { return h(it) }(x)'],
    ['File(x).run { readText() }', '(receiver at 31) => { return receiver at 31.readText() }(new File(x))'],
    ['val m = mapOf("a" to x)', 'let m = <map>'],
    ['val w = when (x) { "a" -> 1; else -> 2 }', 'let w = x == "a" ? 1 : 2'],
    ['when { x == "a" -> g(); else -> h() }', 'if (x == "a") { g() } else { h() }'],
    ['a[0] = x as String', 'a[0] = (java.lang.String) x'],
    ['call.receive<Foo>()\nthrow E(x)', 'call.receive(); throw new E(x)'],
  ] as const)('%s', ([code, expected]) => {
    expect(shown(code).join('; ')).toBe(expected)
  })

  test('a simple name in a string is a value', () => {
    const [made] = functionsOf(lowered('fun f(x: String) = "a\\t$x, ${x.y} \\$z $"'))
    const [only] = made?.body ?? []
    const value = only?.kind === 'return' ? only.value : null
    const parts = value?.kind === 'template' ? value.parts : []
    const written = parts.map((part) => (part.kind === 'literal' ? part.value : `<${part.kind}>`)).join('')
    expect(written).toBe('a\t<name>, <member> $z $')
    expect(parts.filter(({ kind }) => kind !== 'literal')).toHaveLength(2)
  })
})

test('extension functions have their receiver as the first parameter', () => {
  const [one, two] = functionsOf(
    lowered('fun String.clean(n: Int): String = this\nfun <T> List<T>.second(): T? = this[1]'),
  )
  expect([one?.name, one?.parameters.map(({ type }) => type)]).toEqual(['clean', ['java.lang.String', 'Int']])
  expect([two?.name, two?.parameters.length]).toEqual(['second', 1])
})

test('members of a class: constructor properties, companions and computed properties', () => {
  const [made] = classesOf(
    lowered(
      'data class A(val name: String, id: Int) : B(id) {\n  val full get() = name\n  companion object { const val K = "k" }\n}',
    ),
  )
  expect(made?.bases).toEqual(['B'])
  expect(made?.fields.map(({ name, isStatic }) => [name, isStatic])).toEqual([
    ['name', false],
    ['K', true],
  ])
  expect(made?.methods.map(({ name }) => name)).toEqual(['constructor', 'get full'])
})

test('a deeply nested file is analyzed or named', async () => {
  const deep = `${'('.repeat(2_000)}1${')'.repeat(2_000)}`
  const content = `fun f() { Cipher.getInstance("DES"); val x = ${deep} }`
  const { findings, skipped } = await scanFiles([{ path: 'src/A.kt', content }], [kotlin], [], {})
  expect(findings.length + skipped.length).toBeGreaterThan(0)
})
