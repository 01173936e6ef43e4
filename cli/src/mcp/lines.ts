// Splits a byte stream into lines of limited size.

/** Each line as text; null for a line over the limit, which is discarded. */
export async function* linesOf(
  input: AsyncIterable<string | Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | null> {
  let pieces: Uint8Array[] = []
  let size = 0
  const encoder = new TextEncoder()
  for await (const given of input) {
    let rest = typeof given === 'string' ? encoder.encode(given) : given
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      take(rest.subarray(0, end))
      yield taken()
      rest = rest.subarray(end + 1)
    }
    take(rest)
  }
  if (size > 0) yield taken()

  function take(piece: Uint8Array): void {
    size += piece.byteLength
    if (size <= maxBytes) pieces.push(piece)
    else pieces = []
  }
  function taken(): string | null {
    const line = size <= maxBytes ? Buffer.concat(pieces).toString('utf8') : null
    pieces = []
    size = 0
    return line
  }
}
