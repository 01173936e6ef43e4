// The secret mask of a turn. After a resume it knows the same secrets as before.
import { createSecretMask, type SecretMask } from '../secrets/secret-mask.ts'
import { toolInputOf } from '../steps/step-types.ts'
import type { StepOfTask, TurnState } from '../steps/turn-context.ts'
import type { TaskTurn } from '../turns-sql.ts'
import type { Workspace } from '../workspace/workspace.ts'

export function createTurnMask({ task, turn }: Pick<TurnState, 'task' | 'turn'>): SecretMask {
  return createSecretMask({
    nonce: task.nonce,
    owner: task.orgId,
    allowedPaths: new Set(turn.allowSecrets ? namedPaths(turn) : []),
  })
}

const LEARNED_MAX = 50

/** Learns the secrets of the files that the turn has read, so that they stay hidden in what commands print. */
export async function learnFromReads(
  workspace: Workspace,
  mask: SecretMask,
  steps: readonly StepOfTask[],
): Promise<void> {
  const paths = steps.flatMap((step) => {
    const call = step.kind === 'tool' ? toolInputOf(step).call : null
    return call?.name === 'read' || call?.name === 'edit' ? [call.input.path] : []
  })
  for (const path of [...new Set(paths)].slice(-LEARNED_MAX)) {
    const content = workspace.files.has(path) ? await workspace.read(path) : null
    if (content && !content.includes(0)) await mask.learn(path, content.toString('utf8'))
  }
}

const PATHS_MAX = 100

/** The files that the caller names in the prompt, or attaches. */
function namedPaths({ prompt, attachments }: TaskTurn): string[] {
  const words = prompt.match(/[\w@.][\w@.\-/]*/g) ?? []
  const paths = words.map((word) => word.replace(/[.,]+$/, '')).filter((word) => /[./]/.test(word))
  return [...attachments.map(({ name }) => name), ...paths].slice(0, PATHS_MAX)
}
