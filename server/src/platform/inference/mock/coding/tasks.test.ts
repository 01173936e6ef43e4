// Simple tasks are really done: each prompt with what the files are afterwards.
import { expect, test } from 'vitest'
import { replyTo } from '../reply.ts'
import { applied, codingMessages, doTask, type Files } from './envelope.fixture.ts'

const MATH = 'export function add(a, b) {\n  return a + b;\n}\n'
const MATH_PY = 'def add(a, b):\n    return a + b\n'
const COMMON = 'function one() {\n  return 1\n}\n\nmodule.exports = { one }\n'
const MANIFEST = '{\n  "name": "shop",\n  "scripts": {\n    "test": "node --test"\n  }\n}\n'

/** By path: the whole text, a pattern that it matches, or null when it is gone. */
type After = Readonly<Record<string, string | RegExp | null>>

test.for<[task: string, before: Files, after: After]>([
  // Files
  ['Create notes.txt with the content `hello there`', {}, { 'notes.txt': 'hello there\n' }],
  ['Create a file hello.txt with the text hi', {}, { 'hello.txt': 'hi\n' }],
  ['Make a new file notes/todo.md with the content: buy milk.', {}, { 'notes/todo.md': 'buy milk\n' }],
  ['Create docs/a.md containing:\n```\n# Hi\n\ntext\n```', {}, { 'docs/a.md': '# Hi\n\ntext\n' }],
  ['Create a.txt with this content:\none\ntwo', {}, { 'a.txt': 'one\ntwo\n' }],
  ['Add a README', { 'src/math.js': MATH }, { 'README.md': /`src\/math\.js`: `add`/ }],
  [
    'Create a Dockerfile, a .gitignore and a README.md',
    { 'main.py': MATH_PY },
    { Dockerfile: /^FROM python/, '.gitignore': /__pycache__/, 'README.md': /^# / },
  ],
  ['Create package.json', {}, { 'package.json': /"type": "module"/ }],
  [
    'Create a class Person with name and age in src/person.ts',
    {},
    { 'src/person.ts': /name: string;\n {2}age: number;\n\n {2}constructor\(name: string, age: number\)/ },
  ],
  [
    'Create a Python class Account with owner and balance',
    {},
    { 'account.py': /def __init__\(self, owner, balance\):\n {8}self\.owner = owner/ },
  ],
  ['Create an Express server with GET /ping', {}, { 'server.js': /app\.get\('\/ping'/ }],
  ['Create an http server in src/server.ts', {}, { 'src/server.ts': /createServer/ }],
  ['Create a hello world program in Python', {}, { 'hello.py': 'print("Hello, world!")\n' }],
  ['Create index.html', {}, { 'index.html': /<title>Index<\/title>/ }],
  [
    'Delete src/old.js',
    { 'src/old.js': 'x\n', 'src/math.js': MATH },
    { 'src/old.js': null, 'src/math.js': MATH },
  ],
  [
    'Rename the file src/math.js to src/sums.js',
    { 'src/math.js': MATH },
    { 'src/math.js': null, 'src/sums.js': MATH },
  ],
  [
    'Add `dist/` to .gitignore',
    { '.gitignore': 'node_modules/\n' },
    { '.gitignore': 'node_modules/\ndist/\n' },
  ],
  [
    'Prepend `# coding: utf-8` to main.py',
    { 'main.py': MATH_PY },
    { 'main.py': `# coding: utf-8\n${MATH_PY}` },
  ],

  // Functions and tests
  [
    'Add a slugify function to src/text.ts with a unit test',
    {},
    {
      'src/text.ts': /^export function slugify\(text: string\): string/,
      'src/text.test.ts': /import \{ slugify \} from '\.\/text\.ts'/,
    },
  ],
  [
    'Add a function multiply to src/math.js and add a test',
    { 'src/math.js': MATH },
    {
      'src/math.js': `${MATH}\nexport function multiply(a, b) {\n  return a * b;\n}\n`,
      'src/math.test.js': /assert\.equal\(multiply\(4, 3\), 12\)/,
    },
  ],
  [
    'Add a divide function that checks for zero',
    { 'math.py': MATH_PY },
    { 'math.py': /def divide\(a, b\):\n {4}if b == 0:\n {8}raise ValueError/ },
  ],
  [
    'Add isPrime and factorial functions to lib/n.js',
    { 'lib/n.js': COMMON },
    { 'lib/n.js': /module\.exports = \{ one, isPrime, factorial \}\n$/ },
  ],
  [
    'Write a function that formats kobo as naira in src/money.ts',
    {},
    { 'src/money.ts': /function formatNaira\(kobo: number\)/ },
  ],
  [
    'Write a Python function to check whether a string is a palindrome and write a test for it',
    {},
    {
      'is_palindrome.py': /def is_palindrome/,
      'test_is_palindrome.py':
        /from is_palindrome import is_palindrome\n\n\ndef test_is_palindrome\(\):\n {4}assert is_palindrome\("Madam"\) is True/,
    },
  ],
  [
    'Add a function `double(n)` that returns `n * 2` to src/math.js',
    { 'src/math.js': MATH },
    { 'src/math.js': /export function double\(n\) \{\n {2}return n \* 2;\n\}/ },
  ],
  [
    'Add a function called total that sums a list of numbers',
    { 'cart.py': '' },
    { 'cart.py': /^def total\(values\):/ },
  ],
  [
    'Add a slugify function',
    { 'text.py': 'import os\n\n\ndef name():\n    return os.name\n' },
    { 'text.py': /^import os\nimport re\nimport unicodedata\n\n\ndef name/ },
  ],
  [
    'Add a Subtract function to calc.go',
    { 'calc.go': 'package calc\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n' },
    { 'calc.go': /func Subtract\(a, b int\) int \{\n\treturn a - b\n\}\n$/ },
  ],
  [
    'Add a multiply method',
    { 'Calc.java': 'public class Calc {\n    static int one() {\n        return 1;\n    }\n}\n' },
    { 'Calc.java': /static int multiply\(int a, int b\) \{\n {8}return a \* b;\n {4}\}\n\}\n$/ },
  ],
  [
    'Add a factorial function',
    { 'm.php': '<?php\n\nfunction one() {\n    return 1;\n}\n' },
    { 'm.php': /function factorial\(int \$n\): int/ },
  ],
  [
    'Write tests for src/math.js',
    { 'src/math.js': MATH, 'package.json': '{"devDependencies":{"vitest":"4"}}' },
    { 'src/math.test.js': /from 'vitest'[\s\S]*expect\(add\(2, 3\)\)\.toBe\(5\)/ },
  ],
  [
    'Add tests for add',
    { 'm.py': MATH_PY, 'tests/test_x.py': 'import unittest\n' },
    { 'tests/test_m.py': /class AddTest\(unittest\.TestCase\)/ },
  ],
  [
    '1. Add a capitalize function to src/t.js\n2. Add a unit test for it',
    {},
    { 'src/t.js': /capitalize/, 'src/t.test.js': /capitalize\("hello"\), "Hello"/ },
  ],

  // Words
  [
    'Rename add to plus',
    { 'src/math.js': MATH, 'src/use.js': "import { add } from './math.js';\nconst added = add(1, 2);\n" },
    {
      'src/math.js': /function plus/,
      'src/use.js': "import { plus } from './math.js';\nconst added = plus(1, 2);\n",
    },
  ],
  [
    'Replace "Hello" with "Bonjour $& $1" in greet.py',
    { 'greet.py': 'a = "Hello"\n', 'b.py': 'Hello\n' },
    { 'greet.py': 'a = "Bonjour $& $1"\n', 'b.py': 'Hello\n' },
  ],
  ['Change the port from `3000` to `8080`', { 's.js': 'listen(3000);\n' }, { 's.js': 'listen(8080);\n' }],
  [
    'Remove the function add',
    { 'm.js': `${MATH}\nexport const two = 2;\n` },
    { 'm.js': 'export const two = 2;\n' },
  ],
  [
    'Remove all console.log statements',
    { 'a.js': 'const x = 1;\nconsole.log(x);\nexport { x };\n' },
    { 'a.js': 'const x = 1;\nexport { x };\n' },
  ],

  // Inside of what is there
  [
    'Add a docstring to add',
    { 'm.py': MATH_PY },
    { 'm.py': 'def add(a, b):\n    """Adds two numbers."""\n    return a + b\n' },
  ],
  ['Add a comment "Sums up" above add', { 'm.js': MATH }, { 'm.js': /^\/\*\*\n \* Sums up\n/ }],
  [
    'Add JSDoc comments to all functions',
    { 'm.js': MATH },
    { 'm.js': /^\/\*\*\n \* Adds two numbers\.\n \*\n \* @param a/ },
  ],
  [
    'Add a field email to the interface User',
    { 'user.ts': 'export interface User {\n  name: string;\n}\n' },
    { 'user.ts': 'export interface User {\n  name: string;\n  email: string;\n}\n' },
  ],
  [
    'Add an optional field age of type number to the User interface',
    { 'user.ts': 'interface User {\n  name: string\n}\n' },
    { 'user.ts': 'interface User {\n  name: string\n  age?: number\n}\n' },
  ],
  [
    'Add a field email to class User',
    { 'u.py': 'class User:\n    def __init__(self, name):\n        self.name = name\n' },
    { 'u.py': /__init__\(self, name, email=None\):\n {8}self\.email = email/ },
  ],
  [
    "Import readFile from 'node:fs/promises' in m.js",
    { 'm.js': MATH },
    { 'm.js': `import { readFile } from 'node:fs/promises';\n\n${MATH}` },
  ],
  ['Import json in m.py', { 'm.py': MATH_PY }, { 'm.py': `import json\n\n\n${MATH_PY}` }],
  [
    'Add error handling to load',
    { 'l.js': 'export async function load(path) {\n  const text = await read(path);\n  return text;\n}\n' },
    {
      'l.js':
        /\{\n {2}try \{\n {4}const text = await read\(path\);\n {4}return text;\n {2}\} catch \(error\) \{/,
    },
  ],
  [
    'Add a null check for name in greet',
    { 'g.py': 'def greet(name):\n    return "Hi " + name\n' },
    { 'g.py': /if name is None:\n {8}raise ValueError\("name is required"\)/ },
  ],
  [
    'Add a division by zero check to ratio',
    { 'r.py': 'def ratio(a, b):\n    return a / b\n' },
    { 'r.py': /if b == 0:/ },
  ],
  [
    'Throw an error if b is zero in ratio',
    { 'r.ts': 'export function ratio(a: number, b: number) {\n  return a / b\n}\n' },
    { 'r.ts': /if \(b === 0\) \{\n {4}throw new Error\('b must not be zero'\)\n {2}\}/ },
  ],
  [
    'Add a GET /health endpoint that returns { status: "up" }',
    { 's.js': "const express = require('express');\nconst app = express();\n\napp.listen(3000);\n" },
    {
      's.js':
        /app\.get\('\/health', \(req, res\) => \{\n {2}res\.json\(\{ status: "up" \}\);\n\}\);\n\napp\.listen/,
    },
  ],
  [
    'Add a "lint" script that runs `biome check` to package.json',
    { 'package.json': MANIFEST },
    { 'package.json': /"lint": "biome check"/ },
  ],
  [
    'Set version to 1.2.0 in package.json',
    { 'package.json': MANIFEST },
    { 'package.json': /"version": "1\.2\.0"/ },
  ],
  [
    'Add lodash as a dependency',
    { 'package.json': MANIFEST },
    { 'package.json': /"dependencies": \{\n {4}"lodash": "latest"/ },
  ],
])('%s', ([task, before, after]) => {
  const { files, plan, summary } = doTask(task, before)
  for (const [path, expected] of Object.entries(after)) {
    if (expected === null) expect(files.has(path)).toBe(false)
    else if (typeof expected === 'string') expect(files.get(path)).toBe(expected)
    else expect(files.get(path)).toMatch(expected)
  }
  const untouched = [...files].filter(([path, text]) => before[path] !== text && !(path in after))
  expect(untouched).toEqual([])
  expect(plan).toMatch(/^1\. \S/)
  expect(summary).not.toContain('Not done')
})

test.for([
  ['Build me a distributed database', {}],
  ['Make it prettier', { 'src/math.js': MATH }],
  ['Add a function settleQuarter', { 'src/math.js': MATH }],
  ['Delete src/gone.js', { 'src/math.js': MATH }],
  ['Rename nothing to something', { 'src/math.js': MATH }],
  ['Fix the failing test', { 'src/math.js': MATH }],
] as const)('“%s” is beyond it: it says so, plans for a person and edits nothing', ([task, before]) => {
  const { files, plan, summary, text } = doTask(task, before)
  expect(Object.fromEntries(files)).toEqual(before)
  expect(text).not.toContain(' FILE ')
  expect(plan).toContain(task)
  expect(summary).toContain('No file was changed')
})

test('what is understood is done, and what is not is named', () => {
  const { files, summary } = doTask('Rename add to plus. Then make everything ten times faster.', {
    'm.js': MATH,
  })
  expect(files.get('m.js')).toContain('function plus')
  expect(summary).toMatch(/Not done.*ten times faster/)
})

test('a file that is shown in part is not edited, nor written anew', () => {
  const [system, user] = codingMessages('Create notes.js with `x`. Rename add to plus.', {
    'notes.js': MATH,
    'm.js': MATH,
  })
  const cut = user?.content.replace('path="notes.js"', 'path="notes.js" lines="1-3 of 90"') ?? ''
  const reply = replyTo([...(system === undefined ? [] : [system]), { role: 'user', content: cut }])
  expect(reply).toContain('FILE update m.js')
  expect(reply).not.toContain('notes.js]]')
  expect(reply).toContain('Left alone after all, because only a part is shown: notes.js.')
})

test('a file with other line ends is read all the same', () => {
  const [system, user] = codingMessages('Rename add to plus', { 'm.js': MATH.replaceAll('\n', '\r\n') })
  const reply = replyTo([system, user].filter((message) => message !== undefined))
  expect(applied(reply, { 'm.js': MATH }).files.get('m.js')).toContain('function plus(a, b) {\n')
})

test('a question about the files is answered without an edit', () => {
  const { files, summary } = doTask('Explain this code', { 'm.js': MATH })
  expect(files.get('m.js')).toBe(MATH)
  expect(summary).toContain('It defines `add`')
})
