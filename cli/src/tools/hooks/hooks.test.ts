import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { neverAborted, useTrustPlace } from '../../../test/trust-place.ts'
import type { ToolGroup } from '../../session/types.ts'
import { readHookConfig } from './hook-config.ts'
import { type Hooks, openHooks } from './hooks.ts'
import { withHooks } from './with-hooks.ts'

const place = useTrustPlace()
const { home, root, notes, questions } = place
mkdirSync(join(root, '.cowrie'))
const userFile = join(home, 'hooks.json')
const projectFile = join(root, '.cowrie/hooks.json')

beforeEach(() => {
  for (const path of [userFile, projectFile, join(root, 'seen')]) rmSync(path, { force: true })
})

function open(own: object | null, theirs: object | null = null, isAgreed = true): Promise<Hooks> {
  if (own !== null) writeFileSync(userFile, JSON.stringify({ hooks: own }))
  if (theirs !== null) writeFileSync(projectFile, JSON.stringify({ hooks: theirs }))
  place.isAgreed = isAgreed
  return openHooks({ ...place.options(), userFile })
}

const done: string[] = []
const group: ToolGroup = {
  definitions: [],
  names: ['edit', 'run', 'read'],
  isReadOnly: () => false,
  assess: async () => ({ kind: 'free' }),
  run: async ({ tool }) => {
    done.push(tool)
    return { ok: true, output: `${tool} done`, summary: tool }
  },
  close: async () => undefined,
}
const call = (tool: string, input: Record<string, unknown>) => ({ callId: 'c', turnId: 't1', tool, input })

describe('a hook of the user', () => {
  test('gets JSON on its input and no key', async () => {
    const hooks = await open({ before_command: [{ command: 'cat > seen; env >> seen' }] })
    await withHooks(group, hooks).run(call('run', { command: 'npm test' }), { signal: neverAborted })
    const seen = readFileSync(join(root, 'seen'), 'utf8')
    expect(JSON.parse(seen.slice(0, seen.indexOf('}') + 1))).toEqual({
      event: 'before_command',
      root,
      turnId: 't1',
      tool: 'run',
      command: 'npm test',
    })
    expect(seen).not.toContain('csk_own')
    expect(done.splice(0)).toEqual(['run'])
  })

  test('with exit code 2 stops the call, and its reason is for the model', async () => {
    const hooks = await open({
      before_edit: [{ command: 'echo "not this file" >&2; exit 2', match: 'locked/**' }],
    })
    const tools = withHooks(group, hooks)
    expect(await tools.run(call('edit', { path: 'locked/a.ts' }), { signal: neverAborted })).toMatchObject({
      ok: false,
      output: 'A hook of the user stopped edit: not this file',
    })
    expect(done).toEqual([])
    expect((await tools.run(call('edit', { path: 'free/a.ts' }), { signal: neverAborted })).ok).toBe(true)
    await tools.run(call('read', { path: 'locked/a.ts' }), { signal: neverAborted })
    expect(done.splice(0)).toEqual(['edit', 'read'])
  })

  test('is asked before the user, and only once for a call', async () => {
    const hooks = await open({
      before_command: [
        { command: 'echo no >&2; exit 2', match: 'rm *' },
        { command: 'echo x >> seen', match: 'npm *' },
      ],
    })
    const asking = { kind: 'ask', about: 'command', subject: '', preview: [], patterns: [] } as const
    const tools = withHooks<ToolGroup>({ ...group, assess: async () => asking }, hooks)
    expect(await tools.assess(call('run', { command: 'rm a' }))).toEqual({ kind: 'free' })
    expect(await tools.run(call('run', { command: 'rm a' }), { signal: neverAborted })).toMatchObject({
      ok: false,
      summary: 'stopped by a hook: no',
    })
    expect(await tools.assess(call('run', { command: 'npm test' }))).toBe(asking)
    await tools.run(call('run', { command: 'npm test' }), { signal: neverAborted })
    expect(readFileSync(join(root, 'seen'), 'utf8')).toBe('x\n')
    expect(done.splice(0)).toEqual(['run'])
  })

  test('after an edit adds its objection to the result', async () => {
    const hooks = await open({ after_edit: [{ command: 'echo "line too long" >&2; exit 2' }] })
    const report = await withHooks(group, hooks).run(call('edit', { path: 'a' }), { signal: neverAborted })
    expect(report).toMatchObject({
      ok: true,
      output: 'edit done\nA hook of the user says about this change: line too long',
    })
    done.splice(0)
  })

  test('that fails or does not end is named, and nothing is stopped', async () => {
    const hooks = await open({
      after_turn: [
        { command: 'echo bad >&2; exit 1' },
        { command: 'sleep 100', timeoutSeconds: 1 },
        { command: 'echo fine' },
      ],
    })
    expect(await hooks.run('after_turn', {})).toEqual({ blocked: null, output: 'fine' })
    expect(notes).toEqual([
      'The hook "echo bad >&2; exit 1" (after_turn) failed (exit code 1): bad.',
      'The hook "sleep 100" (after_turn) did not end within 1 s and was stopped.',
    ])
  })

  test('matches commands by the rules for commands', async () => {
    const hooks = await open({ before_command: [{ command: 'exit 2', match: 'git push*' }] })
    expect((await hooks.run('before_command', { command: 'git push origin' })).blocked).not.toBe(null)
    expect((await hooks.run('before_command', { command: 'git status' })).blocked).toBe(null)
  })
})

describe('a hook of the repository', () => {
  test('runs only after the user agreed to exactly this file', async () => {
    const theirs = { session_start: [{ command: 'echo ran > seen' }] }
    expect((await open(null, theirs, false)).list).toEqual([])
    expect((await open(null, theirs)).list).toHaveLength(1)
    expect((await open(null, theirs)).list).toHaveLength(1)
    expect(questions).toHaveLength(2)
    await open(null, { session_start: [{ command: 'echo other > seen' }] }, false)
    expect(questions).toHaveLength(3)
  })

  test('runs in the sandbox', async () => {
    if (!hasSandbox) {
      reportNotRun('cli/src/tools/hooks')
      return
    }
    const hooks = await open(null, {
      session_start: [{ command: 'cat > /dev/null; echo x > ../escaped; echo x > seen; echo hello' }],
    })
    expect(await hooks.run('session_start', {})).toEqual({ blocked: null, output: 'hello' })
    expect(existsSync(join(home, 'escaped'))).toBe(false)
    expect(existsSync(join(root, 'seen'))).toBe(true)
  })
})

test.for<[string, string]>([
  ['{', 'not JSON'],
  ['[]', 'no "hooks"'],
  ['{"hooks": {"later": []}}', 'no event "later"'],
  ['{"hooks": {"after_turn": [{}]}}', 'has no command'],
  ['{"hooks": {"after_turn": {"command": "x", "match": 1}}}', 'not text'],
])('a wrong file is explained: %s', ([text, problem]) => {
  expect(readHookConfig(text, 'user').problems.join()).toContain(problem)
})
