// Small functions about lists.
import { code, type Known } from './entry.ts'

export const lists: readonly Known[] = [
  {
    name: 'sum',
    aliases: ['total', 'sumArray', 'sumList', 'sumAll', 'addAll'],
    meaning: /\b(sums?|totals?|adds up)\b.{0,24}\b(list|array|numbers|values|items|slice)\b/,
    does: 'Adds up all numbers of a list; an empty list has the sum 0.',
    examples: [
      [[[1, 2, 3]], 6],
      [[[]], 0],
    ],
    js: code`
function sum(values«: readonly number[]»)«: number» {
  return values.reduce((total, value) => total + value, 0);
}`,
    py: code`
def sum(values):
    total = 0
    for value in values:
        total += value
    return total`,
  },
  {
    name: 'average',
    aliases: ['mean', 'avg'],
    meaning: /\b(average|mean)\b/,
    does: 'Returns the mean of a list of numbers; that of an empty list is 0.',
    examples: [
      [[[2, 4, 6]], 4],
      [[[]], 0],
    ],
    js: code`
function average(values«: readonly number[]»)«: number» {
  if (values.length === 0) {
    return 0;
  }
  return values.reduce((total, value) => total + value, 0) / values.length;
}`,
    py: code`
def average(values):
    if not values:
        return 0
    total = 0
    for value in values:
        total += value
    return total / len(values)`,
  },
  {
    name: 'median',
    meaning: /\bmedian\b/,
    does: 'Returns the middle of a list of numbers, or the mean of the two in the middle; that of an empty list is 0.',
    examples: [
      [[[3, 1, 2]], 2],
      [[[4, 1, 3, 2]], 2.5],
    ],
    js: code`
function median(values«: readonly number[]»)«: number» {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  const lower = sorted[middle - 1] ?? upper;
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2;
}`,
    py: code`
def median(values):
    if not values:
        return 0
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2`,
  },
  {
    name: 'range',
    aliases: ['numberRange', 'sequence'],
    meaning: /\b(range of|all|list of) (numbers|integers) (from|between)\b/,
    does: 'Lists the whole numbers from start up to, but not including, end.',
    examples: [
      [
        [1, 4],
        [1, 2, 3],
      ],
      [[3, 3], []],
    ],
    js: code`
function range(start«: number», end«: number»)«: number[]» {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}`,
    py: code`
def range_list(start, end):
    return list(range(start, end))`,
  },
  {
    name: 'chunk',
    aliases: ['chunkArray', 'splitIntoChunks', 'batch'],
    meaning: /\b(chunks?|batches|groups of (size|n))\b/,
    does: 'Splits a list into pieces of a given size; the last may be shorter.',
    examples: [
      [
        [[1, 2, 3, 4, 5], 2],
        [[1, 2], [3, 4], [5]],
      ],
      [[[], 3], []],
    ],
    js: code`
function chunk«<T>»(items«: readonly T[]», size«: number»)«: T[][]» {
  if (size < 1) {
    throw new RangeError('size must be at least 1');
  }
  const chunks«: T[][]» = [];
  for (let i = 0; i < items.length; i += size) {
    chunks.push(items.slice(i, i + size));
  }
  return chunks;
}`,
    py: code`
def chunk(items, size):
    if size < 1:
        raise ValueError("size must be at least 1")
    return [items[i:i + size] for i in range(0, len(items), size)]`,
  },
  {
    name: 'unique',
    aliases: ['uniq', 'dedupe', 'removeDuplicates', 'distinct'],
    meaning: /\b(duplicates?|unique|distinct|dedup\w*)\b/,
    does: 'Drops repeated items and keeps the order of the first ones.',
    examples: [
      [[[1, 2, 2, 3, 1]], [1, 2, 3]],
      [[[]], []],
    ],
    js: code`
function unique«<T>»(items«: readonly T[]»)«: T[]» {
  return [...new Set(items)];
}`,
    py: code`
def unique(items):
    return list(dict.fromkeys(items))`,
  },
  {
    name: 'flatten',
    aliases: ['flattenArray', 'flattenList'],
    meaning: /\bflatten(s|ed)?\b|\bnested (list|array)s? into\b/,
    does: 'Turns nested lists into one flat list.',
    examples: [
      [[[1, [2, [3, 4]], 5]], [1, 2, 3, 4, 5]],
      [[[]], []],
    ],
    js: code`
function flatten(items«: readonly unknown[]»)«: unknown[]» {
  return items.flatMap((item) => (Array.isArray(item) ? flatten(item) : [item]));
}`,
    py: code`
def flatten(items):
    flat = []
    for item in items:
        if isinstance(item, list):
            flat.extend(flatten(item))
        else:
            flat.append(item)
    return flat`,
  },
  {
    name: 'binarySearch',
    aliases: ['bsearch', 'binSearch'],
    meaning: /\bbinary search\b/,
    does: 'Finds the place of a value in a sorted list by halving it; -1 when it is not there.',
    examples: [
      [[[1, 3, 5, 7], 5], 2],
      [[[1, 3, 5, 7], 4], -1],
    ],
    js: code`
function binarySearch(items«: readonly number[]», target«: number»)«: number» {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const item = items[middle]«!»;
    if (item === target) {
      return middle;
    }
    if (item < target) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}`,
    py: code`
def binary_search(items, target):
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == target:
            return middle
        if items[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1`,
  },
  {
    name: 'groupBy',
    aliases: ['group'],
    meaning: /\bgroups? .{0,24}\bby\b/,
    does: 'Sorts items into groups by what a function says of each.',
    examples: [],
    js: code`
function groupBy«<T>»(items«: readonly T[]», keyOf«: (item: T) => string»)«: Record<string, T[]>» {
  const groups«: Record<string, T[]>» = {};
  for (const item of items) {
    const key = keyOf(item);
    groups[key] = [...(groups[key] ?? []), item];
  }
  return groups;
}`,
    py: code`
def group_by(items, key_of):
    groups = {}
    for item in items:
        groups.setdefault(key_of(item), []).append(item)
    return groups`,
  },
  {
    name: 'largest',
    aliases: ['findMax', 'maximum', 'maxOf', 'findLargest', 'max'],
    meaning: /\b(largest|biggest|maximum|highest)\b.{0,24}\b(list|array|numbers|values|slice)\b/,
    does: 'Returns the largest number of a list.',
    examples: [
      [[[3, 9, 2]], 9],
      [[[-5, -2]], -2],
    ],
    js: code`
function largest(values«: readonly number[]»)«: number» {
  if (values.length === 0) {
    throw new RangeError('an empty list has no largest number');
  }
  return values.reduce((best, value) => (value > best ? value : best));
}`,
    py: code`
def largest(values):
    if not values:
        raise ValueError("an empty list has no largest number")
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best`,
  },
]
