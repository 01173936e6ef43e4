import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../install.mjs'
import { loadedFiles, prune } from './prune.mjs'

test('pruning keeps code, licences and workspaces, and removes types, maps, tests and documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-prune-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (...paths: string[]) => {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
  }
  const kept = [
    'node_modules/a/LICENSE.md',
    'node_modules/a/index.js',
    'node_modules/a/lib/docs/index.js',
    'node_modules/a/node_modules/b/index.cjs',
    'node_modules/a/package.json',
    'node_modules/@s/c/index.mjs',
    'node_modules/grammars/LICENSE',
    'node_modules/grammars/package.json',
    'node_modules/grammars/wasm/used.wasm',
    'server/src/main.ts',
    'server/README.md',
  ]
  write(
    ...kept,
    'node_modules/a/README.md',
    'node_modules/a/index.d.ts',
    'node_modules/a/index.js.map',
    'node_modules/a/test/a.test.js',
    'node_modules/a/node_modules/b/index.d.cts',
    'node_modules/a/node_modules/b/docs/index.html',
    'node_modules/@s/c/src/index.ts',
    'node_modules/grammars/wasm/package.json',
    'node_modules/grammars/wasm/other.wasm',
    'node_modules/npm-check-updates/index.js',
  )
  mkdirSync(join(folder, 'node_modules/@cowrie'))
  symlinkSync('../../server', join(folder, 'node_modules/@cowrie/server'))

  prune(join(folder, 'node_modules'), new Map([['grammars', new Set(['wasm/used.wasm'])]]))

  const left = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('node_modules/@cowrie/'))
  expect(left.sort()).toEqual(kept.sort())
})

test('a missing file that the service loads is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-prune-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'grammars'))
  expect(() => prune(folder, new Map([['grammars', new Set(['gone.wasm'])]]))).toThrow(
    'grammars has no gone.wasm',
  )
})

test('only the tokenizer encoding that the service uses is kept', async () => {
  const loaded = await loadedFiles(join(ROOT, 'node_modules'))
  expect([...(loaded.get('gpt-tokenizer') ?? [])].filter((path) => path.includes('bpeRanks'))).toEqual([
    'cjs/bpeRanks/o200k_base.js',
  ])
})
