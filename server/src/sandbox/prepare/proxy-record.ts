// The record of the registry proxy of one installation: refusals, registries that fail, and the bytes in use.

export type ProxyRecordOptions = {
  /** Bytes in both directions together. */
  readonly bytesMax: number
  /** Called once when the bytes are used up, or when the registries have failed for too long. */
  readonly onGiveUp: () => void
}

const NOTES_MAX = 20
/** Registries that only failed for so long do not recover within the patience of a caller. */
const GIVE_UP_MS = 30_000

export class ProxyRecord {
  readonly #options: ProxyRecordOptions
  readonly #refused = new Set<string>()
  readonly #failing = new Map<string, string>()
  #failingSinceMs: number | null = null
  #hasForeignHost = false
  #hasGivenUp = false
  #bytes = 0

  constructor(options: ProxyRecordOptions) {
    this.#options = options
  }

  /** Refused addresses with the reason, each once. */
  refused = (): readonly string[] => [...this.#refused]
  /** Registries whose last exchange failed. */
  unreachable = (): readonly string[] =>
    [...this.#failing].map(([target, problem]) => `${target}: ${problem}`)
  /** Whether a host was asked for that is not on the list. */
  hasForeignHost = (): boolean => this.#hasForeignHost
  isTooMuch = (): boolean => this.#bytes > this.#options.bytesMax

  refuse(what: string, why: string, isForeign = false): void {
    this.#hasForeignHost ||= isForeign
    if (this.#refused.size < NOTES_MAX) this.#refused.add(`${what}: ${why}`)
  }

  /** False if these bytes are too many. */
  count(bytes: number): boolean {
    const wasTooMuch = this.isTooMuch()
    this.#bytes += bytes
    if (!this.isTooMuch()) return true
    if (!wasTooMuch) {
      this.refuse('download', `more than ${this.#options.bytesMax} bytes`)
      this.#giveUp()
    }
    return false
  }

  succeed(target: string): void {
    this.#failing.delete(target)
    this.#failingSinceMs = null
  }

  fail(target: string, problem: string): void {
    if (this.#failing.size < NOTES_MAX || this.#failing.has(target)) this.#failing.set(target, problem)
    this.#failingSinceMs ??= performance.now()
    if (performance.now() - this.#failingSinceMs > GIVE_UP_MS) this.#giveUp()
  }

  #giveUp(): void {
    if (this.#hasGivenUp) return
    this.#hasGivenUp = true
    this.#options.onGiveUp()
  }
}
