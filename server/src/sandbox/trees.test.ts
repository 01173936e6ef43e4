import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandRun } from './command-run.ts'
import { runLocally } from './local/local.ts'
import { findLocalTools, type LocalTools } from './local/local-tools.ts'
import type { SandboxTree } from './sandbox-tree.ts'
import { withOverlay } from './self-test.ts'
import { packTree } from './tree-archive.ts'

const own = mkdtempSync(join(tmpdir(), 'cowrie-trees-'))
let count = 0
afterAll(() => {
  // Node.js cannot remove very deep folders.
  spawnSync('rm', ['-rf', own])
})

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(own, `tree-${count++}`)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) write(join(folder, path), content)
  return folder
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const toTree = (folder: string, changes: Partial<SandboxTree> = {}): SandboxTree => ({
  folder,
  files: new Map(),
  deleted: new Set(),
  ...changes,
})

if (hasSandbox) describe('a tree in the local sandbox', testTrees)
else test('trees are not tested on this machine', () => reportNotRun('sandbox/trees.ts'))

function testTrees(): void {
  let mounted: LocalTools
  let streamed: LocalTools
  beforeAll(async () => {
    const found = await findLocalTools()
    if ('missing' in found) throw new Error(found.missing)
    mounted = { ...(await withOverlay(found)), ownFolder: own }
    streamed = { ...found, canOverlay: false }
  })
  const run = (tools: LocalTools, tree: SandboxTree, command: string): Promise<CommandRun> =>
    runLocally(tools, { tree, command, signal: AbortSignal.timeout(60_000) })
  /** The same in a mounted and in a streamed folder. */
  const both = async (tree: SandboxTree, command: string) => [
    await run(mounted, tree, command),
    await run(streamed, tree, command),
  ]

  test('shows the folder with its changes, lets the command write anywhere, and leaves the folder as it was', async () => {
    const folder = makeFolder({ 'src/a.txt': 'a', 'src/b.txt': 'b', 'old/x/y.txt': 'y', name: 'n' })
    write(join(folder, 'go.sh'), 'echo went')
    chmodSync(join(folder, 'go.sh'), 0o755)
    const files = new Map([
      ['src/a.txt', 'changed'],
      ['old', 'a file now'],
      ['name/deep.txt', 'a folder now'],
    ])
    const deleted = new Set(['old/x/y.txt', 'name', 'never/there.txt'])
    const before = spawnSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).stdout
    const command =
      'find . -type f | sort; cat src/a.txt old; ./go.sh; echo new > src/b.txt; rm src/a.txt; touch x'
    for (const done of await both(toTree(folder, { files, deleted }), command))
      expect(done).toMatchObject({
        outcome: 'exited',
        exitCode: 0,
        output: './go.sh\n./name/deep.txt\n./old\n./src/a.txt\n./src/b.txt\nchangeda file nowwent\n',
      })
    expect(spawnSync('find', [folder, '-type', 'f'], { encoding: 'utf8' }).stdout).toBe(before)
    expect(await run(mounted, toTree(folder), 'cat src/b.txt')).toMatchObject({ output: 'b' })
  })

  test('bounds what a command writes, and what it costs is not the size of the folder', async () => {
    const folder = makeFolder({ 'big.txt': 'x'.repeat(24 << 20) })
    for (const tools of [mounted, streamed]) {
      const limits = { diskBytes: 8 << 20, memoryBytes: 20 << 20 }
      const signal = AbortSignal.timeout(60_000)
      const tree = toTree(folder)
      const fits = await runLocally(tools, { tree, command: 'wc -c < big.txt', limits, signal })
      expect(fits).toMatchObject({ outcome: 'exited', output: `${24 << 20}\n` })
      const command = 'head -c 30M /dev/zero > other; false'
      expect(await runLocally(tools, { tree, command, limits, signal })).toMatchObject({
        outcome: 'limit',
        limit: 'disk',
      })
    }
  })

  test('never leads outside through links', async () => {
    const folder = makeFolder({ 'a.txt': 'a' })
    symlinkSync('/etc/shadow', join(folder, 'shadow'))
    symlinkSync(own, join(folder, 'out'))
    const command = 'cat shadow; ls out/; cat a.txt; echo x > out/y'
    for (const done of await both(toTree(folder, { deleted: new Set(['out/tree-0/src/b.txt']) }), command))
      expect(done.output).not.toMatch(/root:|tree-/)
    expect(spawnSync('ls', [own], { encoding: 'utf8' }).stdout).not.toContain('y\n')
    expect(await run(mounted, toTree(join(own, 'tree-0')), 'cat src/b.txt')).toMatchObject({ output: 'b' })
  })

  test('with a path that is far too deep is refused or shown, and never stops the service', async () => {
    const folder = makeFolder({ 'a.txt': 'a' })
    spawnSync('perl', ['-e', 'for (1 .. 2500) { mkdir "d"; chdir "d" }'], { cwd: folder })
    for (const done of await both(toTree(folder), 'cat a.txt'))
      expect(done.outcome === 'failed' ? done.reason : done.output).toMatch(/^a$|clean relative path/)
  })

  test('whose folder is gone is a failure of the sandbox', async () => {
    const folder = makeFolder({})
    rmSync(folder, { recursive: true })
    expect(await run(mounted, toTree(folder), 'true')).toMatchObject({
      outcome: 'failed',
      reason: 'the folder of the files is gone',
    })
  })

  test.for([
    ['grew', (path: string) => writeFileSync(path, 'longer than before')],
    ['disappeared', (path: string) => rmSync(path)],
    [
      'became a link',
      (path: string) => {
        rmSync(path)
        symlinkSync('/etc/hostname', path)
      },
    ],
  ] as const)('whose file %s after it was listed is not copied', async ([, change]) => {
    const folder = makeFolder({ 'a.txt': 'a' })
    const packed = await packTree(toTree(folder))
    if ('refused' in packed) throw new Error(packed.refused)
    write(join(folder, 'late.txt'), 'late')
    const early = Buffer.concat(
      await Array.fromAsync(((await packTree(toTree(folder))) as typeof packed).stream),
    )
    expect(early.includes('late')).toBe(true)
    change(join(folder, 'a.txt'))
    await expect(Array.fromAsync(packed.stream)).rejects.toThrow(
      'the folder changed while it was copied: a.txt',
    )
  })
}
