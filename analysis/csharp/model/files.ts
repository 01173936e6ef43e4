// Paths, random numbers and other library values with one relevant property.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsType, returnsUntainted, sanitizes } from '../../engine/model-helpers.ts'
import { concat, constantValue, itemsOf, withOthers } from '../../engine/values/values.ts'
import type { CallModel, SourceModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The name of a predictable random value. */
export const PREDICTABLE_RANDOM = 'Random.Next'

export const fileSources: readonly SourceModel[] = [
  { name: 'ZipArchiveEntry#FullName', origin: 'stored' },
  { name: 'ZipArchiveEntry#Name', origin: 'stored' },
  { name: 'TarEntry#Name', origin: 'stored' },
]

export const fileCalls: readonly CallModel[] = [
  { name: ['Path.Combine', 'Path.Join'], returns: combined },
  {
    name: [
      'Path.GetFileName',
      'Path.GetFileNameWithoutExtension',
      'Path.GetExtension',
      'Path.GetRandomFileName',
    ],
    returns: sanitizes('path'),
  },
  { name: ['Path.GetFullPath'], returns: (event) => event.arg(0)?.value ?? UNTAINTED },
  {
    name: ['FileInfo', 'DirectoryInfo'],
    returns: (event) => ({ ...(propagates(0)(event) ?? UNTAINTED), type: event.name }),
  },
  { name: ['*.MapPath'], returns: propagates(0) },
  {
    name: ['Uri', 'UriBuilder'],
    returns: (event) => ({ ...(event.arg(0)?.value ?? UNTAINTED), type: 'Uri' }),
  },
  { name: ['Random'], returns: returnsType('Random') },
  {
    name: ['Random.Shared.Next', 'Random.Shared.NextInt64', 'Random.Shared.NextDouble'],
    returns: predictable,
  },
  { name: ['Random#Next', 'Random#NextInt64', 'Random#NextDouble'], returns: predictable },
  {
    name: [
      'RandomNumberGenerator.GetInt32',
      'RandomNumberGenerator.GetBytes',
      'RandomNumberGenerator.GetHexString',
      'RandomNumberGenerator.GetString',
    ],
    returns: returnsUntainted(),
  },
  { name: ['*.Add', '*.Enqueue', '*.Push'], returns: () => UNTAINTED, receiver: added },
  {
    name: ['*.AddRange'],
    returns: () => UNTAINTED,
    receiver: ({ receiver, arg }) =>
      isList(receiver) ? withOthers(receiver, itemsOf(arg(0)?.value ?? UNTAINTED)) : undefined,
  },
  {
    name: ['List', 'HashSet', 'Queue', 'Stack', 'Dictionary', 'ConcurrentDictionary', 'SortedDictionary'],
    returns: made,
  },
  { name: ['*.OpenEntryStream', '*.GetEntry'], returns: returnsType('ZipArchiveEntry') },
  {
    name: ['Environment.GetEnvironmentVariable', 'Environment.GetCommandLineArgs'],
    returns: returnsUntainted(),
  },
]

function predictable(): AbstractValue {
  return { taints: [], name: PREDICTABLE_RANDOM, type: 'long' }
}

/** The separator is a constant part, so that rules see where the input begins. */
function combined({ args }: CallEvent): AbstractValue {
  const values = args.map(({ value }) => value)
  return concat(values.flatMap((value, index) => (index === 0 ? [value] : [constantValue('/'), value])))
}

const isList = (value: AbstractValue | null): value is AbstractValue =>
  value !== null &&
  value.classDefinition === undefined &&
  (value.fields !== undefined ||
    value.others !== undefined ||
    /^(?:I?List|HashSet|ISet|Queue|Stack|I?Collection)$/.test(value.type ?? ''))

function added({ receiver, args }: CallEvent): AbstractValue | undefined {
  const value = args.at(-1)?.value
  return isList(receiver) && value ? withOthers(receiver, value) : undefined
}

function made(event: CallEvent): AbstractValue {
  const from = event.arg(0)?.value
  const given = event.args.find(({ name }) => name === '{}')?.value
  const source = given ?? (from && (from.fields || from.others) ? from : undefined)
  return source ? { ...source, type: event.name } : { taints: [], type: event.name, fields: new Map() }
}
