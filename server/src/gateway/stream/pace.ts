// Bounds the writes to a client. A model that writes faster than a screen shows would cost a read, a write and a packet for each token.

/** Two pieces of an answer in less time, which a screen shows in one frame, are read and sent together. Slower streams never wait. */
const BEAT_MS = 16

let beat: Promise<void> | null = null

/** The end of the current beat. All streams that wait share one timer. */
function nextBeat(): Promise<void> {
  beat ??= new Promise((resolve) => {
    setTimeout(() => {
      beat = null
      resolve()
    }, BEAT_MS)
  })
  return beat
}

/** The pace of one stream. */
export class Pace {
  #sentMs = Number.NEGATIVE_INFINITY

  /** A piece of the answer is sent now. */
  mark(): void {
    this.#sentMs = performance.now()
  }

  /** Null where the next piece may be read at once. Bytes that arrive meanwhile are read together. */
  wait(): Promise<void> | null {
    return performance.now() - this.#sentMs < BEAT_MS ? nextBeat() : null
  }
}
