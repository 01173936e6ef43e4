import { runsOf } from '@cowrie/testkit/analysis/toy-language.ts'
import { describe, expect, test } from 'vitest'

type Table = readonly (readonly [it: string, code: string])[]

describe('a tainted value reaches the sink', () => {
  const FOUND: Table = [
    ['directly', 'run(input)'],
    ['through a variable', 'const a = input; run(a)'],
    ['in a concatenated string', 'run("ls " + input)'],
    ['in a template', `run(\`ls \${input}\`)`],
    ['as a member', 'run(input.query.id)'],
    ['taken apart', 'const { query: { id = "x" }, ...rest } = input; run(id)'],
    ['as the rest of a destructuring', 'const { a, ...rest } = input; run(rest.b)'],
    ['as a destructured item', 'const [first, ...more] = input; run(more[0])'],
    ['after one of two branches', 'let a = "x"; if (unknown) a = input; run(a)'],
    ['after a ternary', 'run(unknown ? "x" : input)'],
    ['as a default', 'run(undefined ?? input)'],
    ['as the right side of ||', 'run(config.x || input)'],
    ['from the iteration before', 'let s = ""; for (const x of input) { let t = s; t = s; run(t); s = x }'],
    ['after a loop', 'let s = ""; for (const x of input) s += x; run(s)'],
    ['after a first iteration', 'let a = ""; while (unknown()) { run(a); a = input }'],
    ['after break', 'let a = ""; for (;;) { if (unknown) { a = input; break } } run(a)'],
    ['as a pushed item', 'const l = []; l.push("a"); l.push(input); run(l[1])'],
    ['joined', 'const l = ["ls"]; l.push(input); run(l.join(" "))'],
    ['as any item', 'const l = ["a", input]; run(l[i])'],
    ['as an entry', 'const o = { a: 1, b: input }; run(o.b)'],
    ['as an entry written later', 'const o = {}; o.b = input; run(o["b"])'],
    ['as an entry with an unknown key', 'const o = {}; o[key] = input; run(o.b)'],
    ['through a function', 'function id(x) { return x } run(id(input))'],
    ['inside a function', 'function go(x) { run(x) } go(input)'],
    ['through an arrow', 'const wrap = (x) => "ls " + x; run(wrap(input))'],
    ['through three functions', 'const a = (x) => x, b = (x) => a(x), c = (x) => b(x); run(c(input))'],
    ['in a callback of forEach', 'input.forEach((x) => run(x))'],
    ['in the result of map', 'run(["a", input].map((x) => "q" + x).join(" "))'],
    ['after then', 'fetchIt(input).then((x) => run(x))'],
    ['in a closure', 'function make() { const x = input; return () => run(x) } make()'],
    [
      'in an instance of a class',
      'class A { constructor(c) { this.c = c } go() { run(this.c) } } new A(input).go()',
    ],
    ['in a field written by another method', 'class A { set() { this.c = input } go() { run(this.c) } }'],
    [
      'in a field of a base class',
      'class B { go() { run(this.c) } } class A extends B { constructor() { super(); this.c = input } } new A().go()',
    ],
    ['after an unknown function', 'run(decorate(input))'],
    ['in a named handler', 'queue.on("x", handle); function handle(m) { run(m.body) }'],
    ['in a wrapped handler', 'queue.on("x", safely(async (m) => { run(m.body) }))'],
    ['in a catch', 'let a = "x"; try { a = input; work() } catch (e) { run(a) }'],
    ['in a finally', 'let a = "x"; try { a = input } finally { run(a) }'],
    ['in a switch with fallthrough', 'let a = "x"; switch (unknown) { case 1: a = input; case 2: run(a) }'],
    ['checked in the other branch', 'if (isSafe(input)) log(1); else run(input)'],
    ['checked without using the result', 'if (isSafe(input)) { log(1) } run(input)'],
    ['with a check of another value', 'const a = input; if (isSafe(other)) run(a)'],
    ['through a mutated argument', 'function fill(o) { o.x = input } const o = {}; fill(o); run(o.x)'],
    ['spread into a call', 'function go(a, b) { run(b) } go(...["x", input])'],
    ['through rest parameters', 'function go(a, ...b) { run(b[0]) } go("x", input)'],
    ['through a default parameter', 'function go(a = input) { run(a) } go()'],
    ['through options', 'function go({ cmd }) { run(cmd) } go({ cmd: input })'],
    ['by a getter of an object', 'const o = { get: () => input }; run(o.get())'],
    ['by a static method', 'class U { static f(x) { return x + "" } } run(U.f(input))'],
    ['by reduce', 'run(input.reduce((all, x) => all + x, ""))'],
    ['by an alias of this', 'class A { set() { const self = this; self.c = input } go() { run(this.c) } }'],
  ]
  test.for(FOUND)('%s', async ([, code]) => {
    expect(await runsOf(code)).not.toEqual([])
  })
})

