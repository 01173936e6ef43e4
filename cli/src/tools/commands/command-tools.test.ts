// The tools for commands: questions, results, what a command changed, and commands in the background.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkFolder, type WorkFolder } from '../../../test/work-folder.ts'
import type { ToolReport } from '../../session/types.ts'
import { type CommandTools, createCommandTools } from './command-tools.ts'

let folder: WorkFolder
let tools: CommandTools
let isNetworkAllowed = false

const create = (more: Partial<Parameters<typeof createCommandTools>[0]> = {}): CommandTools => {
  const home = join(folder.root, '..')
  return createCommandTools({
    root: folder.root,
    gitFolder: join(folder.root, '.git'),
    folder: join(home, 'session'),
    env: { PATH: process.env.PATH ?? '', HOME: home },
    home,
    platform: 'linux',
    sandboxFolder: join(home, 'sandbox'),
    hidden: [],
    isNetworkAllowed: () => isNetworkAllowed,
    ...more,
  })
}

beforeAll(() => {
  folder = makeWorkFolder({ 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'ignored\n', 'c.bin': 'x\0y' })
  mkdirSync(join(folder.root, '..', 'session'))
  tools = create()
})
afterAll(async () => {
  await tools.close()
  folder.remove()
})

const call = (tool: string, input: Record<string, unknown>) => ({ callId: 'c1', turnId: 't1', tool, input })
const never = new AbortController().signal
const run = (command: string, more: object = {}): Promise<ToolReport> =>
  tools.run(call('run', { command, ...more }), { signal: never })

if (!hasSandbox)
  test('commands in the sandbox cannot be tested here', () => {
    reportNotRun('cli/src/tools/commands')
  })
