// Which conversation a message goes to: the one that is named, the one that was used last here, or a new one.
import { join } from 'node:path'
import { CowrieError, type ThreadDetail } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { isRecord, readKept, writeKept } from '../kept.ts'

export type Conversation = {
  readonly id: string
  readonly title: string
  /** The last message that is known; empty where there is none. */
  lastId: string
}

type Needs = Pick<Context, 'client' | 'places' | 'baseUrl' | 'values' | 'signal'>

/** Null where a new one shall begin. `sentTo` is where the same words were sent before, and their answer was lost. */
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
    // What was used last may be deleted, or belong to somebody else who signed in here.
    if (named === undefined && error instanceof CowrieError && (error.status === 404 || error.status === 400))
      return null
    throw error
  }
}

export async function beginConversation(context: Needs): Promise<Conversation> {
  const { client, values, signal } = context
  const thread = await client.chat.threads.create(
    { mode: values.code === true ? 'code' : 'general' },
    { signal },
  )
  return { id: thread.id, title: thread.title, lastId: '' }
}

/** Where the next command goes on. */
export async function rememberConversation({ places, baseUrl }: Needs, { id }: Conversation): Promise<void> {
  const path = fileIn(places)
  if (path) await writeKept(path, { ...readKept(path, isRecord), [baseUrl]: id })
}

function lastUsed({ places, baseUrl }: Needs): string | null {
  const path = fileIn(places)
  const kept = path && readKept(path, isRecord)?.[baseUrl]
  return typeof kept === 'string' && kept !== '' ? kept : null
}

const fileIn = ({ state }: Context['places']): string | null => state && join(state, 'conversations.json')

const conversationOf = ({ id, title, messages }: ThreadDetail): Conversation => ({
  id,
  title,
  lastId: messages.at(-1)?.id ?? '',
})
