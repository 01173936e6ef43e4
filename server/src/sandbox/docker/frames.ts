// Splits the multiplexed output of a container. A frame has one byte for the stream, three unused bytes, the length,
// and the data.

type FrameHandlers = { readonly output: (chunk: Buffer) => void; readonly notes: (chunk: Buffer) => void }

const HEADER = 8
const STANDARD_ERROR = 2

/** Accepts chunks of any size. Buffers only an incomplete header. */
export function createFrameReader(handlers: FrameHandlers): (chunk: Buffer) => void {
  let header = Buffer.alloc(0)
  let stream = 0
  let left = 0
  return (chunk) => {
    let rest = chunk
    while (rest.length > 0) {
      if (left > 0) {
        const piece = rest.subarray(0, left)
        if (stream === STANDARD_ERROR) handlers.notes(piece)
        else handlers.output(piece)
        left -= piece.length
        rest = rest.subarray(piece.length)
        continue
      }
      const missing = HEADER - header.length
      header = Buffer.concat([header, rest.subarray(0, missing)])
      rest = rest.subarray(missing)
      if (header.length < HEADER) return
      stream = header.readUInt8(0)
      left = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
  }
}
