// All repository tasks: each correct solution, and each that only seems to be one. A solution that is verified but fails
// its hidden tests is a failure of the service.
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { applyScript } from '@cowrie/testkit/tasks/apply-script.ts'
import { CORPUS } from '@cowrie/testkit/tasks/corpus/corpus.ts'
import type { CorpusTask, Language } from '@cowrie/testkit/tasks/corpus/task.ts'
import {
  type AttemptResult,
  attemptsOf,
  type CorpusWorld,
  reportMissing,
  startCorpusWorld,
  tableOf,
} from '@cowrie/testkit/tasks/corpus-attempts.ts'
import { type Judge, openJudge } from '@cowrie/testkit/tasks/judge.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const LANGUAGES: readonly Language[] = ['javascript', 'typescript', 'python', 'java', 'go']
const LONG_MS = 3_600_000

if (hasSandbox) describe('the corpus', testCorpus)
else test('without a sandbox, repository tasks do not run', () => reportNotRun('tasks-corpus.soak.test.ts'))

function testCorpus(): void {
  let world: CorpusWorld
  let judge: Judge
  const results: AttemptResult[] = []
  beforeAll(async () => {
    world = await startCorpusWorld()
    judge = await openJudge()
    reportMissing(world.missing)
  })
  afterAll(async () => {
    process.stdout.write(`\n${tableOf(results)}\n`)
    await world.close()
  })

  const tasksIn = (language: Language) =>
    CORPUS.filter((task) => task.language === language && !world.missing.has(language))

  test.for(LANGUAGES)('the tests of %s behave as the tasks say', { timeout: LONG_MS }, async (language) => {
    for (const task of tasksIn(language)) expect(await findFalseClaims(judge, task), task.id).toEqual([])
  })

  test.for(LANGUAGES)('no false verified in %s', { timeout: LONG_MS }, async (language) => {
    const here = await world.performAll(attemptsOf(tasksIn(language)))
    results.push(...here)
    expect(here.filter(({ problems }) => problems.length > 0)).toEqual([])
  })
}

/** Hidden tests fail before and pass after the solution only, and the repository's own command is as described. */
async function findFalseClaims(judge: Judge, task: CorpusTask): Promise<string[]> {
  const check = async (name: string, files: ReadonlyMap<string, string>, own: boolean, hidden: boolean) => {
    const visible = await judge.runVisible(task, files)
    const { passes } = await judge.runHidden(task, files)
    return [
      ...((visible.exitCode === 0) === own ? [] : [`${name}: the command ends with ${visible.exitCode}`]),
      ...(passes === hidden ? [] : [`${name}: the hidden tests ${passes ? 'pass' : 'fail'}`]),
    ]
  }
  const problems = await check('before', new Map(Object.entries(task.files)), task.before === 'passes', false)
  problems.push(...(await check('solution', applyScript(task.files, task.solution), true, true)))
  for (const { kind, script } of task.wrong)
    problems.push(...(await check(kind, applyScript(task.files, script), kind !== 'still_fails', false)))
  return problems
}
