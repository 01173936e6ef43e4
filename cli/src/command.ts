// The types of a command. Each command has its own file under commands/.
import type { Client } from '@cowrie/sdk'
import type { Credentials } from './auth/credentials.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Config } from './system/config.ts'
import type { Machine } from './system/machine.ts'
import type { Paths } from './system/paths.ts'
import type { Ask } from './terminal/ask.ts'
import type { Output } from './terminal/output.ts'
import type { Screen } from './terminal/screen-types.ts'

/** The source of shell completions: fixed words, file names, or values from the service or the local results. */
export type Completion =
  | readonly string[]
  | 'files'
  | 'folders'
  | 'results'
  | 'sessions'
  | 'orgs'
  | 'channels'
  | 'threads'
  | 'research'

export type Option = {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly short?: string
  /** Shown for the value in the help, such as `<json>`. */
  readonly placeholder?: string
  readonly summary: string
  readonly complete?: Completion
}

export type Values = { readonly [option: string]: string | boolean | (string | boolean)[] | undefined }

export type Context = {
  readonly client: Client
  /** A client for the same service with another key, or without one. */
  connect(key: string | undefined): Client
  /** The client over another transport. Default key: the one of `client`. */
  connectOver(transport: typeof fetch, key?: string): Client
  /** Whether `client` has a key. */
  readonly hasKey: boolean
  readonly baseUrl: string
  /** The organisation chosen by --org or the settings, by id or name. */
  readonly org: string | undefined
  /** The arguments after the command's name. */
  readonly args: readonly string[]
  readonly values: Values
  readonly out: Output
  readonly ask: Ask
  /** Aborts with the first Ctrl-C. */
  readonly signal: AbortSignal | undefined
  /** Stored keys; null without a home folder. */
  readonly credentials: Credentials | null
  /** Whether COWRIE_API_KEY is set. It takes precedence over a stored key. */
  readonly keyFromEnvironment: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly machine: Machine
  readonly paths: Paths
  readonly config: Config
  /** Sets the exit code of a command that ends without throwing. */
  endWith(exit: ExitCode): void
  /** The screen that `openScreen` of the command opened. It is closed when the command ends. */
  readonly screen: Screen | null
}

/** The context before the client of the service is loaded. */
export type EarlyContext = Omit<Context, 'client' | 'connect' | 'connectOver' | 'screen'>

export type Command = {
  /** One or more words: `wallet topup`. */
  readonly name: string
  /** The arguments as shown in the help. */
  readonly usage?: string
  readonly summary: string
  readonly args: { readonly min: number; readonly max: number }
  readonly options?: Readonly<Record<string, Option>>
  /** Shell completions for the arguments. */
  readonly complete?: Completion
  /** Not listed in the help: an older name, or a command for shells. */
  readonly hidden?: boolean
  /** Whether the command also works without a key. */
  readonly isKeyless?: boolean
  /** Shows a screen before everything else is loaded. Null if the command needs none. */
  openScreen?(context: EarlyContext): Promise<Screen | null>
  run(context: Context): Promise<void>
}

/** The value of an option, or undefined. */
export const textOf = (values: Values, option: string): string | undefined => {
  const value = values[option]
  return typeof value === 'string' ? value : undefined
}

/** All values of an option that can be repeated. */
export const textsOf = (values: Values, option: string): string[] => {
  const value = values[option]
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}
