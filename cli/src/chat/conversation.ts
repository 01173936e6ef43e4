// Chooses the conversation for a message: the named one, the last one used here, or a new one.
import { join } from 'node:path'
import { CowrieError, type ThreadDetail } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { isRecord, readState, writeState } from '../system/state-file.ts'

export type Conversation = {
  readonly id: string
  readonly title: string
  /** The id of the last known message; empty without one. */
  lastId: string
}

type Needs = Pick<Context, 'client' | 'paths' | 'baseUrl' | 'values' | 'signal'>

/** Null for a new conversation. `sentTo` is where the same message was sent before its answer was lost. */
export async function findConversation(
  context: Needs,
  sentTo: string | undefined,
): Promise<Conversation | null> {
  const { client, values, signal } = context
  const named = textOf(values, 'thread')
  const id = sentTo ?? named ?? (values.new === true ? null : lastUsed(context))
  if (id === null) return null
  try {
    return conversationOf(await client.chat.threads.read(id, { limit: 1 }, { signal }))
  } catch (error) {
    // The last conversation may be deleted, or belong to another user of this computer.
    if (named === undefined && error instanceof CowrieError && (error.status === 404 || error.status === 400))
      return null
    throw error
  }
}

export async function startConversation(context: Needs): Promise<Conversation> {
  const { client, values, signal } = context
  const thread = await client.chat.threads.create(
    { mode: values.code === true ? 'code' : 'general' },
    { signal },
  )
  return { id: thread.id, title: thread.title, lastId: '' }
}

/** Stores the conversation for the next command. */
export async function saveConversation({ paths, baseUrl }: Needs, { id }: Conversation): Promise<void> {
  const path = fileIn(paths)
  if (path) await writeState(path, { ...readState(path, isRecord), [baseUrl]: id })
}

function lastUsed({ paths, baseUrl }: Needs): string | null {
  const path = fileIn(paths)
  const kept = path && readState(path, isRecord)?.[baseUrl]
  return typeof kept === 'string' && kept !== '' ? kept : null
}

const fileIn = ({ state }: Context['paths']): string | null => state && join(state, 'conversations.json')

const conversationOf = ({ id, title, messages }: ThreadDetail): Conversation => ({
  id,
  title,
  lastId: messages.at(-1)?.id ?? '',
})
