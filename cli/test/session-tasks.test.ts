// Repository tasks solved by `cowrie exec` with local tools and a scripted model: hidden tests judge the files, and the charge is exact.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FakeRequest } from '@cowrie/testkit/fakes/models/fake-reply.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { applyScript } from '@cowrie/testkit/tasks/apply-script.ts'
import { CORPUS } from '@cowrie/testkit/tasks/corpus/corpus.ts'
import { installedFiles } from '@cowrie/testkit/tasks/corpus/npm-packages.ts'
import { installedPythonFiles } from '@cowrie/testkit/tasks/corpus/python-packages.ts'
import type { CorpusTask, Files } from '@cowrie/testkit/tasks/corpus/task.ts'
import { reportMissing } from '@cowrie/testkit/tasks/corpus-attempts.ts'
import { type Judge, openJudge } from '@cowrie/testkit/tasks/judge.ts'
import { promptFor, scriptedAgent } from '@cowrie/testkit/tasks/scripted-agent.ts'
import { resultsIn, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecLine } from '../src/interactive/exec/lines.ts'
import { type PackedCli, packCli } from './packed-cli.ts'
import { chargesOf, KOBO_PER_TOKEN, priced, priceOfFirst } from './paid-model.ts'
import { makeRepository, type TestRepository } from './repository.ts'

const TASKS = rounds(3, 60)
/** Lockfiles decide what is installed, so changing one needs the consent of a person in every mode. */
const LOCAL = CORPUS.filter(
  ({ solution }) =>
    !solution.flat().some((step) => step.tool === 'edit' && step.path === 'package-lock.json'),
)
/** Spread over the corpus; daily without the languages whose compilers take long. */
const DAILY = LOCAL.filter(({ language }) => language !== 'java' && language !== 'go')
const chosen = (isSoak ? LOCAL : DAILY.filter((_, at) => at % Math.floor(DAILY.length / TASKS) === 0)).slice(
  0,
  TASKS,
)

if (hasSandbox) describe('local tasks', testTasks)
else test('without a sandbox, local tasks do not run', () => reportNotRun('session-tasks.test.ts'))

function testTasks(): void {
  let world: TaskWorld
  let url: string
  let judge: Judge
  let cli: PackedCli
  beforeAll(async () => {
    ;[world, judge, cli] = await Promise.all([
      startTaskWorld({ background: true, variables: { ...KOBO_PER_TOKEN, SERVICE_SANDBOX_LOCAL: 'off' } }),
      openJudge(),
      packCli(),
    ])
    url = await world.server.listen()
    world.upstream.fallback(priced(scriptedAgent(new Map(CORPUS.map((task) => [task.id, task.solution])))))
    reportMissing(new Set(judge.missing.keys()))
  })
  afterAll(async () => {
    await world.close()
    cli.remove()
  })

  test.for(chosen.map((task) => ({ id: task.id, task })))(
    '$id is solved, its tests pass here, and the charge is exact',
    { timeout: scaledTimeout(120_000) },
    async ({ task }) => {
      if (judge.missing.has(task.language)) return
      const ada = await world.customer()
      const stage = createStage(task)
      try {
        const before = stage.outside()
        const { code, stdout, stderr } = await cli.start(
          ['exec', promptFor(task.prompt, task.id), '--budget', '500', '--approve', 'full', '--json'],
          { cwd: stage.repo.root, env: { HOME: stage.home, COWRIE_URL: url, COWRIE_API_KEY: ada.bearer } },
        ).ended
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        const lines = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as ExecLine)
        const failed = lines.filter((line) => line.kind === 'report' && !line.ok)
        expect(failed, resultsIn(world.upstream.requests.at(-1) as FakeRequest).join('\n')).toEqual([])

        const expected = applyScript(task.files, task.solution)
        const tracked = stage.repo
          .git('ls-files', '--cached', '--others', '--exclude-standard', '-z')
          .split('\0')
        const found = new Map(
          tracked.filter(Boolean).flatMap((path): [string, string][] => {
            const text = textIn(stage.repo.root, path)
            // Commands leave compiled files.
            const isOther = path in stage.packages || /__pycache__\/|^out\//.test(path)
            return text === null || isOther ? [] : [[path, text]]
          }),
        )
        expect([...found].sort()).toEqual([...expected].sort())
        const hidden = await judge.runHidden(task, found)
        expect(hidden.passes, hidden.output).toBe(true)
        expect(stage.outside()).toEqual(before)

        const costMinor = priceOfFirst(task.solution.length + 1)
        expect(lines.at(-1)).toMatchObject({ kind: 'result', spentMinor: Number(costMinor), exit: 0 })
        expect(await chargesOf(world, ada)).toEqual({
          ledgerMinor: costMinor,
          settledMinor: costMinor,
          settled: task.solution.length + 1,
          open: 0,
        })
      } finally {
        stage.remove()
      }
    },
  )
}

type Stage = {
  readonly repo: TestRepository
  readonly home: string
  /** Installed packages, which are no part of the solution. */
  readonly packages: Files
  /** The files beside the repository and in the home folder that are not ours. */
  outside(): Record<string, string | null>
  remove(): void
}

const PERSONAL = { '.bashrc': 'export A=1\n', '.ssh/id_ed25519': 'a key\n', 'notes/today.txt': 'Call Ada.\n' }

function createStage(task: CorpusTask): Stage {
  const packages = packagesOf(task)
  const repo = makeRepository({ ...task.files, ...packages })
  const home = scratchFolder()
  const beside = `${repo.root}-beside`
  for (const [path, text] of Object.entries(PERSONAL))
    for (const folder of [home, beside]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  return {
    repo,
    home,
    packages,
    outside: () =>
      Object.fromEntries(
        [home, beside].flatMap((folder) =>
          Object.keys(PERSONAL).map((path) => [join(folder, path), textIn(folder, path)]),
        ),
      ),
    remove() {
      repo.remove()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function packagesOf({ language, packages }: CorpusTask): Files {
  if (language === 'javascript' || language === 'typescript') return installedFiles(packages)
  // Python finds them beside the sources.
  if (language === 'python')
    return Object.fromEntries(
      Object.entries(installedPythonFiles(packages)).map(([path, text]) => [
        path.replace(/^[^/]+\//, ''),
        text,
      ]),
    )
  return {}
}

function textIn(folder: string, path: string): string | null {
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch {
    return null
  }
}
