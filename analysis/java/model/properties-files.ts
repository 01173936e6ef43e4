// Reads `.properties` files of the project, so that a program that loads one knows its values.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { constantValue, withField } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { ScannedFile } from '../../report/finding.ts'
import type { CallEvent } from '../../rule.ts'

const ENTRIES_MAX = 200
const RESOURCE = 'resource'

export function propertiesCalls(files: readonly ScannedFile[]): readonly CallModel[] {
  const settings = new Map<string, ReadonlyMap<string, string>>()
  for (const { path, content } of files)
    if (path.endsWith('.properties')) settings.set(fileName(path), entriesOf(content))
  return [
    {
      name: ['*.getResourceAsStream', '*.getResource'],
      returns: (event) => resource(event, 'java.io.InputStream'),
    },
    { name: ['java.io.FileInputStream', 'java.io.FileReader'], returns: opened },
    {
      name: ['java.util.Properties#load'],
      returns: () => UNTAINTED,
      receiver: ({ receiver, arg }) => loaded(receiver, settings.get(resourceOf(arg(0)?.value))),
    },
  ]
}

const fileName = (path: string): string => path.replace(/^.*\//, '')

function entriesOf(content: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const line of content.split('\n')) {
    const [, key, value = ''] = /^\s*([^#!\s=:][^=:\s]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
    if (key && entries.size < ENTRIES_MAX) entries.set(key, value)
  }
  return entries
}

/** Keeps the file name while it is known. */
function resource({ arg }: CallEvent, type: string): AbstractValue {
  const name = arg(0)?.value
  return { taints: [], type, ...(typeof name?.known === 'string' && { fields: new Map([[RESOURCE, name]]) }) }
}

/** The author of the file name does not control the content of the file. */
function opened(event: CallEvent): AbstractValue {
  return resource(event, event.name)
}

const resourceOf = (stream: AbstractValue | undefined): string =>
  fileName(String(stream?.fields?.get(RESOURCE)?.known ?? ''))

function loaded(
  receiver: AbstractValue | null,
  entries: ReadonlyMap<string, string> | undefined,
): AbstractValue | undefined {
  if (!receiver || !entries) return undefined
  let filled = receiver
  for (const [key, value] of entries) filled = withField(filled, key, constantValue(value))
  return filled
}
