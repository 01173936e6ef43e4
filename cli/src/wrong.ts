// What can be wrong on this side of the service.
import { EXIT, type Exit } from './exits.ts'

/** The command was not called in a way it understands. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The command whose help explains it, where that is known. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** Something on this computer is not as it should be, or was decided otherwise. `next` is what to type now. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  readonly exit: Exit
  readonly next: string | undefined

  constructor(
    code: string,
    message: string,
    { exit = EXIT.failed, next }: { exit?: Exit; next?: string } = {},
  ) {
    super(message)
    this.code = code
    this.exit = exit
    this.next = next
  }
}
