// The secret mask of a turn. After a resume it knows the same secrets as before.
import { createSecretMask, type SecretMask } from '../secrets/secret-mask.ts'
import { serviceCallOf, toolInputOf } from '../steps/step-types.ts'
import type { StepOfTask, TurnState } from '../steps/turn-context.ts'
import { learnSecretFiles, learnSecrets } from '../tools/search/learn-secrets.ts'
import type { ToolContext } from '../tools/tools.ts'
import type { TaskTurn } from '../turns-sql.ts'

export function createTurnMask({ task, turn }: Pick<TurnState, 'task' | 'turn'>): SecretMask {
  return createSecretMask({
    nonce: task.nonce,
    owner: task.orgId,
    allowedPaths: new Set(turn.allowSecrets ? namedPaths(turn) : []),
  })
}

const LEARNED_MAX = 50

/** Learns the secrets that must be hidden from the first text on, and those that the steps of this turn have learned before. */
export async function learnForTurn(
  context: Pick<ToolContext, 'workspace' | 'mask' | 'orgId' | 'signal'>,
  steps: readonly StepOfTask[],
): Promise<void> {
  const { workspace, mask } = context
  await learnSecretFiles(workspace, mask)
  const calls = steps.flatMap((step) =>
    step.kind === 'tool' ? (serviceCallOf(toolInputOf(step)) ?? []) : [],
  )
  const paths = calls.flatMap((call) =>
    call.name === 'read' || call.name === 'edit' ? [call.input.path] : [],
  )
  for (const path of [...new Set(paths)].slice(-LEARNED_MAX)) {
    const content = workspace.files.has(path) ? await workspace.read(path) : null
    if (content && !content.includes(0)) await mask.learn(path, content.toString('utf8'))
  }
  const hasRun = calls.some(({ name }) => name === 'run') || steps.some(({ kind }) => kind === 'verify')
  if (hasRun) await learnSecrets(context)
}

const PATHS_MAX = 100

/** The files that the caller names in the prompt, or attaches. */
function namedPaths({ prompt, attachmentNames }: TaskTurn): string[] {
  const words = prompt.match(/[\w@.][\w@.\-/]*/g) ?? []
  const paths = words.map((word) => word.replace(/[.,]+$/, '')).filter((word) => /[./]/.test(word))
  return [...attachmentNames, ...paths].slice(0, PATHS_MAX)
}
