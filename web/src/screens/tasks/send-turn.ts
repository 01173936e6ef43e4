// Starts turns. The idempotency key is stored before the first byte is sent: pressing again after a lost reply or a
// reload repeats the same request, which starts and charges nothing twice.
import { type NewTaskTurn, resumable, type StartedTaskTurn, toJson } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { asFailure } from '../../data/failure.ts'
import { newKey, waitWhileInProgress } from '../../data/paid-request.ts'
import { ownerOf, session } from '../../data/session.ts'
import { deleteRow, loadRow, saveRow } from '../../data/storage/browser-store.ts'

const PENDING = 'task-send'
export const draftName = (taskId: string): string => `task.${taskId}`

/** Tasks whose turn was started here: when it has ended, the balance is another one. */
export const unsettled = new Set<string>()

type Pending = { readonly print: string; readonly key: string }
/** For browsers that store nothing. */
const inMemory = new Map<string, Pending>()

export async function sendTurn(taskId: string, body: NewTaskTurn): Promise<StartedTaskTurn> {
  const started = await sendOnce(taskId, toJson(body), (idempotencyKey) =>
    waitWhileInProgress(() => api.tasks.turn(taskId, body, { idempotencyKey })),
  )
  unsettled.add(taskId)
  return started
}

export async function sendOnce<T>(name: string, text: string, send: (key: string) => Promise<T>): Promise<T> {
  const owner = ownerOf(session.peek())
  const print = fingerprint(text)
  const stored = inMemory.get(name) ?? (await loadRow<Pending>(owner, PENDING, name))?.value
  const pending = stored?.print === print ? stored : { print, key: newKey() }
  inMemory.set(name, pending)
  await saveRow(owner, PENDING, name, pending)
  try {
    const reply = await send(pending.key)
    await forget(owner, name)
    return reply
  } catch (error) {
    // A refusal is a decision. Only an unknown outcome is asked for again with the same key.
    if (!resumable(asFailure(error))) await forget(owner, name)
    throw error
  }
}

async function forget(owner: string, name: string): Promise<void> {
  inMemory.delete(name)
  await deleteRow(owner, PENDING, name)
}

/** FNV-1a with the length: tells whether two requests of this browser are the same. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${text.length} ${hash >>> 0}`
}
