// What a command is. Each lives in a file of its own under commands/.
import type { Client } from '@cowrie/sdk'
import type { Credentials } from './credentials.ts'
import type { Machine } from './machine.ts'
import type { Output } from './output.ts'

export type Option = {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly short?: string
  /** What stands for the value in the help, such as `<json>`. */
  readonly placeholder?: string
  readonly summary: string
}

export type Values = { readonly [option: string]: string | boolean | (string | boolean)[] | undefined }

export type Context = {
  readonly client: Client
  /** The same service with another key, or with none. */
  connect(key: string | undefined): Client
  readonly baseUrl: string
  /** What followed the command's name. */
  readonly args: readonly string[]
  readonly values: Values
  readonly out: Output
  readonly signal: AbortSignal | undefined
  /** Where keys are kept; null where there is no home to keep them in. */
  readonly credentials: Credentials | null
  /** Whether COWRIE_API_KEY is set, which wins over what is kept. */
  readonly keyFromEnvironment: boolean
  readonly machine: Machine
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
  run(context: Context): Promise<void>
}

/** The command was not called in a way it understands: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something on this computer is not as it should be: exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
