// Postings in the order in which texts were added. The list of a term is collected when a query first asks for it: a large index has
// millions of postings, building all lists takes seconds, and a query needs a few of them.

/** The postings of a group of texts. The first `count` of `numbers` and `items` are used. */
export type PackedTerms = {
  /** The hashes of the terms. */
  readonly dictionary: Uint32Array
  /** The positions of terms in the dictionary. */
  readonly numbers: Uint32Array
  readonly items: Uint32Array
  readonly count: number
}

export type TermEntries = {
  append(term: number, item: number): void
  /** `offset` is added to each item. */
  appendPacked(terms: PackedTerms, offset: number): void
  /** Collects the lists of terms. They are valid until the next call. */
  collect(terms: readonly number[]): void
  listOf(term: number): Uint32Array
  readonly bytes: number
}

/** Collected lists are kept for later queries, up to this share of all postings. */
const KEPT_SHARE = 0.25
const KEPT_MIN = 100_000
/** Terms are found by their highest bits, so that a query reads a thousandth of all entries. */
const BUCKET_BITS = 10
const NONE = new Uint32Array()

/** A usual chunk of code has this many terms, and adds this many to those of its file. */
const PER_CHUNK = { items: 40, entries: 15 } as const

/** `expected`: the number of chunks that will be added soon. */
export function createTermEntries(expected: number): TermEntries {
  /** Pairs of a term and its entry. */
  const buckets: Uint32Array[] = Array.from({ length: 2 ** BUCKET_BITS }, () => NONE)
  const used = new Uint32Array(buckets.length)
  const perBucket = 2 * Math.ceil((expected * PER_CHUNK.entries) / buckets.length)
  let bucketItems = 0
  /** An entry has the items from the end of the previous entry to its own end. */
  let ends = new Uint32Array(Math.max(1024, expected * PER_CHUNK.entries))
  let entries = 0
  let items = new Uint32Array(Math.max(2048, expected * PER_CHUNK.items))
  let end = 0
  let positions = new Uint32Array(1024)
  const kept = new Map<number, Uint32Array>()
  let keptItems = 0

  function forget(): void {
    kept.clear()
    keptItems = 0
  }

  function reserve(moreEntries: number, moreItems: number): void {
    if (kept.size > 0) forget()
    if (entries + moreEntries > ends.length)
      ends = grow(ends, Math.max(entries + moreEntries, Math.ceil(ends.length * 1.5)))
    if (end + moreItems > items.length)
      items = grow(items, Math.max(end + moreItems, Math.ceil(items.length * 1.5)))
  }

  /** Ends the entry of a term. */
  function endEntry(term: number): void {
    const number = term >>> (32 - BUCKET_BITS)
    let bucket = buckets[number] as Uint32Array
    const at = used[number] as number
    if (at === bucket.length) {
      bucket = grow(bucket, Math.max(8, perBucket, 2 * Math.ceil(at * 0.6)))
      buckets[number] = bucket
      bucketItems += bucket.length - at
    }
    bucket[at] = term
    bucket[at + 1] = entries
    used[number] = at + 2
    ends[entries++] = end
  }

  function findEntries(term: number): number[] {
    const number = term >>> (32 - BUCKET_BITS)
    const bucket = buckets[number] as Uint32Array
    const found: number[] = []
    for (let at = 0; at < (used[number] as number); at += 2)
      if (bucket[at] === term) found.push(bucket[at + 1] as number)
    return found
  }

  const startOf = (entry: number): number => (entry === 0 ? 0 : (ends[entry - 1] as number))

  function joinItems(found: readonly number[]): Uint32Array {
    let size = 0
    for (const entry of found) size += (ends[entry] as number) - startOf(entry)
    const list = new Uint32Array(size)
    let at = 0
    for (const entry of found)
      for (let i = startOf(entry); i < (ends[entry] as number); i++) list[at++] = items[i] as number
    return list
  }

  return {
    append(term, item) {
      reserve(1, 1)
      items[end++] = item
      endEntry(term)
    },

    appendPacked({ dictionary, numbers, items: added, count }, offset) {
      const size = dictionary.length
      reserve(size, count)
      if (size > positions.length) positions = new Uint32Array(size)
      positions.fill(0, 0, size)
      for (let i = 0; i < count; i++) (positions[numbers[i] as number] as number)++
      for (let number = 0; number < size; number++) {
        const start = end
        end += positions[number] as number
        positions[number] = start
        endEntry(dictionary[number] as number)
      }
      for (let i = 0; i < count; i++) {
        const number = numbers[i] as number
        const at = positions[number] as number
        positions[number] = at + 1
        items[at] = (added[i] as number) + offset
      }
    },

    collect(wanted) {
      if (wanted.every((term) => kept.has(term))) return
      if (keptItems > Math.max(KEPT_MIN, end * KEPT_SHARE)) forget()
      for (const term of wanted) {
        if (kept.has(term)) continue
        const list = joinItems(findEntries(term))
        kept.set(term, list)
        // An empty list uses memory too.
        keptItems += list.length + 1
      }
    },

    listOf: (term) => kept.get(term) ?? NONE,

    get bytes() {
      return 4 * (bucketItems + ends.length + items.length + keptItems)
    },
  }
}

function grow(from: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(size)
  to.set(from)
  return to
}
