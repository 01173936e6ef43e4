// Dot products of a query with many vectors, with the vector instructions of the processor. The WebAssembly module has one function:
// `products(query, rows, count, size, out)` stores the dot product of the query, in 16-bit integers, with each row of signed bytes as
// a 32-bit integer. It multiplies four rows at once, so it reads up to three rows after the last one.
import { dot } from './vectors.ts'

const MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAEQcVAgZtZW1vcnkCAAhwcm9kdWN0cwAACs0DAcoDAgZ/BnsgBCACQQJ0aiEFIAAgA0EBdGohBwJAA0AgBCAFTw0B/QwA' +
  'AAAAAAAAAAAAAAAAAAAAIQ39DAAAAAAAAAAAAAAAAAAAAAAhDv0MAAAAAAAAAAAAAAAAAAAAACEP/QwAAAAAAAAAAAAAAAAAAAAAIRAgACEGIAEgA2ohCCAIIANqIQkg' +
  'CSADaiEKA0AgBv0ABAAhCyAG/QAEECEMIA0gCyAB/QEDAP26ASAMIAH9AQMI/boB/a4B/a4BIQ0gAUEQaiEBIA4gCyAI/QEDAP26ASAMIAj9AQMI/boB/a4B/a4BIQ4g' +
  'CEEQaiEIIA8gCyAJ/QEDAP26ASAMIAn9AQMI/boB/a4B/a4BIQ8gCUEQaiEJIBAgCyAK/QEDAP26ASAMIAr9AQMI/boB/a4B/a4BIRAgCkEQaiEKIAZBIGohBiAGIAdJ' +
  'DQALIAohASAEIA39GwAgDf0bAWogDf0bAiAN/RsDamo2AgAgBCAO/RsAIA79GwFqIA79GwIgDv0bA2pqNgIEIAQgD/0bACAP/RsBaiAP/RsCIA/9GwNqajYCCCAEIBD9' +
  'GwAgEP0bAWogEP0bAiAQ/RsDamo2AgwgBEEQaiEEDAALCws='

/** The parts of its memory: query, results, rows. */
const OUT_AT = 8_192
const SIZE_MAX = OUT_AT / 2
const ROWS_AT = 65_536
const ROW_BYTES_MAX = 1 << 20
const ROWS_AT_ONCE = 4
const RESULTS_MAX = (ROWS_AT - OUT_AT) / 4
/** The columns that one instruction multiplies. */
const COLUMNS = 16

type Scanner = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  products(query: number, rows: number, count: number, size: number, out: number): void
}

// The types of Node.js do not describe WebAssembly.
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: Scanner }
  }
}

let compiled: object | undefined
let shared: Scanner | undefined

function createScanner(): Scanner {
  compiled ??= new WebAssembly.Module(Buffer.from(MODULE, 'base64'))
  return new WebAssembly.Instance(compiled).exports
}

/** Copying the rows of a large matrix takes longer than multiplying them, so the memory of a module holds them. */
const OWN_MEMORY_BYTES_MIN = 4 << 20
const PAGE_BYTES = 65_536
const scannerOf = new WeakMap<ArrayBufferLike, Scanner>()

/** Zeros for the rows of a matrix. */
export function allocateRows(bytes: number): Int8Array<ArrayBuffer> {
  if (bytes < OWN_MEMORY_BYTES_MIN) return new Int8Array(bytes)
  try {
    const own = createScanner()
    const missing = ROWS_AT + bytes + ROWS_AT_ONCE * SIZE_MAX - own.memory.buffer.byteLength
    own.memory.grow(Math.max(0, Math.ceil(missing / PAGE_BYTES)))
    scannerOf.set(own.memory.buffer, own)
    return new Int8Array(own.memory.buffer, ROWS_AT, bytes)
  } catch {
    // The machine limits address space. Then the rows are copied for each search.
    return new Int8Array(bytes)
  }
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
  if (size % COLUMNS !== 0 || size > SIZE_MAX) {
    productsOneByOne(query, matrix, rows, tell)
    return
  }
  const own = scannerOf.get(matrix.buffer)
  shared ??= createScanner()
  const { memory, products } = own ?? shared
  const bytes = new Int8Array(memory.buffer)
  const fitting = Math.min(RESULTS_MAX, Math.floor(ROW_BYTES_MAX / size))
  const perBlock = fitting - (fitting % ROWS_AT_ONCE)
  const out = new Int32Array(memory.buffer, OUT_AT, perBlock)
  new Int16Array(memory.buffer, 0, size).set(query)
  for (let first = 0; first < rows; first += perBlock) {
    const count = Math.min(perBlock, rows - first)
    if (!own) bytes.set(matrix.subarray(first * size, (first + count) * size), ROWS_AT)
    products(0, own ? matrix.byteOffset + first * size : ROWS_AT, count, size, OUT_AT)
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
