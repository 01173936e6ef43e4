// Decides which calls need no question: by a mode, and by rules that the user stored for one repository. The rules are state of the
// user. Nothing in the repository can add one.
import { join } from 'node:path'
import type { Assessment } from '../session/types.ts'
import { matchesGlob } from '../system/glob.ts'
import type { Paths } from '../system/paths.ts'
import { isRecord, readState, writeState } from '../system/state-file.ts'
import type { ApproveMode } from './approve-mode.ts'

/** A call that needs a decision. */
export type Request = Extract<Assessment, { kind: 'ask' }>
export type Rule = { readonly about: Request['about']; readonly pattern: string }

export const MODE_SUMMARIES: Readonly<Record<ApproveMode, string>> = {
  ask: 'edits and commands ask',
  edits: 'edits are free, commands ask',
  full: 'edits and sandboxed commands are free',
}

/** Each mode with the calls that it allows. Everything else asks: network, files outside of the repository, sensitive files, tools of MCP servers. */
const FREE: Readonly<Record<ApproveMode, readonly Request['about'][]>> = {
  ask: [],
  edits: ['edit'],
  full: ['edit', 'command'],
}

export type Approvals = {
  readonly mode: ApproveMode
  readonly rules: readonly Rule[]
  setMode(mode: ApproveMode): void
  allows(request: Request): boolean
  /** Allows exactly this request until the session ends. */
  allowHere(request: Request): void
  /** Stores a rule for this repository. */
  remember(rule: Rule): Promise<void>
  forget(rule: Rule): Promise<void>
}

type Options = {
  readonly paths: Paths
  /** Names the repository in the state folder. */
  readonly rootHash: string
  readonly mode: ApproveMode
  /** Rules of the command line, which are not stored. */
  readonly allowed: readonly Rule[]
  /** Whether the patterns together allow a command. */
  readonly matches: (command: string, patterns: readonly string[]) => boolean
}

export function openApprovals({ paths, rootHash, mode, allowed, matches }: Options): Approvals {
  const path = paths.state && join(paths.state, 'approvals', `${rootHash}.json`)
  let stored: readonly Rule[] = (path && readState(path, isStored)?.rules) || []
  let current = mode
  const here = new Set<string>()

  async function store(rules: readonly Rule[]): Promise<void> {
    stored = rules
    if (path) await writeState(path, { rules })
  }
  return {
    get mode() {
      return current
    },
    get rules() {
      return stored
    },
    setMode(wanted) {
      current = wanted
    },
    allows({ about, subject }) {
      if (FREE[current].includes(about) || here.has(nameOf({ about, subject }))) return true
      const patterns = [...allowed, ...stored].flatMap((rule) => (rule.about === about ? [rule.pattern] : []))
      if (patterns.includes(subject)) return true
      if (about === 'edit') return patterns.some((pattern) => matchesGlob(subject, pattern))
      return COMMANDS.includes(about) && matches(subject, patterns)
    },
    allowHere: (request) => void here.add(nameOf(request)),
    async remember(rule) {
      if (!stored.some((each) => isSame(each, rule))) await store([...stored, rule])
    },
    forget: (rule) => store(stored.filter((each) => !isSame(each, rule))),
  }
}

/** Their subject is a command, and a pattern may end with a star. Rules about edits are globs, and all others name one subject. */
const COMMANDS: readonly Request['about'][] = ['command', 'network', 'outside']

const nameOf = ({ about, subject }: Pick<Request, 'about' | 'subject'>): string => `${about} ${subject}`

const isSame = (one: Rule, other: Rule): boolean => one.about === other.about && one.pattern === other.pattern

const ABOUTS: readonly unknown[] = ['edit', 'command', 'network', 'outside', 'sensitive', 'tool']

function isStored(value: unknown): value is { rules: Rule[] } {
  return (
    isRecord(value) &&
    Array.isArray(value.rules) &&
    value.rules.every(
      (rule) => isRecord(rule) && ABOUTS.includes(rule.about) && typeof rule.pattern === 'string',
    )
  )
}
