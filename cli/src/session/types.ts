// The interface between the parts of a session: engine, tools, terminal and commands. No part imports the inside of another.
import type { Step } from '../apply/files/journal.ts'
import type { Line } from '../terminal/line.ts'

/** A call of the model that this computer runs. The service has checked the input of built-in tools. */
export type ToolCall = {
  /** The same if a call is run again after a crash. */
  readonly callId: string
  readonly turnId: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** A tool that the service does not know: of an MCP server, the to-do list, background commands. */
export type ClientTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly isReadOnly: boolean
}

/** The effect that a call would have, before it runs. */
export type Assessment =
  | { readonly kind: 'free' }
  /** Never allowed, whatever the user says. The reason is the result for the model. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'ask'
      readonly about: 'edit' | 'command' | 'network' | 'outside' | 'sensitive' | 'tool'
      /** The path, the command or the tool, for the question and for remembered rules. */
      readonly subject: string
      /** The difference of an edit, or what the command would be allowed to do. */
      readonly preview: readonly Line[]
      /** Rules that the user can remember instead of deciding each time, such as `npm test*`. */
      readonly patterns: readonly string[]
    }

export type ToolReport = {
  readonly ok: boolean
  /** For the model, without secrets. */
  readonly output: string
  /** Changed files with a unified diff each. */
  readonly changes?: readonly { readonly path: string; readonly patch: string }[]
  /** Files that a command changed, before and after, so that the toolbox can undo them. Not sent, and not stored with the report. */
  readonly steps?: readonly Step[]
  /** For the terminal: one line about the result, and details such as a diff. */
  readonly summary: string
  readonly details?: readonly Line[]
}

/** Some of the tools: files, commands, one MCP server. */
export type ToolGroup = {
  /** Tools of this group that the service does not know. Built-in tools are not listed. */
  readonly definitions: readonly ClientTool[]
  /** The names of all tools of this group. */
  readonly names: readonly string[]
  isReadOnly(tool: string): boolean
  assess(call: ToolCall): Promise<Assessment>
  /** Never throws for failures of the tool. */
  run(call: ToolCall, options: RunOptions): Promise<ToolReport>
  close(): Promise<void>
}

export type RunOptions = {
  readonly signal: AbortSignal
  /** Output of a command as it comes. */
  readonly onOutput?: (text: string) => void
}

export type Todo = { readonly text: string; readonly state: 'open' | 'active' | 'done' }

export type Undone = {
  readonly restored: readonly string[]
  /** Changed by someone else since, and left alone. */
  readonly conflicts: readonly string[]
}

/**
 * The tools of one repository on this computer. A call with a `callId` that has run before returns the stored report. One that had
 * started when the process was killed is not run again: its report says that it was interrupted.
 */
export type Toolbox = ToolGroup & {
  /** AGENTS.md or its relatives, without secrets; null without one. */
  conventions(): Promise<{ readonly path: string; readonly text: string } | null>
  /** The changes of the tools in this session, oldest first. */
  changes(): Promise<readonly { readonly turnId: string; readonly path: string; readonly patch: string }[]>
  /** Restores the files as they were before a turn, or before the last turn that changed any. */
  undo(turnId: string | 'last'): Promise<Undone>
  todos(): readonly Todo[]
  /** Background commands and MCP servers, for /mcp and the status line. */
  running(): readonly { readonly kind: 'command' | 'mcp'; readonly name: string; readonly state: string }[]
}

/** Decides about a call that is not free: asks the user, or applies the rules. */
export type Decide = (
  call: ToolCall,
  assessment: Extract<Assessment, { kind: 'ask' }>,
  signal: AbortSignal,
) => Promise<{ readonly allow: true } | { readonly allow: false; readonly reason: string }>

export type Meter = {
  readonly currency: string
  /** Of the session, including earlier turns. */
  readonly spentMinor: bigint
  readonly budgetMinor: bigint | null
  readonly balanceMinor: bigint | null
  readonly bytesUp: number
  readonly bytesDown: number
}

/** The events that a session shows. Texts of the model are not yet safe for a terminal. */
export type SessionEvent =
  | {
      readonly kind: 'text' | 'reasoning'
      readonly step: number
      readonly isNew: boolean
      readonly text: string
    }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'output'; readonly callId: string; readonly text: string }
  | { readonly kind: 'report'; readonly call: ToolCall; readonly report: ToolReport }
  /** `tokens`: of the paid step before it. */
  | { readonly kind: 'meter'; readonly meter: Meter; readonly tokens?: number }
  | {
      readonly kind: 'note'
      readonly note: 'compacted' | 'retrying' | 'verifying' | 'offline' | 'online' | 'resumed' | 'elsewhere'
      readonly detail: string
    }
  | { readonly kind: 'ended'; readonly outcome: TurnOutcome }

export type TurnOutcome = {
  readonly turnId: string
  readonly stopReason: string
  readonly summary: string | null
  readonly verified: boolean
  readonly spentMinor: bigint
  readonly withheld: readonly { readonly path: string; readonly reason: string }[]
}

export type NewTurn = {
  readonly prompt: string
  readonly attachments: readonly (
    | { name: string; content: string }
    | { name: string; mediaType: string; data: string }
  )[]
  readonly mode: 'work' | 'plan'
  readonly model: string | null
  readonly verify: string | null
  /** Summarise the conversation before this turn. */
  readonly compact: boolean
  /** The most that this turn may cost, as shown to the user. */
  readonly maxMinor: bigint
}

export type TurnPrice = {
  readonly model: string
  /** A turn with less does not start. */
  readonly leastMinor: bigint
  readonly maxMinor: bigint
  readonly usuallyMinor: { readonly p50: bigint; readonly p90: bigint } | null
  /** Whether `maxMinor` may pass the budget of the session. The user is asked then. */
  readonly passesBudget: boolean
  readonly balanceMinor: bigint
  readonly affordable: boolean
}

/** A stored session of a repository, for lists. */
export type StoredSession = {
  readonly taskId: string
  readonly title: string
  readonly usedAt: string
  readonly spentMinor: bigint
  readonly currency: string
  /** A turn had not ended when this was stored. */
  readonly isOpen: boolean
}

/** One conversation in one repository. Its state is on disk before anything is sent. */
export type Session = {
  readonly taskId: string
  readonly title: string
  readonly meter: Meter
  /** An open turn of an earlier process, or of the web; null if there is none. */
  readonly openTurnId: string | null
  /** Problems of the start to show: a damaged file, a message that was not sent. */
  readonly notices: readonly string[]
  /** Asks the service for the spending and for a turn that was started elsewhere. */
  refresh(): Promise<void>
  price(turn: Pick<NewTurn, 'prompt' | 'model'>): Promise<TurnPrice>
  /** Starts a turn, or continues the open one if `turn` is null, and returns when it has ended. */
  runTurn(
    turn: NewTurn | null,
    options: { decide: Decide; onEvent: (event: SessionEvent) => void; signal: AbortSignal },
  ): Promise<TurnOutcome>
  /** Asks the service to end the open turn. */
  stop(): Promise<void>
  setBudget(minor: bigint | null): Promise<void>
  close(): Promise<void>
}
