// The jobs that turns enqueue.
import type { TaskId } from '../types.ts'

/** Performs a turn. */
export const TURN_JOB = 'tasks.turn'
/** Pushes the changes of a turn to the pull request of its task. */
export const PUBLISH_JOB = 'tasks.publish'
export type PublishPayload = { readonly taskId: TaskId }
