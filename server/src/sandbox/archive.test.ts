import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { isCleanPath, packFiles } from './archive.ts'

describe('an archive', () => {
  const long = `${'folder/'.repeat(20)}${'ä'.repeat(60)}.txt`
  const files = new Map([
    ['a.txt', 'one'],
    ['src/ünïcode file.ts', 'two\n'],
    [long, 'x'.repeat(513)],
    ['empty', ''],
    ['run.sh', '#!/bin/sh\necho hello\n'],
  ])
  const packed = packFiles(files)
  const tar = (...words: string[]) =>
    spawnSync('tar', words, {
      input: 'archive' in packed ? packed.archive : '',
      encoding: 'utf8',
      env: { ...process.env, LANG: 'C.UTF-8' },
    })

  test('is readable by tar and contains every file', () => {
    const listed = tar('-t', '-v', '--quoting-style=literal', '-f', '-')
    expect(listed.stderr).toBe('')
    const lines = listed.stdout.trim().split('\n')
    expect(lines.map((line) => line.slice(line.indexOf(':') + 4))).toEqual([...files.keys()])
  })

  test('has the text of each', () => {
    for (const [path, text] of files) expect(tar('-x', '-O', '-f', '-', path).stdout).toBe(text)
  })

  test('makes only scripts executable', () => {
    const modes = tar('-t', '-v', '-f', '-')
      .stdout.split('\n')
      .map((line) => line.slice(0, 10))
    expect(modes.slice(0, 5)).toEqual([...Array(4).fill('-rw-r--r--'), '-rwxr-xr-x'])
  })

  test('is readable by tar for names of any length', () => {
    for (const length of [90, 91, 92, 93, 99, 100, 101, 110]) {
      const name = 'n'.repeat(length)
      const one = packFiles(new Map([[name, 'text']]))
      const listed = spawnSync('tar', ['-t', '-f', '-'], {
        input: 'archive' in one ? one.archive : '',
        encoding: 'utf8',
      })
      expect(listed.stdout).toBe(`${name}\n`)
    }
  })
})

test.for([
  '',
  '/etc/passwd',
  '..',
  '../x',
  'a/../../x',
  'a/..',
  './a',
  'a//b',
  'a/',
  'a\0b',
  'a\nb',
  'a\\b',
  '\u007f',
  `${'a/'.repeat(40)}b`,
  'n'.repeat(256),
  `${`${'n'.repeat(200)}/`.repeat(6)}n`,
  '\ud800',
])('the path %j is not put into any sandbox', (path) => {
  expect(isCleanPath(path)).toBe(false)
  expect(
    packFiles(
      new Map([
        ['fine', ''],
        [path, ''],
      ]),
    ),
  ).toMatchObject({ refused: expect.stringContaining('path') })
})

test('too many files and too much text are rejected', () => {
  const many = new Map(Array.from({ length: 20_001 }, (_, i) => [`f${i}`, '']))
  expect(packFiles(many)).toEqual({ refused: 'more than 20000 files' })
  expect(packFiles(new Map([['big', 'x'.repeat((48 << 20) + 1)]]))).toEqual({
    refused: 'more than 48 MiB of files',
  })
})
