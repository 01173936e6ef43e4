import { showAll } from '@cowrie/testkit/analysis/program-text.ts'
import { expect, test } from 'vitest'
import { grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { lower } from './lower.ts'

async function readFile(text: string): Promise<string[]> {
  const grammar = await grammarFor('a.php')
  if (grammar === 'unavailable') throw new Error('there is no grammar for PHP')
  const tree = parseTree(grammar, text, { msMax: 2_000 })
  if (!tree) throw new Error('it took too long')
  return showAll(lower(tree).body)
}

const read = async (body: string): Promise<string> => (await readFile(`<?php\n${body}\n`)).join('; ')

test('interpolated strings keep their parts', async () => {
  expect(await read('$s = "a $x {$y[\'k\']} $z[q]\\n";')).toBe('s = `"a " x " " y["k"] " " z["q"] "\\n"`')
  expect(await read("$s = 'it\\'s $x';")).toBe('s = "it\'s $x"')
  expect(await read('$s = <<<SQL\nselect $x\nfrom t\nSQL;')).toBe('s = `"select " x "\\nfrom t"`')
  expect(await read("$a . 'b' . $c;")).toBe('((a +. "b") +. c)')
})

test('language constructs are calls', async () => {
  expect(await read('echo $a, $b; print $c; include "x.php"; `ls $d`;')).toBe(
    'echo(a, b); print(c); include("x.php"); shell_exec(`"ls " d`)',
  )
  expect(await read('if ($a) { exit("no"); }')).toBe('if a { exit("no"); throw - } {  }')
})

test('pages print the content of short tags', async () => {
  expect(await readFile('<p><?= $x ?></p><?php if ($y): ?><b><?= h($z) ?></b><?php endif ?>')).toEqual([
    'echo(x)',
    'if y { echo(h(z)) } {  }',
  ])
})

test('a function has its own variables and declares captured ones', async () => {
  expect(await read('function f($a) { global $g; $b = $a . $g; return $b; }')).toBe(
    'function f(a) { let b = -; b = (a +. g); return b }',
  )
  expect(await read('$f = function ($a) use ($b) { return $a . $b . $c; };')).toBe(
    'f = (a) => { let c = -; return ((a +. b) +. c) }',
  )
  expect(await read('$f = fn ($x) => $x . $y;')).toBe('f = (x) => { (x +. y) }')
})

test('a variable is not the function with the same name', async () => {
  expect(await read('$file = file($name);')).toBe('$file = file(name)')
})

test('a superglobal is a variable of the function that uses it', async () => {
  expect(await read('$a = $_GET["id"];')).toBe('let $_GET = $_GET; a = $_GET["id"]')
  expect(await read('$a = $_FILES["f"]["name"] . $_SERVER["PHP_SELF"];')).toBe(
    'let $_FILES = $_FILES; let $_SERVER = $_SERVER; a = ($_FILES.name +. $_SERVER.PHP_SELF)',
  )
})

test('classes have fields, constants and traits, and resolve self', async () => {
  expect(
    await read(
      'namespace A; use B\\C as D; class P extends D { use T; const X = 1; private $y = 2; public function __construct(private int $z) { self::m(); parent::m(); } }',
    ),
  ).toBe('import B\\C B\\C; class P [C T] X y z __construct { this.z = z; P.m(); C.m() }')
})

test('a grouped use resolves classes by their aliases', async () => {
  expect(await read('use B\\{C as D, E}; class P extends D { use E; }')).toBe(
    'import B\\C B\\C; import B\\E B\\E; class P [C E]  ',
  )
})

test('match, short conditionals and lists are lowered', async () => {
  expect(await read('$a = match ($b) { 1, 2 => "x", default => "y" };')).toBe(
    'a = (((b === 1) || (b === 2)) ? "x" : "y")',
  )
  expect(await read('$a = $b ?: $c ?? 1;')).toBe('a = (b || (c ?? 1))')
  expect(await read("[$a, , $b] = $c; ['k' => $d] = $e;")).toBe('[a, other, b] = c; {"k": d} = e')
  expect(await read("$a = ['x' => 1, 2, ...$more];")).toBe('a = {"x": 1, "0": 2, ...: more}')
})

test('isset with a computed key is a membership test', async () => {
  expect(await read('if (isset($map[$key])) { }')).toBe('if (key in map) {  } {  }')
  expect(await read('isset($map["a"]);')).toBe('isset(map["a"])')
})

test('numbers are added, strings are joined, and casts have a type', async () => {
  expect(await read('$a = $b + 1; $a .= "x"; $a += 2; $c = (int) $d;')).toBe(
    'a = <number>(b + 1); a += "x"; a = <number>(a + 2); c = <int>d',
  )
})

test('objects, static calls, named and spread arguments', async () => {
  expect(await read('$o?->m(a: 1, ...$x); \\Foo\\Bar::baz($y); new $cls(1); $o->$p();')).toBe(
    'o.m(a: 1, ...x); Bar.baz(y); new cls(1); o[p]()',
  )
})

test('a text that is not PHP is lowered as far as possible', async () => {
  await expect(read('class { function ( $$$ = ;; }')).resolves.toEqual(expect.any(String))
})
