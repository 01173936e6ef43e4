// Keeps results of earlier scans in memory, so that the next scan of the same project repeats less work. A key is a hash of everything
// that a result depends on, and of the owner: no organisation can learn from the speed of a scan that another one has the same file.
// A cache lives in one process or thread, so all its results come from one version of the rules.
import { createHash } from 'node:crypto'

type Entry<V> = { readonly value: V; readonly size: number; readonly endMs: number }

export type ReuseLimits = {
  /** In the unit of `set`. The entries that were used least recently leave first. */
  readonly sizeMax: number
  /** Customers expect that their code leaves the memory soon after a scan. */
  readonly ageMsMax: number
}

export class ReuseCache<V> {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry<V>>()
  readonly #limits: ReuseLimits
  readonly #nowMs: () => number
  #size = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: ReuseLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    this.#dropExpired()
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: V, size: number): void {
    this.#dropExpired()
    this.#drop(key)
    if (size > this.#limits.sizeMax) return
    for (const oldest of this.#entries.keys()) {
      if (this.#size + size <= this.#limits.sizeMax) break
      this.#drop(oldest)
    }
    this.#entries.set(key, { value, size, endMs: this.#nowMs() + this.#limits.ageMsMax })
    this.#size += size
    this.#dropInTime()
  }

  /** Also when no further scan follows. */
  #dropInTime(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#dropExpired()
      if (this.#entries.size > 0) this.#dropInTime()
    }, this.#limits.ageMsMax).unref()
  }

  #drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }

  #dropExpired(): void {
    const now = this.#nowMs()
    for (const [key, { endMs }] of this.#entries) if (endMs <= now) this.#drop(key)
  }
}

/** A hash of these texts, each with its length, so that different lists never have the same input. */
export function hashOf(texts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return hash.digest('base64')
}
