import { show, showAll } from '@cowrie/testkit/analysis/java-program-text.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ClassDefinition, Program, Stmt } from '../../ir.ts'
import { type Grammar, grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { lower } from './lower.ts'

let grammar: Grammar
beforeAll(async () => {
  const loaded = await grammarFor('A.java')
  if (loaded === 'unavailable') throw new Error('no grammar for Java')
  grammar = loaded
})

function lowered(text: string): Program {
  const tree = parseTree(grammar, text, { msMax: 2_000 })
  if (!tree) throw new Error('not parsed')
  return lower(tree)
}

const classesOf = ({ body }: Program): ClassDefinition[] =>
  body.flatMap((each) => (each.kind === 'class' ? [each.definition] : []))

/** The statements of the method `m` of a class with these members. */
function inMethod(statements: string, members = '', imports = ''): readonly Stmt[] {
  const program = lowered(`${imports} class A extends B { ${members} void m(String p) { ${statements} } }`)
  const method = classesOf(program)
    .flatMap(({ methods }) => methods)
    .find(({ name }) => name === 'm')
  if (!method) throw new Error('no method')
  return method.body
}

const shown = (statements: string, members = '', imports = ''): string[] =>
  showAll(inMethod(statements, members, imports))

describe('names', () => {
  test('a variable is a name, a field a member of this, a static field a member of its class', () => {
    expect(shown('int v = p + f + S;', 'String f; static String S;')).toEqual([
      'let v: int = p + this.f + A.S',
    ])
  })

  test('a method without a receiver belongs to this class, an enclosing class or a static import', () => {
    const imports = 'import static x.Y.z;'
    expect(shown('own(); of(); z();', 'void own() {} static void of() {}', imports)).toEqual([
      'this.own()',
      'A.of()',
      'z()',
    ])
  })

  test('an undeclared name is inherited', () => {
    expect(shown('call(hidden);')).toEqual(['this.call(this.hidden)'])
  })

  test('a qualified class name is not a field', () => {
    expect(shown('java.util.List<String> l = new java.util.ArrayList<>(); a.b.C.d();')).toEqual([
      'let l: java.util.List = new java.util.ArrayList()',
      'a.b.C.d()',
    ])
  })

  test('types have the package of their import, without type arguments, and jakarta is javax', () => {
    const imports = 'import jakarta.servlet.http.*; import java.util.Map;'
    expect(shown('Map<String, int[]> m; HttpSession s; Map.Entry<A, B>[] e;', '', imports)).toEqual([
      'let m: java.util.Map',
      'let s: javax.servlet.http.HttpSession',
      'let e: java.util.Map.Entry[]',
    ])
  })

  test('wildcard imports bring the known classes that the file uses', () => {
    const { body } = lowered('import java.util.*; class A { List<String> l; Unheard u; }')
    expect(body.flatMap((each) => (each.kind === 'import' ? [each.local] : []))).toEqual(['*', 'List'])
  })
})

describe('expressions', () => {
  test.for([
    ['p.equals("a")', 'p == "a"'],
    ['Objects.equals(p, q)', 'p == this.q'],
    ['x = (String) p', 'this.x = (java.lang.String) p'],
    ['f(new int[] {1, 2})', 'this.f((int[]) [1, 2])'],
    ['f(x -> x.trim())', 'this.f((x) => { return x.trim() })'],
    ['f(String::valueOf)', 'this.f(String.valueOf)'],
    ['f(p == null ? 0xF : 010)', 'this.f(p == null ? 15 : 8)'],
    ["f(7 / 2, -1, 1_000L, '\\n')", 'this.f(3, -1, 1000, "\\n")'],
    ['i++', 'this.i += 1'],
    ['f(A.class)', 'this.f(A.class)'],
    ['f("""\n      a\n        b\\\n      c""")', 'this.f("a\\n  bc")'],
  ])('%s', ([java = '', expected]) => {
    expect(shown(`${java};`)).toEqual([expected])
  })

  test('chained calls on a builder are made on the variable', () => {
    expect(shown('StringBuilder b = new StringBuilder(); b.append(1).append(2);')[1]).toBe(
      '(b = b.append(1)).append(2)',
    )
  })

  test('a pattern declares its variable before the statement', () => {
    expect(shown('if (o instanceof String s && s.isEmpty()) use(s);')).toEqual([
      'let s',
      'if ((s = (java.lang.String) this.o) instanceof String && s.isEmpty()) { this.use(s) }',
    ])
  })

  test('a switch becomes nested conditionals if its arms are expressions, otherwise a function', () => {
    expect(
      shown('int k = switch (p) { case "a", "b" -> 1; default -> throw new E(); case "c" -> 2; };'),
    ).toEqual(['let k: int = p == "a" || p == "b" ? 1 : 2'])
    expect(shown('int k = switch (p) { case "a" -> { yield 1; } default -> 2; };')).toEqual([
      'let k: int = () => { switch (p) { case "a": { return 1 } break; default: return 2; break } }()',
    ])
  })
})

describe('statements', () => {
  test.for([
    ['for (int i = 0; i < 3; i++) f(i);', 'for (let i: int = 0; i < 3; i += 1) { this.f(i) }'],
    ['for (String v : p) f(v);', 'for (v of p) { this.f(v) }'],
    ['for (int v : p) f(v);', 'for (v of p) { v = (int) v; this.f(v) }'],
    ['do { f(); } while (p);', 'for (; ; ) { this.f(); if (!p) { break } }'],
    [
      'try (R r = open()) { f(r); } catch (E e) { f(e); } finally { g(); }',
      'try { let r: R = this.open(); this.f(r) } catch (e) { this.f(e) } finally { this.g() }',
    ],
    [
      "switch (p) { case 'A': case 'B': f(); break; default: g(); }",
      'switch (p) { case "A": ; case "B": this.f(); break; default: this.g() }',
    ],
    ['synchronized (p) { f(); }', 'p; { this.f() }'],
  ])('%s', ([java = '', expected]) => {
    expect(shown(java).join('; ')).toBe(expected)
  })
})

describe('classes', () => {
  test('inner classes become top-level classes with unique names', () => {
    const program = lowered('class A { class B {} static class C { class B {} } } class D {}')
    expect(
      classesOf(program)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['A', 'B', 'C', 'C$B', 'D'])
  })

  test('a record stores its components and returns them', () => {
    const [record] = classesOf(lowered('record P(int x, String y) { P { check(x); } }'))
    expect(record?.fields.map(({ name }) => name)).toEqual(['x', 'y'])
    expect(record?.methods.map(({ name, body }) => `${name}: ${showAll(body).join('; ')}`)).toEqual([
      'constructor: this.check(x); this.x = x; this.y = y',
      'x: return this.x',
      'y: return this.y',
    ])
  })

  test('enum constants are instances of the enum', () => {
    const [color] = classesOf(lowered('enum Color { RED("r"), BLUE; final String c = "x"; }'))
    expect(color?.fields.map(({ name, value, isStatic }) => [name, value && show(value), isStatic])).toEqual([
      ['RED', 'new Color("r")', true],
      ['BLUE', 'new Color()', true],
      ['c', '"x"', false],
    ])
  })

  test('methods without a body are dropped, and default methods are public', () => {
    const [shape] = classesOf(lowered('interface S { int a(); default int b() { return 1; } }'))
    expect(shape?.methods.map(({ name, isExported }) => [name, isExported])).toEqual([['b', true]])
  })

  test('annotations keep their arguments, by name if they have one', () => {
    const [page] = classesOf(
      lowered('@W(value = "/x", n = {1, 2}) class A { void m(@x.Q("id") final String s, int... r) {} }'),
    )
    expect(
      page?.annotations.map(({ name, args }) => [name, args.map((each) => [each.name, show(each.value)])]),
    ).toEqual([
      [
        'W',
        [
          ['value', '"/x"'],
          ['n', '[1, 2]'],
        ],
      ],
    ])
    expect(
      page?.methods[0]?.parameters.map(({ type, isRest, annotations }) => [
        type,
        isRest,
        annotations.map(({ name }) => name),
      ]),
    ).toEqual([
      ['java.lang.String', false, ['Q']],
      ['int[]', true, []],
    ])
  })

  test('a fragment of a file without its class is lowered', () => {
    const { body } = lowered('public void m(String a) { f(a); }\nint x = 1;')
    expect(body.map(({ kind }) => kind)).toEqual(['function', 'declare'])
  })
})
