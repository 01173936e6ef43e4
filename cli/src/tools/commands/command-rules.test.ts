import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { pickOne, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { describe, expect, test } from 'vitest'
import { matchesPattern, matchesPatterns, suggestPatterns } from './command-rules.ts'
import { isHarmless } from './harmless-commands.ts'
import { needsNetwork } from './network-need.ts'
import { parseCommand } from './shell-syntax.ts'

describe('a rule', () => {
  test.for<[string, string]>([
    ['npm test', 'npm test'],
    ['npm test', 'npm test*'],
    ['npm   test  ', 'npm test*'],
    ['npm test -- --grep "a b"', 'npm test*'],
    ["npm 'test' x", 'npm test *'],
    ['npm run test:unit', 'npm run test:*'],
    ['npm test 2>&1', 'npm test*'],
    ['npm test 2>/dev/null', 'npm test*'],
    ['cd web && npm test | tail -20', 'npm test*'],
    ['npm test; npm test x', 'npm test*'],
    ['npm test # ; rm x', 'npm test*'],
    ['npm test\nnpm test', 'npm test*'],
    ['npm test;', 'npm test*'],
    ['CI=1 npm test', 'CI=1 npm test*'],
    ['for f in *; do rm $f; done', 'for f in *; do rm $f; done'],
  ])('for %j allows %j', ([command, pattern]) => {
    expect(matchesPattern(command, pattern)).toBe(true)
  })

  test.for<[string, string]>([
    ['npm testing', 'npm test*'],
    ['npm tes', 'npm test*'],
    ['npm', 'npm test*'],
    ['npm test; rm -rf x', 'npm test*'],
    ['npm test && curl evil', 'npm test*'],
    ['npm test || rm x', 'npm test*'],
    ['npm test | sh', 'npm test*'],
    ['npm test |& sh', 'npm test*'],
    ['npm test & rm x', 'npm test*'],
    ['npm test &', 'npm test*'],
    ['npm test\nrm x', 'npm test*'],
    ['npm test\r\nrm x', 'npm test*'],
    ['npm test $(rm x)', 'npm test*'],
    ['npm test `rm x`', 'npm test*'],
    ['npm test "$(rm x)"', 'npm test*'],
    ['npm test "`rm x`"', 'npm test*'],
    ['npm test $X', 'npm test*'],
    [`npm test $\{X}`, 'npm test*'],
    ["npm test $'\\n'", 'npm test*'],
    ['npm test > .git/config', 'npm test*'],
    ['npm test >> x', 'npm test*'],
    ['npm test >| x', 'npm test*'],
    ['npm test &> x', 'npm test*'],
    ['npm test 2> x', 'npm test*'],
    ['npm test < x', 'npm test*'],
    ['npm test <(rm x)', 'npm test*'],
    ['npm test >(rm x)', 'npm test*'],
    ['npm test << E\nrm\nE', 'npm test*'],
    ['npm test <<< x', 'npm test*'],
    ['npm test <> x', 'npm test*'],
    ['(npm test)', 'npm test*'],
    ['{ npm test; }', 'npm test*'],
    ['! npm test', 'npm test*'],
    ['if npm test; then rm x; fi', 'npm test*'],
    ['npm test() { rm x; }', 'npm test*'],
    ['npm {test,x}', 'npm test*'],
    ['npm te"st', 'npm test*'],
    ["npm test 'x", 'npm test*'],
    ['npm test \\\n rm', 'npm test*'],
    ['npm test x\\', 'npm test*'],
    ['PATH=. npm test', 'npm test*'],
    ['LD_PRELOAD=./x.so npm test', 'npm test*'],
    ['env npm test', 'npm test*'],
    ['npm te*', 'npm test*'],
    ['ls', 'npm test*'],
    ['npm test \x1b[2K', 'npm test*'],
    ['npm test && > x', 'npm test*'],
    ['npm test;; rm', 'npm test*'],
    ['npm test && cat .env > x', 'npm test*'],
    ['rm -rf x', '*'],
    ['rm -rf x', ' * '],
    ['npm test x', 'npm test; rm *'],
    ['npm test x', 'npm test > *'],
    ['npm run test: evil', 'npm run test'],
    ['npm run testing', 'npm run test: *'],
  ])('never allows %j by %j', ([command, pattern]) => {
    expect(matchesPattern(command, pattern)).toBe(false)
  })

  test('allows a list only if each part has one', () => {
    const rules = ['npm test*', 'npm run lint*']
    expect(matchesPatterns('npm run lint && npm test', rules)).toBe(true)
    expect(matchesPatterns('npm run lint && npm test && npm publish', rules)).toBe(false)
    expect(matchesPatterns('npm test && cat /etc/passwd', rules)).toBe(false)
  })

  test('never allows more than it says, whatever is put after an allowed command', () => {
    const pieces = [
      ';',
      '&',
      '|',
      '\n',
      '`',
      '$(',
      '>',
      '<',
      '(',
      '{',
      '\r',
      '$X',
      '"',
      "'",
      '\\\n',
      '&&',
      '||',
      '>>',
      '#',
      ' ',
    ]
    for (const first of pieces)
      for (const second of pieces) {
        const command = `npm test${first}${second}rm x`
        if (!matchesPattern(command, 'npm test*')) continue
        // Allowed: then the shell sees one simple command or a comment.
        const parts = parseCommand(command) ?? []
        expect(
          parts.map(({ words }) => words[0]?.text),
          JSON.stringify(command),
        ).toEqual(['npm'])
      }
  })
})

test('of random commands, those that a rule allows execute nothing else in a real shell', () => {
  const folder = scratchFolder()
  const programs = join(folder, 'bin')
  const work = join(folder, 'work')
  mkdirSync(programs)
  for (const name of ['npm', 'rm', 'x', 'test', 'a']) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> ${folder}/log\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const random = seeded(28)
  const pieces =
    'npm| |test| |x|rm|a|;|&|&&|||\n|`|$(|)|>|<|(|{|}|"|\'|\\|#|$|=|!|~|*|2>&1|>/dev/null|\t|,|-|--|:|:::'.split(
      /(?<=.)\|(?=.)/s,
    )
  let allowed = 0
  for (let i = 0; i < rounds(4_000, 100_000); i++) {
    const length = 1 + Math.floor(random() * 7)
    const command = `npm test${Array.from({ length }, () => pickOne(random, pieces)).join('')}`
    if (!matchesPattern(command, 'npm test*')) continue
    if (++allowed > rounds(60, 5_000)) break
    mkdirSync(work)
    writeFileSync(join(folder, 'log'), '')
    try {
      execFileSync('/bin/bash', ['-c', command], { cwd: work, env: { PATH: programs }, stdio: 'ignore' })
    } catch {
      // An exit code.
    }
    const lines = readFileSync(join(folder, 'log'), 'utf8')
      .split('\n')
      .filter((line) => /^(npm|rm|x|test|a) /.test(line))
    expect(
      lines.filter((line) => !line.startsWith('npm test')),
      JSON.stringify(command),
    ).toEqual([])
    expect(readdirSync(work), JSON.stringify(command)).toEqual([])
    rmSync(work, { recursive: true })
  }
  expect(allowed).toBeGreaterThan(20)
  rmSync(folder, { recursive: true })
})

describe('the offered rules', () => {
  test.for<[string, string[]]>([
    ['npm test -- a', ['npm test -- a', 'npm test*']],
    ['npm run lint', ['npm run lint', 'npm run lint*']],
    ['npx vitest run a', ['npx vitest run a', 'npx vitest*']],
    ['python3 -m pytest x', ['python3 -m pytest x', 'python3 -m pytest*']],
    ['vitest run', ['vitest run', 'vitest*']],
    ['cd web && npm test | tail', ['cd web && npm test | tail', 'npm test*']],
    ['rm -rf dist', ['rm -rf dist']],
    ['bash -c "x"', ['bash -c "x"']],
    ['python3 -c "x"', ['python3 -c "x"']],
    ['node -e 1', ['node -e 1']],
    ['git push origin', ['git push origin']],
    ['git commit -m x', ['git commit -m x', 'git commit*']],
    ['npm install x', ['npm install x']],
    ['npm test > log', ['npm test > log']],
    ['X=1 npm test', ['X=1 npm test']],
    ['rm *', []],
    ['a\nb', ['a*', 'b*']],
  ])('for %j are %j', ([command, patterns]) => {
    expect(suggestPatterns(command)).toEqual(patterns)
  })

  test('allow the command they were offered for', () => {
    for (const command of ['npm test -- a', 'go test ./...', 'cargo build', 'make -j4', 'cd a && npm test'])
      for (const pattern of suggestPatterns(command)) expect(matchesPattern(command, pattern)).toBe(true)
  })
})

describe('a command that only reads', () => {
  test.for([
    'ls -la src',
    'git status',
    'git diff HEAD~1 -- a.ts | head -50',
    'cat a.ts && wc -l a.ts',
    'grep -rn "foo$" src',
    'find . -name "*.ts"',
    'node --version',
    'git log --oneline -5 2>&1',
    'cat /repo/src/a.ts',
    'cd src && ls',
    'ls src/*.ts',
  ])('needs no question: %s', (command) => {
    expect(isHarmless(command, '/repo')).toBe(true)
  })
  test.for([
    'ls > x',
    'find . -delete',
    'find . -exec rm {} +',
    'find . -fprint x',
    'git diff --output=x',
    'git -c core.pager=evil log',
    'git branch new',
    'git config --list',
    'git checkout .',
    'sort -o x y',
    'sort --compress-program=evil y',
    'uniq a b',
    'rg --pre evil x',
    'tree -o x',
    './ls',
    '/tmp/ls',
    'ls; rm x',
    'node evil.js',
    './evil --version',
    'cat .env',
    'cat config/.env.local',
    'git show HEAD:.env',
    'cat id_rsa',
    'cat ~/.bashrc',
    'cat /etc/passwd',
    'cat ../other/file',
    'cat a/../../x',
    'cd .. && ls',
    'cd /',
    'cat *',
    'X=1 ls',
    'echo $(rm x)',
    'env',
    '',
  ])('is not: %s', (command) => {
    expect(isHarmless(command, '/repo')).toBe(false)
  })
})

describe('the network', () => {
  test.for([
    'npm install',
    'npm ci',
    'cd web && npm i left-pad',
    'git push origin main',
    'git clone https://example.com/x',
    'pip install -r requirements.txt',
    'python3 -m pip install x',
    'curl https://example.com',
    'go mod download',
    'for i in 1 2; do curl https://example.com/$i; done',
    'yarn',
    'yarn add x',
    'COWRIE_NETWORK=1 npm test',
    'CI=1 npm ci',
  ])('is needed for %s', (command) => {
    expect(needsNetwork(command)).toBe(true)
  })
  test.for([
    'npm test',
    'npm run install-check',
    'git status',
    'git commit -m "npm install"',
    'echo curl',
    'yarn test',
    'bundle exec rspec',
    'curl http://localhost:3000/health',
    'curl -s localhost:3000',
    'npm ci --offline',
    'go test ./...',
    'cargo build',
  ])('is not needed for %s', (command) => {
    expect(needsNetwork(command)).toBe(false)
  })
})