describe('an untainted value reaches the sink', () => {
  const OURS: Table = [
    ['after it was overwritten', 'let a = input; a = "x"; run(a)'],
    ['in a dead branch', 'let a = "x"; if (1 > 2) a = input; run(a)'],
    ['by constant arithmetic', 'let a; if ((7 * 42) - 86 > 200) a = "safe"; else a = input; run(a)'],
    [
      'by a constant string condition',
      'const s = "ABC"; let a; switch (s.charAt(1)) { case "A": a = input; break; case "B": a = "x"; break; default: a = input } run(a)',
    ],
    ['in another item', 'const l = []; l.push("a"); l.push(input); run(l[0])'],
    ['after an item was removed', 'const l = ["a", input, "b"]; l.splice; l.shift(); l.shift(); run(l[0])'],
    ['in another entry', 'const o = { a: "x", b: input }; run(o.a)'],
    [
      'in a map, under another key',
      'const m = new Map(); m.set("a", "x"); m.set("b", input); run(m.get("a"))',
    ],
    ['after cleaning', 'run("ls " + escape(input))'],
    ['as a number', 'run(Number(input))'],
    ['as a comparison', 'run(input === "x")'],
    ['by its length', 'run(input.length)'],
    ['by arithmetic', 'run(input * 2)'],
    [
      'after a check that returns',
      'function f() { if (!isSafe(input)) return; const a = input; run(a) } f()',
    ],
    ['after a check that throws', 'const a = input; if (!isSafe(a)) throw new Error("no"); run(a)'],
    ['after a check that continues', 'for (const a of input) { if (!isSafe(a)) continue; run(a) }'],
    ['in a checked branch', 'const a = input.x; if (isSafe(a)) { run(a) }'],
    ['checked by path', 'if (isSafe(input.query.id)) run(input.query.id)'],
    ['in a checked ternary', 'const a = input; run(isSafe(a) ? a : "x")'],
    ['after a checked &&', 'const a = input; isSafe(a) && run(a)'],
    ['with both of two checks', 'const a = input; if (a && isSafe(a)) run(a)'],
    ['with the negation of either check', 'const a = input; if (!a || !isSafe(a)) throw 1; run(a)'],
    ['checked before, in a variable', 'const a = input; const ok = isSafe(a); if (!ok) throw 1; run(a)'],
    [
      'checked by a function of the file',
      'const fine = (x) => isSafe(x); const a = input; if (!fine(a)) throw 1; run(a)',
    ],
    [
      'checked by a function with several statements',
      'function fine(x) { if (!isSafe(x)) { return false } return true } const a = input; if (!fine(a)) throw 1; run(a)',
    ],
    [
      'checked by a function that throws',
      'function must(x) { if (!isSafe(x)) throw 1 } const a = input; must(a); run(a)',
    ],
    ['equal to a constant', 'const a = input; if (a === "x") run(a)'],
    ['one of two constants', 'const a = input; if (a === "x" || a === "y") run(a)'],
    ['in a switch over itself', 'const a = input; switch (a) { case "x": case "y": run(a) }'],
    ['in a constant list', 'const OK = ["a", "b"]; const a = input; if (!OK.includes(a)) throw 1; run(a)'],
    ['in a constant set', 'const OK = new Set(["a"]); const a = input; if (OK.has(a)) run(a)'],
    ['in a constant object', 'const OK = { a: "x", b: "y" }; const a = input; if (a in OK) run(a)'],
    ['looked up in a constant object', 'const M = { a: "x", b: "y" }; run(M[input])'],
    ['with a numeric type', 'const a = input; if (typeof a !== "number") throw 1; run(a)'],
    ['as a constant returned by a function', 'function f(x) { return "x" } run(f(input))'],
    ['when the function is called with a constant', 'function go(x) { run(x) } go("ls")'],
    [
      'in a class with a constant',
      'class A { constructor(c) { this.c = c } go() { run(this.c) } } new A("x").go(); log(input)',
    ],
    ['under a key with a constant', 'const key = "a"; const o = {}; o["b"] = input; o[key] = "x"; run(o.a)'],
    ['after too many unknown functions', 'run(a(b(c(input))))'],
    [
      'after an external constant',
      'const MODE = "x"; function f(v) { let c = "y"; if (MODE === "z") c = v; run(c) } f(input)',
    ],
    ['in an item of a constant list', 'for (const x of ["a", "b"]) run(x)'],
    ['in a tagged template', `run(sql\`select \${input}\`)`],
  ]
  test.for(OURS)('%s', async ([, code]) => {
    expect(await runsOf(code)).toEqual([])
  })
})

test('a long helper is followed however many constants it is called with', async () => {
  const helper = `function pick(name) {\n${'  log("a")\n'.repeat(14)}  return input[name]\n}\n`
  const calls = Array.from({ length: 40 }, (_, index) => `run(pick("field${index}"))`)
  expect(await runsOf(helper + calls.join('\n'))).toHaveLength(40)
})
