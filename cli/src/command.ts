// What a command is. Each lives in a file of its own under commands/.
import type { Client } from '@cowrie/sdk'
import type { Config } from './config.ts'
import type { Credentials } from './credentials.ts'
import type { Exit } from './exits.ts'
import type { Machine } from './machine.ts'
import type { Places } from './places.ts'
import type { Ask } from './terminal/ask.ts'
import type { Output } from './terminal/output.ts'

/** What a shell offers in this place: these words, names of files, or what the service or the store has. */
export type Completion =
  | readonly string[]
  | 'files'
  | 'folders'
  | 'results'
  | 'orgs'
  | 'channels'
  | 'threads'
  | 'research'

export type Option = {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly short?: string
  /** What stands for the value in the help, such as `<json>`. */
  readonly placeholder?: string
  readonly summary: string
  readonly complete?: Completion
}

export type Values = { readonly [option: string]: string | boolean | (string | boolean)[] | undefined }

export type Context = {
  readonly client: Client
  /** The same service with another key, or with none. */
  connect(key: string | undefined): Client
  readonly baseUrl: string
  /** The organisation that was asked for by --org or the settings, by id or name. */
  readonly org: string | undefined
  /** What followed the command's name. */
  readonly args: readonly string[]
  readonly values: Values
  readonly out: Output
  readonly ask: Ask
  /** Aborts with the first Ctrl-C. */
  readonly signal: AbortSignal | undefined
  /** Where keys are kept; null where there is no home to keep them in. */
  readonly credentials: Credentials | null
  /** Whether COWRIE_API_KEY is set, which wins over what is kept. */
  readonly keyFromEnvironment: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly machine: Machine
  readonly places: Places
  readonly config: Config
  /** The exit code of a command that ends without throwing, other than 0. */
  endWith(exit: Exit): void
}

export type Command = {
  /** One word or several: `wallet topup`. */
  readonly name: string
  /** The arguments, as the help shows them. */
  readonly usage?: string
  readonly summary: string
  /** How many arguments it takes. */
  readonly args: { readonly min: number; readonly max: number }
  readonly options?: Readonly<Record<string, Option>>
  /** What a shell offers for its arguments. */
  readonly complete?: Completion
  /** Not in the list of the help: an older name, or what shells call. */
  readonly hidden?: boolean
  /** Whether it has something to do without a key. */
  readonly isKeyless?: boolean
  run(context: Context): Promise<void>
}

/** The text of an option, or undefined. */
export const textOf = (values: Values, option: string): string | undefined => {
  const value = values[option]
  return typeof value === 'string' ? value : undefined
}

/** All texts of an option that may be given several times. */
export const textsOf = (values: Values, option: string): string[] => {
  const value = values[option]
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}
