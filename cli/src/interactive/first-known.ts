// Opens the newest stored session that the service knows: those of another account are passed over without a word.
import { CowrieError } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import type { Work } from './work.ts'

const TRIED_MAX = 20

/** Null if the service knows none of them for this account. */
export async function openFirstKnown<T>(
  { client }: Pick<Work, 'client'>,
  taskIds: readonly string[],
  open: (taskId: string) => Promise<T>,
): Promise<T | null> {
  for (const [index, taskId] of taskIds.slice(0, TRIED_MAX).entries()) {
    try {
      // Opening starts programs such as MCP servers, so it is not tried again and again.
      if (index > 0) await client.tasks.get(taskId, { turns: 1 })
      return await open(taskId)
    } catch (error) {
      if (!isUnknown(error)) throw error
    }
  }
  return null
}

const isUnknown = (error: unknown): boolean =>
  CowrieError.is(error, 'not_found') || (error instanceof Failure && error.code === 'session_gone')

/** Sessions with an open turn first. */
export const openTurnsFirst = <S extends { readonly isOpen: boolean; readonly isBusy: boolean }>(
  sessions: readonly S[],
): S[] => {
  const isLeftOpen = ({ isOpen, isBusy }: S) => isOpen && !isBusy
  return [...sessions.filter(isLeftOpen), ...sessions.filter((each) => !isLeftOpen(each))]
}
