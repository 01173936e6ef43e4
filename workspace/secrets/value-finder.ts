// Finds many values in a text at once. The time depends on the text, hardly on the number of values.

/** Shorter values cannot be found. */
export const VALUE_CHARACTERS_MIN = 6
const BITS = 1 << 18
const BASE = 31
const OUTGOING = BASE ** (VALUE_CHARACTERS_MIN - 1)

export type FoundValue = { readonly start: number; readonly value: string }

export type ValueFinder = {
  add(value: string): void
  /** Every occurrence. Occurrences may overlap. */
  find(text: string): FoundValue[]
}

export function createValueFinder(values: Iterable<string> = []): ValueFinder {
  /** By their first characters and their length. */
  const byStart = new Map<string, Map<number, Set<string>>>()
  const windows = createWindowSet()
  function add(value: string): void {
    if (value.length < VALUE_CHARACTERS_MIN) return
    const start = value.slice(0, VALUE_CHARACTERS_MIN)
    const byLength = byStart.get(start) ?? new Map<number, Set<string>>()
    byStart.set(start, byLength)
    const same = byLength.get(value.length)
    if (same) same.add(value)
    else byLength.set(value.length, new Set([value]))
    windows.add(start)
  }
  for (const value of values) add(value)
  return {
    add,
    find(text) {
      const found: FoundValue[] = []
      windows.visit(text, (at) => {
        const byLength = byStart.get(text.slice(at, at + VALUE_CHARACTERS_MIN)) ?? []
        for (const [length, same] of byLength) {
          const value = text.slice(at, at + length)
          if (same.has(value)) found.push({ start: at, value })
        }
        return at + 1
      })
      return found
    },
  }
}

/** A part of this length occurs nowhere else by chance. */
const PART_CHARACTERS_MIN = 16
const PARTS_PER_VALUE_MAX = 1_000
const WINDOWS_MAX = 200_000
const SAME_WINDOW_MAX = 4

/** Finds long parts of values too, such as the lines of a key that a command has cut. */
export function createPartFinder(): ValueFinder {
  const places = new Map<string, { readonly value: string; readonly offset: number }[]>()
  const windows = createWindowSet()
  return {
    add(value) {
      const last = Math.min(value.length - VALUE_CHARACTERS_MIN, PARTS_PER_VALUE_MAX * VALUE_CHARACTERS_MIN)
      for (let offset = 0; offset <= last && places.size < WINDOWS_MAX; offset += VALUE_CHARACTERS_MIN) {
        const window = value.slice(offset, offset + VALUE_CHARACTERS_MIN)
        const same = places.get(window) ?? []
        if (same.length >= SAME_WINDOW_MAX || same.some((place) => place.value === value)) continue
        places.set(window, [...same, { value, offset }])
        windows.add(window)
      }
    },
    find(text) {
      const found: FoundValue[] = []
      windows.visit(text, (at) => {
        let next = at + 1
        for (const { value, offset } of places.get(text.slice(at, at + VALUE_CHARACTERS_MIN)) ?? []) {
          let [start, end] = [at, at + VALUE_CHARACTERS_MIN]
          while (start > 0 && at - start < offset && text[start - 1] === value[offset - (at - start) - 1])
            start -= 1
          while (
            end < text.length &&
            end - at + offset < value.length &&
            text[end] === value[end - at + offset]
          )
            end += 1
          if (end - start < PART_CHARACTERS_MIN) continue
          found.push({ start, value: text.slice(start, end) })
          next = Math.max(next, end - VALUE_CHARACTERS_MIN + 1)
        }
        return next
      })
      return found
    },
  }
}

/** Tells for most positions of a text that none of the windows is there, from a hash that moves along the text. */
function createWindowSet() {
  const slots = new Uint8Array(BITS)
  let isEmpty = true
  return {
    add(window: string): void {
      slots[slotOf(hashAt(window, 0))] = 1
      isEmpty = false
    },
    /** `visitor` returns the next position of interest. */
    visit(text: string, visitor: (at: number) => number): void {
      const last = text.length - VALUE_CHARACTERS_MIN
      if (isEmpty || last < 0) return
      let hash = hashAt(text, 0)
      let wanted = 0
      for (let at = 0; ; at++) {
        if (at >= wanted && slots[slotOf(hash)] === 1) wanted = visitor(at)
        if (at >= last) return
        hash = (hash - Math.imul(text.charCodeAt(at), OUTGOING)) | 0
        hash = (Math.imul(hash, BASE) + text.charCodeAt(at + VALUE_CHARACTERS_MIN)) | 0
      }
    },
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 14)) & (BITS - 1)

function hashAt(text: string, at: number): number {
  let hash = 0
  for (let i = 0; i < VALUE_CHARACTERS_MIN; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at + i)) | 0
  return hash
}