else {
  describe('the assessment of a command', () => {
    test('in the sandbox is free for reading, and else a question with rules to remember', async () => {
      expect(await tools.assess(call('run', { command: 'git status' }))).toEqual({ kind: 'free' })
      expect(await tools.assess(call('run', { command: 'npm test -- x' }))).toMatchObject({
        kind: 'ask',
        about: 'command',
        subject: 'npm test -- x',
        patterns: ['npm test -- x', 'npm test*'],
      })
    })

    test('asks for the network and for files with secrets separately, and only for exactly this command', async () => {
      expect(await tools.assess(call('run', { command: 'npm ci' }))).toMatchObject({
        about: 'network',
        patterns: ['npm ci'],
      })
      expect(await tools.assess(call('run', { command: 'COWRIE_NETWORK=1 npm test' }))).toMatchObject({
        about: 'network',
      })
      expect(
        await tools.assess(call('background_start', { command: 'npm start', network: true })),
      ).toMatchObject({ about: 'network' })
      expect(await tools.assess(call('run', { command: 'cat .env' }))).toMatchObject({
        about: 'sensitive',
        patterns: ['cat .env'],
      })
      isNetworkAllowed = true
      expect(await tools.assess(call('run', { command: 'npm ci' }))).toMatchObject({ about: 'command' })
      isNetworkAllowed = false
    })

    test('is free only without the files that hold secrets, in whatever form it prints them', async () => {
      folder.write({ '.env': 'WORD=correct-horse-battery\n', 'notes.txt': 'horse\n' })
      for (const command of ['grep -ro horse .', 'grep -rh . . | od -An -c', 'cat a.txt ./notes.txt']) {
        expect(await tools.assess(call('run', { command }))).toEqual({ kind: 'free' })
        const { output } = await run(command)
        expect(output).not.toContain('.env:horse')
        expect(output.replace(/[|\s]+/g, '')).not.toContain('battery')
      }
      expect((await run('grep -ro horse .')).output).toContain('notes.txt:horse')
      expect((await run('cat .env; true')).output).toContain('WORD')
      rmSync(join(folder.root, '.env'))
      rmSync(join(folder.root, 'notes.txt'))
    })

    test('is free only if git runs no program that a repository names', async () => {
      const bare = join(folder.root, 'bare.git')
      mkdirSync(bare)
      folder.git('init', '-q', '--bare', bare)
      const { root } = folder
      for (const [key, value] of [
        ['core.bare', 'false'],
        ['core.worktree', root],
        ['core.fsmonitor', `touch ${root}/ran; false`],
      ] as const)
        folder.git('config', '--file', join(bare, 'config'), key, value)
      expect(await tools.assess(call('run', { command: 'cd bare.git && git status' }))).toEqual({
        kind: 'free',
      })
      expect((await run('cd bare.git && git status')).ok).toBe(false)
      expect((await run('git status')).ok).toBe(true)
      expect(existsSync(join(root, 'ran'))).toBe(false)
      rmSync(bare, { recursive: true })
    })

    test('refuses what is no command', async () => {
      for (const command of [undefined, 1, '', '  ', 'a\0b', 'x'.repeat(8_001)])
        expect(await tools.assess(call('run', { command }))).toMatchObject({ kind: 'refused' })
      expect(await tools.run(call('run', { command: '' }), { signal: never })).toMatchObject({ ok: false })
    })
  })

  describe('the result of a command', () => {
    test('has exit code, time and output without terminal codes, binary data and secrets', async () => {
      const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
      const report = await run(
        `printf '\\033[31mred\\033[0m 1%%\\r99%%\\n\\001\\377\\n'; echo token=${token.slice(0, 20)}'\\033[0m'${token.slice(20)}; echo -e 'x=${token}'; exit 4`,
      )
      expect(report.ok).toBe(false)
      expect(report.output).toMatch(/^The command ended with exit code 4 after \d+\.\d s\.\n\| 99%\n/)
      expect(report.output).not.toContain('\x1b')
      expect(report.output).not.toContain(token)
      expect(report.summary).toMatch(/^exit code 4 after/)
    })

    test('keeps the beginning and the end of a long output, and says how much is left out', async () => {
      const { output } = await run('seq 1 200000')
      expect(output.length).toBeLessThan(40_000)
      expect(output).toContain('\n| 1\n')
      expect(output.trimEnd().endsWith('| 200000')).toBe(true)
      expect(output).toMatch(/… \d+ lines \(\d+ characters\) left out …/)
    })

    test('tells a time limit, and that it printed nothing', async () => {
      expect((await run('sleep 30', { timeoutSeconds: 1 })).output).toContain('it did not end within 1 s')
      expect((await run('true')).output).toMatch(/exit code 0 after .* It printed nothing\./)
    })

    test('shows output as it comes', async () => {
      const seen: string[] = []
      await tools.run(call('run', { command: 'echo one; echo two >&2' }), {
        signal: never,
        onOutput: (text) => seen.push(text),
      })
      expect(seen.join('')).toBe('one\ntwo\n')
    })

    test('says how to ask for the network when the command failed without it', async () => {
      const { output } = await run(
        `node -e "require('dns').lookup('example.com', (e) => { console.log(e.code); process.exit(1) })"`,
      )
      expect(output).toContain('begin the command with COWRIE_NETWORK=1')
    })

    test('stopped while it is prepared does not start, and the next one does', async () => {
      const stop = new AbortController()
      const stopped = tools.run(call('run', { command: 'touch started' }), { signal: stop.signal })
      stop.abort()
      expect(await stopped).toMatchObject({ ok: false, summary: 'stopped before it started' })
      expect((await run('cat a.txt; ls started; touch next')).output).toContain("cannot access 'started'")
      await run('rm next')
    })

    test('waits for no input', async () => {
      expect((await run('cat; read x; echo end')).output).toContain('| end')
    })
  })

  describe('what a command changed', () => {
    test('is reported with differences, and before and after for undo', async () => {
      const report = await run(
        `echo more >> a.txt; rm b.txt; echo new > n.txt; printf 'z\\0' > c.bin; echo x > ignored; head -c 3000000 /dev/zero > big; mkdir -p .vscode; echo {} > .vscode/tasks.json; ln -s a.txt link`,
      )
      expect(report.steps).toEqual([
        { path: '.vscode/tasks.json', before: null, after: { text: '{}\n', mode: 0o644 } },
        { path: 'a.txt', before: { text: 'a\n', mode: 0o644 }, after: { text: 'a\nmore\n', mode: 0o644 } },
        { path: 'b.txt', before: { text: 'b\n', mode: 0o644 }, after: null },
        {
          path: 'c.bin',
          before: { text: 'x\0y', mode: 0o644, encoding: 'latin1' },
          after: { text: 'z\0', mode: 0o644, encoding: 'latin1' },
        },
        { path: 'n.txt', before: null, after: { text: 'new\n', mode: 0o644 } },
      ])
      expect(report.changes?.map(({ path }) => path)).toEqual([
        '.vscode/tasks.json',
        'a.txt',
        'b.txt',
        'n.txt',
      ])
      expect(report.changes?.[1]?.patch).toContain('+more')
      expect(report.output).toContain('It changed: .vscode/tasks.json, a.txt, b.txt, c.bin, n.txt.')
      expect(report.output).toContain('undo does not cover: big, link.')
      expect(report.output).toContain(
        'Some of these can run automatically on this computer: .vscode/tasks.json.',
      )
      expect(report.summary).toContain('changed 7 files (undo does not cover 2)')
    })

    test('is only what this command changed', async () => {
      folder.write({ 'by-hand.txt': 'x\n' })
      const report = await run('echo again >> a.txt')
      expect(report.steps?.map(({ path }) => path)).toEqual(['a.txt'])
      expect((await run('cat a.txt > /dev/null; true')).steps).toBeUndefined()
      expect((await run('head -c 3000001 /dev/zero > big')).output).toContain('undo does not cover: big.')
    })

    test('cannot be a repository inside that makes the next git command of the user run a program', async () => {
      const evil = `git init -q sub; cd sub; git -c user.name=A -c user.email=a@b.example commit -q --allow-empty -m x; git config core.fsmonitor 'touch ../escaped; false'; cd ..; git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub`
      const report = await run(evil)
      expect(report.output).toContain('taken out of the index of git: sub.')
      folder.git('status', '--short')
      expect(existsSync(join(folder.root, 'escaped'))).toBe(false)
      const harmless = await run(
        `git -C sub config --unset core.fsmonitor; git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub`,
      )
      expect(harmless.output).not.toContain('taken out')
    })

    test('is known outside of git too, and nothing is written into the repository', async () => {
      const plain = makeWorkFolder({ 'a.txt': 'a\n' }, { isGit: false })
      const home = join(plain.root, '..')
      const own = create({
        root: plain.root,
        gitFolder: null,
        home,
        folder: join(home, 'session'),
        sandboxFolder: join(home, 'sandbox'),
      })
      const report = await own.run(call('run', { command: 'echo b >> a.txt' }), { signal: never })
      expect(report.steps?.map(({ path }) => path)).toEqual(['a.txt'])
      expect(existsSync(join(plain.root, '.git'))).toBe(false)
      await own.close()
      plain.remove()
    })

    test('keeps the bytes of files that git stores in another form', async () => {
      const other = makeWorkFolder({ '.gitattributes': '*.crlf text eol=crlf\n', 'a.crlf': 'one\r\ntwo\r\n' })
      const home = join(other.root, '..')
      const own = create({
        root: other.root,
        gitFolder: join(other.root, '.git'),
        home,
        folder: join(home, 'session'),
        sandboxFolder: join(home, 'sandbox'),
      })
      const report = await own.run(call('run', { command: 'printf "three\\r\\n" > a.crlf' }), {
        signal: never,
      })
      const before = report.steps?.find(({ path }) => path === 'a.crlf')?.before?.text
      // Either exactly, or not at all.
      expect([undefined, 'one\r\ntwo\r\n']).toContain(before)
      if (before === undefined) expect(report.output).toContain('undo does not cover: a.crlf')
      await own.close()
      other.remove()
    })
  })

  describe('a command in the background', () => {
    test('keeps running, is read in pieces, and is stopped', async () => {
      const serve = `node -e "let n = 0; setInterval(() => console.log('tick ' + n++), 20)"`
      const started = await tools.run(call('background_start', { command: serve }), { signal: never })
      expect(started).toMatchObject({ ok: true, output: expect.stringContaining('bg1 is running.') })
      expect(tools.running()).toMatchObject([{ kind: 'command', state: 'is running' }])
      const read = () => tools.run(call('background_output', { id: 'bg1' }), { signal: never })
      await expect.poll(async () => (await read()).output).toMatch(/tick \d+/)
      expect((await read()).output).not.toContain('tick 0\n')
      expect(await tools.run(call('background_stop', { id: 'bg1' }), { signal: never })).toMatchObject({
        ok: true,
        output: expect.stringContaining('bg1 was stopped.'),
      })
      expect((await read()).output).toContain('was stopped. It printed nothing new.')
    })

    test('that fails at once is reported as failed, and an unknown name too', async () => {
      const failed = await tools.run(call('background_start', { command: 'echo no; exit 7' }), {
        signal: never,
      })
      expect(failed).toMatchObject({
        ok: false,
        output: expect.stringMatching(/bg2 ended with exit code 7\.\n\| no/),
      })
      const unknown = await tools.run(call('background_output', { id: 'bg9' }), { signal: never })
      expect(unknown).toMatchObject({ ok: false, output: expect.stringContaining('There are: bg1, bg2.') })
    })

    test('ends with the session, and not more than eight run at once', async () => {
      const own = create()
      const start = () =>
        own.run(call('background_start', { command: 'echo up; sleep 1000' }), { signal: never })
      const reports = await Promise.all(Array.from({ length: 8 }, start))
      expect(reports.every(({ ok }) => ok)).toBe(true)
      expect((await start()).output).toContain('Stop one first')
      await own.close()
      expect(own.running()).toEqual([])
    })
  })
}

describe('without a sandbox', () => {
  test('each command asks, says why, and offers no rule', async () => {
    const own = create({ platform: 'win32' })
    const assessment = await own.assess(call('run', { command: 'ls' }))
    expect(assessment).toMatchObject({ kind: 'ask', about: 'outside', patterns: [] })
    expect(JSON.stringify(assessment)).toContain('there is no sandbox for Windows')
    writeFileSync(join(folder.root, 'plain.txt'), 'x\n')
    const report = await own.run(call('run', { command: 'cat plain.txt; sleep 100 & exit 0' }), {
      signal: never,
    })
    expect(report.output).toContain('| x')
    await own.close()
  })
})
