// The hooks of the user and of the repository: `{"hooks": {"after_edit": [{"command": "npx prettier --write", "match": "*.ts"}]}}`.
import { createGlob } from '@cowrie/workspace/text/glob.ts'
import { isRecord } from '../../system/state-file.ts'

export const HOOK_EVENTS = [
  'session_start',
  'before_edit',
  'after_edit',
  'before_command',
  'after_turn',
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

export type Hook = {
  readonly event: HookEvent
  readonly source: 'user' | 'repository'
  readonly command: string
  /** Of paths for edits, of commands for commands; null for all. */
  readonly match: string | null
  readonly timeoutMs: number
}

export type HookConfig = { readonly hooks: readonly Hook[]; readonly problems: readonly string[] }

const HOOKS_MAX = 32
const SECONDS_USUAL = 60
const SECONDS_MAX = 600
const COMMAND_MAX = 8_000

export function readHookConfig(text: string, source: Hook['source']): HookConfig {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return { hooks: [], problems: [`It is not JSON (${(error as Error).message}).`] }
  }
  const listed = isRecord(read) && isRecord(read.hooks) ? read.hooks : null
  if (listed === null) return { hooks: [], problems: ['It has no "hooks".'] }
  const hooks: Hook[] = []
  const problems: string[] = []
  for (const [event, entries] of Object.entries(listed)) {
    if (!isEvent(event)) {
      problems.push(`There is no event "${event.slice(0, 40)}". There are: ${HOOK_EVENTS.join(', ')}.`)
      continue
    }
    for (const entry of Array.isArray(entries) ? entries : [entries]) {
      const hook = readHook(event, source, entry)
      if (typeof hook === 'string') problems.push(`A hook of ${event} ${hook}.`)
      else if (hooks.length >= HOOKS_MAX) problems.push(`At most ${HOOKS_MAX} hooks are used.`)
      else hooks.push(hook)
    }
  }
  return { hooks, problems }
}

function readHook(event: HookEvent, source: Hook['source'], entry: unknown): Hook | string {
  if (!isRecord(entry) || typeof entry.command !== 'string' || entry.command.trim() === '')
    return 'has no command'
  if (entry.command.length > COMMAND_MAX) return 'has a command that is too long'
  const { match = null, timeoutSeconds } = entry
  if (match !== null && typeof match !== 'string') return 'has a match that is not text'
  if (match !== null && createGlob(match) === undefined) return 'has a match with too many alternatives'
  const seconds = typeof timeoutSeconds === 'number' && timeoutSeconds >= 1 ? timeoutSeconds : SECONDS_USUAL
  return { event, source, command: entry.command, match, timeoutMs: Math.min(seconds, SECONDS_MAX) * 1_000 }
}

const isEvent = (name: string): name is HookEvent => (HOOK_EVENTS as readonly string[]).includes(name)
