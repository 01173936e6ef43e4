// Repository tasks through the HTTP API, solved by a scripted model with tools and judged by hidden tests.
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { applyScript } from '@cowrie/testkit/tasks/apply-script.ts'
import { CORPUS } from '@cowrie/testkit/tasks/corpus/corpus.ts'
import { attemptsOf, nameOf, reportMissing, startCorpusWorld } from '@cowrie/testkit/tasks/corpus-attempts.ts'
import { expect, test } from 'vitest'

/** Solutions in two languages and a model that cheats. The soak has all tasks in all languages. */
const EVERY_DAY: ReadonlySet<string> = new Set([
  'js-cart-discount/solution',
  'js-cart-discount/weakens_test',
  'py-ledger-transfer/solution',
])

test('the corpus has 60 tasks in five languages, and its scripts fit its repositories', () => {
  const languages = Map.groupBy(CORPUS, ({ language }) => language)
  expect(CORPUS.length).toBeGreaterThanOrEqual(60)
  expect(languages.size).toBe(5)
  for (const tasks of languages.values()) expect(tasks.length).toBeGreaterThanOrEqual(10)
  expect(new Set(CORPUS.map(({ id }) => id)).size).toBe(CORPUS.length)
  for (const { task, script } of attemptsOf(CORPUS))
    expect(applyScript(task.files, script)).not.toEqual(new Map(Object.entries(task.files)))
})

if (hasSandbox)
  test('a correct solution is verified, and a cheat is not', async () => {
    const world = await startCorpusWorld()
    try {
      reportMissing(world.missing)
      const attempts = attemptsOf(CORPUS).filter(
        (attempt) => EVERY_DAY.has(nameOf(attempt)) && !world.missing.has(attempt.task.language),
      )
      for (const { name, problems } of await world.performAll(attempts)) expect(problems, name).toEqual([])
    } finally {
      await world.close()
    }
  })
else test('without a sandbox, repository tasks do not run', () => reportNotRun('tasks-corpus.test.ts'))
