import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { CHEATS, type Cheat } from '@cowrie/testkit/tasks/turns/cheats.ts'
import { HARMLESS_EDITS, HONEST_EDITS } from '@cowrie/testkit/tasks/turns/honest-edits.ts'
import { type Edit, type Files, SHELL } from '@cowrie/testkit/tasks/turns/projects.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgId } from '../../kernel/ids.ts'
import type { SandboxTree } from '../../sandbox/sandbox.ts'
import { detectTurnCommand } from './detect-command.ts'
import { inspectChange } from './inspect-change.ts'
import type { VerifyTurnInput } from './types.ts'
import { verifyTurn } from './verify.ts'

const toTree = (files: Files): SandboxTree => ({
  folder: null,
  files: new Map(Object.entries(files)),
  deleted: new Set(),
})

function edited(base: Files, edit: Edit): Files {
  const entries = Object.entries({ ...base, ...edit })
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
}

async function inspect(base: Files, edit: Edit, command?: string) {
  const [before, after] = [toTree(base), toTree(edited(base, edit))]
  return inspectChange({
    before,
    after,
    changedPaths: Object.keys(edit),
    command: command ?? (await detectTurnCommand(before, after)) ?? '',
    request: 'Fix the failing test.',
  })
}

describe('before anything runs', () => {
  test.for(CHEATS.filter(({ isStatic }) => isStatic))('a turn that $name is found', async (cheat) => {
    const { decisive, tampering, tamperingIfImported } = await inspect(cheat.base, cheat.edit, cheat.command)
    expect(decisive.length > 0 || (tampering !== null && tamperingIfImported !== null)).toBe(true)
  })

  test.for([...HARMLESS_EDITS, ...HONEST_EDITS.map(({ name, base, edit }) => [name, base, edit] as const)])(
    'nothing is said against %s',
    async ([, base, edit]) => {
      expect(await inspect(base, edit)).toMatchObject({ decisive: [], tamperingIfImported: null })
    },
  )
})

if (hasSandbox) describe('a turn', testRuns)
else test('turns are not verified on this machine', () => reportNotRun('tasks/verify/verify.ts'))

function testRuns(): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      variables: { SERVICE_SANDBOX_LOCAL: 'on', SERVICE_SANDBOX_DOCKER: 'off' },
    })
  })
  afterAll(() => server.close())

  const verify = (base: Files, edit: Edit, more: Partial<VerifyTurnInput> = {}, app = server.app) =>
    verifyTurn(app, {
      orgId: 'org_a' as OrgId,
      before: toTree(base),
      after: toTree(edited(base, edit)),
      changedPaths: Object.keys(edit),
      command: null,
      request: 'Fix the failing test.',
      context: '',
      sandbox: 'local',
      hide: async (text) => text,
      signal: AbortSignal.timeout(120_000),
      ...more,
    })

  const cheats = CHEATS.filter((cheat): cheat is Cheat & { reason: string } => cheat.reason !== undefined)
  test.for(isSoak ? cheats : cheats.filter(({ name }) => QUICK.has(name)))(
    'that $name is not verified',
    async ({ base, edit, command, reason }) => {
      const verification = await verify(base, edit, { command: command ?? null })
      expect(verification).toMatchObject({ verified: false, reason })
    },
  )

  test.for(isSoak ? HONEST_EDITS : HONEST_EDITS.filter(({ name }) => QUICK.has(name)))(
    'that $name is verified',
    async ({ base, edit, command, reason, request = 'Fix the failing test.' }) => {
      const verification = await verify(base, edit, { command: command ?? null, request })
      expect(verification).toMatchObject({
        ...{ verified: true, reason, commandFrom: command === undefined ? 'detected' : 'caller' },
        after: { exitCode: 0, failed: 0, isEnded: true },
      })
    },
  )

  test('shows its runs, and its output is masked', async () => {
    const verification = await verify(
      SHELL,
      { 'word.txt': 'good\n' },
      { hide: async (text) => text.replaceAll('grep', '***') },
    )
    expect(verification).toMatchObject({
      ...{ verified: true, command: 'make test', commandFrom: 'detected', dependencies: { state: 'none' } },
      before: { exitCode: 2, passed: 0, failed: 0 },
      after: { exitCode: 0 },
      excerpt: expect.stringContaining('sh check.sh'),
    })
    const failing = await verify(
      { ...SHELL, 'check.sh': 'echo token; exit 1\n' },
      { 'word.txt': 'good\n' },
      { hide: async (text) => text.replaceAll('token', '***') },
    )
    expect(failing).toMatchObject({ reason: 'still_fails', excerpt: expect.stringContaining('***') })
    expect(failing.excerpt).not.toContain('token')
  })

  test('whose tests pass once and then fail is flaky', async () => {
    let runs = 0
    // Changes the output of the third run, because a run cannot know its number.
    const hide = async (text: string) => (++runs === 3 ? '1 failed, 1 passed in 0.1s' : text)
    expect(await verify(SHELL, { 'word.txt': 'good\n' }, { hide })).toMatchObject({
      ...{ verified: false, reason: 'flaky' },
    })
  })

  test('needs a change, a command and a sandbox, and ends with a stop', async () => {
    const edit = { 'word.txt': 'good\n' }
    expect(await verify(SHELL, {})).toMatchObject({ reason: 'no_changes', verified: false })
    expect(await verify(SHELL, { 'word.txt': 'bad\n' })).toMatchObject({ reason: 'no_changes' })
    expect(await verify({ 'a.txt': 'a' }, { 'a.txt': 'b' })).toMatchObject({
      ...{ reason: 'no_command', command: null, commandFrom: null },
    })
    expect(await verify(SHELL, edit, { sandbox: null })).toMatchObject({ reason: 'no_sandbox' })
    expect(await verify(SHELL, edit, { signal: AbortSignal.abort() })).toMatchObject({ reason: 'stopped' })
    const off = { ...server.app, config: { ...server.app.config, sandbox: { local: false, docker: false } } }
    expect(await verify(SHELL, edit, {}, off)).toMatchObject({ reason: 'sandbox_failed', verified: false })
  })
}

/** One of each reason and each kind of proof. */
const QUICK = new Set([
  'returns early in a test',
  'knows the values of the test',
  'creates the test that the command names',
  'adds a test that patches the program',
  'fixes the program and adds a test to the file',
  'fixes a Python program and adds a test',
  'adds a Python function with its test',
  'adds the first tests of a project',
])
