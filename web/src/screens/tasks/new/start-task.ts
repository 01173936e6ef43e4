// Creates a task and starts its first turn.
import { type NewTask, type NewTaskTurn, type Task, toJson } from '@cowrie/sdk'
import { uploads } from '../../../data/compressed-upload.ts'
import { asFailure } from '../../../data/failure.ts'
import { waitWhileInProgress } from '../../../data/paid-request.ts'
import { ownerOf, session } from '../../../data/session.ts'
import { deleteRow, saveRow } from '../../../data/storage/browser-store.ts'
import { navigate } from '../../../router/location.ts'
import { draftName, sendOnce, sendTurn } from '../send-turn.ts'

const NEW_TASK = 'new'
/** Uploads of large folders over slow networks. */
const UPLOAD_TIMEOUT_MS = 60_000
const BYTES_PER_MS = 8

/** Opens the task. If the turn is refused, its prompt waits there, so that nothing is typed or sent again. */
export async function startTask(task: NewTask, turn: NewTaskTurn): Promise<void> {
  const { id } = await createTask(task)
  const owner = ownerOf(session.peek())
  await saveRow(owner, 'draft', draftName(id), turn.prompt)
  try {
    await sendTurn(id, turn)
    await deleteRow(owner, 'draft', draftName(id))
  } catch (error) {
    asFailure(error)
  }
  navigate(`/app/tasks/${id}`)
}

async function createTask(body: NewTask): Promise<Task> {
  const text = toJson(body)
  const timeoutMs = UPLOAD_TIMEOUT_MS + Math.ceil(text.length / BYTES_PER_MS)
  return sendOnce(NEW_TASK, text, (idempotencyKey) =>
    waitWhileInProgress(() => uploads.tasks.create(body, { idempotencyKey, timeoutMs })),
  )
}
