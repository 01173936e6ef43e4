// `configparser`: reading a section and key returns the value that was set.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { withField } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

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
  { name: `${TYPE}#add_section`, returns: () => UNTAINTED, receiver: withSection },
  { name: `${TYPE}#set`, returns: () => UNTAINTED, receiver: withOption },
  { name: [`${TYPE}#get`], returns: read },
  {
    name: [`${TYPE}#getint`, `${TYPE}#getfloat`, `${TYPE}#getboolean`, `${TYPE}#has_option`],
    returns: () => UNTAINTED,
  },
]

const sectionOf = ({ receiver }: CallEvent, name: string): AbstractValue =>
  receiver?.fields?.get(name) ?? { taints: [], fields: new Map() }

function withSection(event: CallEvent): AbstractValue | undefined {
  const name = event.arg(0)?.value.known
  return event.receiver && typeof name === 'string'
    ? withField(event.receiver, name, sectionOf(event, name))
    : undefined
}

function withOption(event: CallEvent): AbstractValue | undefined {
  const [section, key] = [event.arg(0)?.value.known, event.arg(1)?.value.known]
  if (!event.receiver || typeof section !== 'string' || typeof key !== 'string') return undefined
  const value = event.arg(2)?.value ?? UNTAINTED
  return withField(event.receiver, section, withField(sectionOf(event, section), key, value))
}

function read(event: CallEvent): AbstractValue {
  const [section, key] = [event.arg(0)?.value.known, event.arg(1)?.value.known]
  if (typeof section !== 'string' || typeof key !== 'string') return UNTAINTED
  return sectionOf(event, section).fields?.get(key) ?? event.option('fallback') ?? UNTAINTED
}
