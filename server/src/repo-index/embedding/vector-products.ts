// Dot products of a query with many vectors, with the vector instructions of the processor. The WebAssembly module has one function:
// `products(query, rows, count, size, out)` stores the dot product of the query with each row of signed bytes as a 32-bit integer.
import { dot } from './vectors.ts'

const MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAEQcVAgZtZW1vcnkCAAhwcm9kdWN0cwAACrABAa0BAgN/A3sgBCACQQJ0aiEFAkADQCAEIAVPDQH9DAAAAAAA' +
  'AAAAAAAAAAAAAAAhCCAAIQYgASADaiEHA0AgBv0ABAAhCSAB/QAEACEKIAggCf2HASAK/YcB/boBIAn9iAEgCv2IAf26Af2uAf2uASEIIAZBEGohBiAB' +
  'QRBqIQEgASAHSQ0ACyAEIAj9GwAgCP0bAWogCP0bAiAI/RsDamo2AgAgBEEEaiEEDAALCws='

/** The parts of its memory: query, results, rows. */
const OUT_AT = 4_096
const ROWS_AT = 65_536
const ROW_BYTES_MAX = 1 << 20
const RESULTS_MAX = (ROWS_AT - OUT_AT) / 4
/** The columns that one instruction multiplies. */
const COLUMNS = 16

type Scanner = {
  readonly memory: { readonly buffer: ArrayBuffer }
  products(query: number, rows: number, count: number, size: number, out: number): void
}

// The types of Node.js do not describe WebAssembly.
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: Scanner }
  }
}

let loaded: Scanner | undefined

function scanner(): Scanner {
  loaded ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(MODULE, 'base64'))).exports
  return loaded
}

/** Calls back with blocks of products. `products[i]` belongs to row `first + i`. The block is overwritten by the next one. */
export function eachProductBlock(
  query: Int8Array,
  matrix: Int8Array,
  rows: number,
  tell: (first: number, products: Int32Array, count: number) => void,
): void {
  const size = query.length
  if (size === 0) return
  if (size % COLUMNS !== 0 || size > OUT_AT) {
    productsOneByOne(query, matrix, rows, tell)
    return
  }
  const { memory, products } = scanner()
  const bytes = new Int8Array(memory.buffer)
  const perBlock = Math.min(RESULTS_MAX, Math.floor(ROW_BYTES_MAX / size))
  const out = new Int32Array(memory.buffer, OUT_AT, perBlock)
  bytes.set(query, 0)
  for (let first = 0; first < rows; first += perBlock) {
    const count = Math.min(perBlock, rows - first)
    bytes.set(matrix.subarray(first * size, (first + count) * size), ROWS_AT)
    products(0, ROWS_AT, count, size, OUT_AT)
    tell(first, out, count)
  }
}

function productsOneByOne(
  query: Int8Array,
  matrix: Int8Array,
  rows: number,
  tell: (first: number, products: Int32Array, count: number) => void,
): void {
  const out = new Int32Array(1)
  for (let row = 0; row < rows; row++) {
    out[0] = dot(query, matrix, row * query.length)
    tell(row, out, 1)
  }
}
