// `configparser`: a value set under a section and a key is the one that is read from there.

import { CLEAN, type Value } from '../abstract-value.ts'
import { withField } from '../engine/values/values.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'

const TYPE = 'configparser.ConfigParser'

export const configCalls: readonly CallModel[] = [
  {
    name: [
      'configparser.ConfigParser',
      'configparser.RawConfigParser',
      'ConfigParser.ConfigParser',
      'configparser.SafeConfigParser',
    ],
    returns: () => ({ taints: [], type: TYPE, fields: new Map() }),
  },
  { name: `${TYPE}#add_section`, returns: () => CLEAN, receiver: withSection },
  { name: `${TYPE}#set`, returns: () => CLEAN, receiver: withOption },
  { name: [`${TYPE}#get`], returns: read },
  {
    name: [`${TYPE}#getint`, `${TYPE}#getfloat`, `${TYPE}#getboolean`, `${TYPE}#has_option`],
    returns: () => CLEAN,
  },
]

const sectionOf = ({ receiver }: CallEvent, name: string): Value =>
  receiver?.fields?.get(name) ?? { taints: [], fields: new Map() }

function withSection(event: CallEvent): Value | undefined {
  const name = event.arg(0)?.value.known
  return event.receiver && typeof name === 'string'
    ? withField(event.receiver, name, sectionOf(event, name))
    : undefined
}

function withOption(event: CallEvent): Value | undefined {
  const [section, key] = [event.arg(0)?.value.known, event.arg(1)?.value.known]
  if (!event.receiver || typeof section !== 'string' || typeof key !== 'string') return undefined
  const value = event.arg(2)?.value ?? CLEAN
  return withField(event.receiver, section, withField(sectionOf(event, section), key, value))
}

function read(event: CallEvent): Value {
  const [section, key] = [event.arg(0)?.value.known, event.arg(1)?.value.known]
  if (typeof section !== 'string' || typeof key !== 'string') return CLEAN
  return sectionOf(event, section).fields?.get(key) ?? event.option('fallback') ?? CLEAN
}
