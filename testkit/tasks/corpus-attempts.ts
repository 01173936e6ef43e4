// Solves the tasks of the corpus through the HTTP API with a scripted model, and judges the results by hidden tests.
import { applyPatch, parsePatch } from 'diff'
import type { Person } from '../harness/harness.ts'
import { applyScript } from './apply-script.ts'
import { CORPUS } from './corpus/corpus.ts'
import { startCorpusRegistry } from './corpus/registry.ts'
import type { CorpusTask, Language, Script, WrongKind } from './corpus/task.ts'
import { type Judge, openJudge } from './judge.ts'
import { promptFor, scriptedAgent } from './scripted-agent.ts'
import { startTaskWorld, type TaskWorld } from './world.ts'

export type Attempt = {
  readonly task: CorpusTask
  readonly variant: 'solution' | WrongKind
  readonly script: Script
}

export type AttemptResult = {
  readonly name: string
  readonly language: Language
  readonly variant: Attempt['variant']
  readonly verified: boolean
  /** Of the verification, or why the turn ended. */
  readonly reason: string
  readonly passesHidden: boolean
  /** Each is a failure of the service. */
  readonly problems: readonly string[]
}

export const nameOf = ({ task, variant }: Attempt): string => `${task.id}/${variant}`

export const attemptsOf = (tasks: readonly CorpusTask[]): Attempt[] =>
  tasks.flatMap((task) => [
    { task, variant: 'solution' as const, script: task.solution },
    ...task.wrong.map(({ kind, script }) => ({ task, variant: kind, script })),
  ])

const scriptsOf = (attempts: readonly Attempt[]): ReadonlyMap<string, Script> =>
  new Map(attempts.map((attempt) => [nameOf(attempt), attempt.script]))

export type CorpusWorld = {
  /** The languages whose programs are missing here. */
  readonly missing: ReadonlySet<Language>
  /** Performs these attempts, several at the same time. */
  performAll(attempts: readonly Attempt[]): Promise<AttemptResult[]>
  close(): Promise<void>
}

const AT_ONCE = 3

/** A service with the registry of the corpus, and a model that follows the scripts of all attempts. */
export async function startCorpusWorld(): Promise<CorpusWorld> {
  const [judge, registry] = await Promise.all([openJudge(), startCorpusRegistry()])
  const world = await startTaskWorld({
    variables: {
      SERVICE_SANDBOX_LOCAL: 'on',
      SERVICE_SANDBOX_DOCKER: 'off',
      SERVICE_SANDBOX_REGISTRIES: registry.setting,
    },
  })
  world.upstream.fallback(scriptedAgent(scriptsOf(attemptsOf(CORPUS))))
  return {
    missing: new Set(judge.missing.keys()),
    async performAll(attempts) {
      const left = [...attempts]
      const results: AttemptResult[] = []
      const work = async () => {
        // Each has its own organisation, so that limits of one never delay another.
        for (let next = left.shift(); next; next = left.shift())
          results.push(await perform(world, judge, await world.customer(), next))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return results
    },
    async close() {
      await world.close()
      await registry.close()
    },
  }
}

/** Performs one attempt: creates the task, starts a turn, waits for its end, and judges the difference. */
async function perform(world: TaskWorld, judge: Judge, as: Person, attempt: Attempt): Promise<AttemptResult> {
  const { task, variant, script } = attempt
  const id = await world.create(as, task.files, { title: nameOf(attempt) })
  const turn = await world.turn(as, id, {
    prompt: promptFor(task.prompt, nameOf(attempt)),
    verify: { command: task.command },
  })
  const { text: patch } = await world.server.call('GET', `/tasks/${id}/diff`, {
    as,
    headers: { accept: 'text/x-diff' },
  })
  const files = patchFiles(task.files, patch)
  const { passes, output } = await judge.runHidden(task, files)
  const problems = [
    ...(turn.stopReason === 'completed'
      ? []
      : [`the turn ended as ${turn.stopReason} ${turn.errorCode ?? ''}`]),
    ...findDifferences(applyScript(task.files, script), files),
    ...(turn.verified && !passes ? ['verified, but the hidden tests fail'] : []),
    ...(variant === 'solution' && !passes ? [`the hidden tests fail:\n${output.slice(-2_000)}`] : []),
    ...(variant === 'solution' && turn.verified !== task.isVerifiable
      ? [`verified is ${turn.verified}: ${JSON.stringify(turn.verification)?.slice(0, 2_000)}`]
      : []),
    ...(variant !== 'solution' && turn.verified ? [`${variant} is verified`] : []),
  ]
  return {
    name: nameOf(attempt),
    language: task.language,
    variant,
    verified: turn.verified,
    reason: turn.verification?.reason ?? String(turn.stopReason),
    passesHidden: passes,
    problems,
  }
}

/** Applies the difference as a person would, with a tool that is not ours. */
function patchFiles(base: Readonly<Record<string, string>>, patch: string): Map<string, string> {
  const files = new Map(Object.entries(base))
  for (const each of parsePatch(patch)) {
    const [before, after] = [each.oldFileName, each.newFileName].map(
      (name) => name?.replace(/^[ab]\//, '') ?? '',
    )
    const path = after === '/dev/null' ? (before ?? '') : (after ?? '')
    const text = applyPatch(files.get(path) ?? '', each)
    if (text === false) throw new Error(`the patch of ${path} does not apply`)
    if (after === '/dev/null') files.delete(path)
    else files.set(path, text)
  }
  return files
}

function findDifferences(
  expected: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...expected.keys(), ...files.keys()])
  return [...paths]
    .filter((path) => expected.get(path) !== files.get(path))
    .map((path) => `${path} is not as the model wrote it`)
}

/** Solved and falsely verified attempts by language. */
export function tableOf(results: readonly AttemptResult[]): string {
  const rows = [...Map.groupBy(results, ({ language }) => language)].map(([language, group]) => {
    const solutions = group.filter(({ variant }) => variant === 'solution')
    const wrong = group.filter(({ variant }) => variant !== 'solution')
    const count = (list: readonly AttemptResult[], test: (each: AttemptResult) => boolean) =>
      list.filter(test).length
    return [
      language.padEnd(12),
      `${count(solutions, (each) => each.passesHidden)}/${solutions.length} solved`,
      `${count(solutions, (each) => each.verified)} verified`,
      `${count(wrong, (each) => !each.verified)}/${wrong.length} wrong solutions not verified`,
      `${count(group, (each) => each.verified && !each.passesHidden)} false verified`,
    ].join('  ')
  })
  return rows.join('\n')
}

/** Says loudly what did not run. */
export function reportMissing(missing: ReadonlySet<Language>): void {
  for (const language of missing)
    process.stderr.write(`\nNOT RUN: the tasks in ${language}, because its programs are not installed here\n`)
}
