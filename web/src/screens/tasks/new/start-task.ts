// Creates a task and starts its first turn.
import type { NewTask, NewTaskTurn } from '@cowrie/sdk'
import { asFailure } from '../../../data/failure.ts'
import { ownerOf, session } from '../../../data/session.ts'
import { deleteRow, saveRow } from '../../../data/storage/browser-store.ts'
import { navigate } from '../../../router/location.ts'
import { createTask, sendTurn } from '../send-turn.ts'

export const draftName = (taskId: string): string => `task.${taskId}`

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
