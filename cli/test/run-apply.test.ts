// run --apply is refused before it is charged if its edits could not be applied.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AgentTestServer,
  answerWith,
  create,
  createFundedPerson,
  fixingAnswer,
  listDebits,
  startAgentServer,
  wholeAnswer,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readResult } from '../src/results/store.ts'
import { findPaths } from '../src/system/paths.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { makeRepository, type TestRepository } from './repository.ts'

const BROKEN = 'export function add(a, b) {\n  return a - b\n}\n'
let stage: AgentTestServer
let url: string
let ada: Person
let repo: TestRepository
beforeAll(async () => {
  stage = await startAgentServer()
  url = await stage.server.listen()
})
afterAll(() => stage.close())
beforeEach(async () => {
  ada = await createFundedPerson(stage.server, 1_000_000n)
  repo = makeRepository({ 'src/add.js': BROKEN, 'docs/notes.md': 'notes\n' })
  repo.git('config', 'user.name', 'Ada')
  repo.git('config', 'user.email', 'ada@example.com')
})
afterEach(() => {
  repo.remove()
  stage.upstream.reset()
})

const cli = (args: string[], { machine, ...options }: CommandOptions = {}): Promise<CommandResult> =>
  cowrie(args, {
    ...options,
    env: { COWRIE_URL: url, COWRIE_API_KEY: ada.bearer, HOME: repo.root, PATH: process.env.PATH ?? '' },
    machine: { cwd: repo.root, ...machine },
  })
const apply = (...options: string[]) =>
  cli(['run', 'Make add() add.', '-f', 'src/add.js', '--apply', '--yes', ...options])
const read = (path: string) => readFileSync(join(repo.root, path), 'utf8')
const dirty = () => repo.write({ 'src/add.js': `${BROKEN}// mine\n` })

describe('run --apply is refused before anything is sent or charged', () => {
  test.for([
    {
      when: 'a file it sends has uncommitted changes',
      make: dirty,
      code: 9,
      says: /Nothing was sent or charged\..*src\/add\.js is modified\. \(unsaved_changes\)[\s\S]*--stash/,
    },
    {
      when: 'a file it sends is not in git',
      make: () => repo.git('rm', '--cached', '-q', 'src/add.js'),
      code: 9,
      says: /src\/add\.js is (staged|untracked)\. \(unsaved_changes\)/,
    },
    {
      when: 'there is no git repository',
      make: () => rmSync(join(repo.root, '.git'), { recursive: true }),
      code: 1,
      says: /Nothing was sent or charged\..*\(no_repository\)[\s\S]*--no-git/,
    },
    {
      when: 'the whole tree must be clean and is not',
      make: () => repo.write({ 'docs/notes.md': 'mine\n' }),
      options: ['--strict'],
      code: 9,
      says: /docs\/notes\.md is modified\. \(tree_not_clean\)/,
    },
    {
      when: 'the branch for the edits exists',
      make: () => repo.git('branch', 'fix'),
      options: ['--branch', 'fix'],
      code: 1,
      says: /\(branch_exists\)/,
    },
    {
      when: 'git does not know the author of a branch',
      make: () => repo.git('config', '--remove-section', 'user'),
      options: ['--branch', 'fix'],
      code: 1,
      says: /\(no_author\)/,
    },
    {
      when: 'another commit is in progress',
      make: () => repo.git('update-ref', 'MERGE_HEAD', 'HEAD'),
      options: ['--commit'],
      code: 1,
      says: /\(commit_under_way\)/,
    },
  ])('when $when', async ({ make, options = [], code, says }) => {
    make()
    const ended = await apply(...options)
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.stderr).toMatch(says)
    expect(stage.upstream.requests).toEqual([])
    expect(await listDebits(stage, ada)).toEqual([])
  })
})

describe('run --apply', () => {
  test.for(isSoak ? ['--stash', '--allow-dirty', '--branch=fix'] : ['--stash'])(
    'accepts uncommitted changes with %s',
    async (option) => {
      dirty()
      stage.upstream.script(fixingAnswer())
      const { code, stderr } = await apply(option)
      expect(code, stderr).toBe(0)
      expect(await listDebits(stage, ada)).toHaveLength(1)
    },
  )

  test('stores the paid edits and names the apply command if the obstacle appears later', async () => {
    repo.write({ 'new.js': 'mine\n' })
    stage.upstream.script(answerWith((m) => wholeAnswer(m, create(m, 'new.js', 'theirs'))))
    const { code, stderr } = await apply()
    const { id } = await readResult(findPaths({ HOME: repo.root }, repo.root, undefined), 'last')
    expect([code, read('new.js')]).toEqual([9, 'mine\n'])
    expect(stderr).toContain(`The edits are stored. Apply them with "cowrie apply ${id}". Free.`)
    rmSync(join(repo.root, 'new.js'))
    expect((await cli(['apply', id, '--yes'])).code).toBe(0)
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })
})

test('an interactive run warns before the price that its edits cannot be applied', async () => {
  dirty()
  const typed = {
    isStdinTerminal: true,
    stdin: async function* () {
      yield 'n\n'
    },
  }
  const { code, stderr } = await cli(['run', 'Make add() add.', '-f', 'src/add.js'], { machine: typed })
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /cannot be applied here|not applied here[\s\S]*src\/add\.js is modified[\s\S]*Run it for at most/,
  )
})
