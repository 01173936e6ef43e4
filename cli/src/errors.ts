// Errors of the CLI itself.
import { EXIT, type ExitCode } from './exit-codes.ts'

/** Invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The command whose help explains the usage. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** A failure on this computer, or a decision of the user. `next` is the suggested next step. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  readonly exit: ExitCode
  readonly next: string | undefined

  constructor(
    code: string,
    message: string,
    { exit = EXIT.failed, next }: { exit?: ExitCode; next?: string } = {},
  ) {
    super(message)
    this.code = code
    this.exit = exit
    this.next = next
  }
}
