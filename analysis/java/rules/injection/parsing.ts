// Rules about XML entities and unsafe deserialization.
import type { CallEvent, EventContext, Hit, Rule } from '../../../rule.ts'
import { enclosingText, flowHit, isMethodOf } from '../taint-flow.ts'

export const externalEntities: Rule = {
  id: 'JV-XXE-01',
  title: 'An XML parser resolves external entities',
  cwe: 611,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'A document from outside is parsed with external entities enabled. It can make the server read its own files and call other servers.',
  fix: 'Disallow document types before the first parse: `factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)`.',
  on: {
    call: (event) => (isParse(event) && !isForbidden(event) ? document(event) : undefined),
  },
}

const PARSERS = [
  'javax.xml.parsers.DocumentBuilder',
  'javax.xml.parsers.SAXParser',
  'org.xml.sax.XMLReader',
  'org.jdom2.input.SAXBuilder',
  'org.jdom.input.SAXBuilder',
  'org.dom4j.io.SAXReader',
  'org.apache.commons.digester3.Digester',
]

function isParse(event: CallEvent): boolean {
  return (
    isMethodOf(event, PARSERS, /^(parse|build|read)$/) ||
    isMethodOf(event, ['javax.xml.stream.XMLInputFactory'], /^createXML(Stream|Event)Reader$/) ||
    event.name === 'org.dom4j.DocumentHelper.parseText'
  )
}

/**
 * A parameter of a public method may come from outside. It is a warning, because the callers may be
 * trusted.
 */
function document(event: CallEvent): Hit | undefined {
  const certain = input(event, event.arg(0)?.value)
  if (certain) return certain
  const likely = flowHit(event.expr.at, event.arg(0)?.value, {
    sinks: [],
    isForParameters: true,
    isDeep: true,
  })
  return likely && { ...likely, severity: 'warn' }
}

const isForbidden = ({ text }: EventContext): boolean =>
  /disallow-doctype-decl|FEATURE_SECURE_PROCESSING|ACCESS_EXTERNAL_DTD|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL_ENTITIES|external-general-entities|supportDTD|setEntityResolver|isSupportingExternalEntities/.test(
    text,
  )

export const deserialization: Rule = {
  id: 'JV-DESER-01',
  title: 'Objects are deserialized from input',
  cwe: 502,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input is deserialized to objects of any class it names. Classes on the class path are often enough to run commands.',
  fix: 'Read plain data (JSON into your own class). If it must be Java objects, set an `ObjectInputFilter` that allows only the expected classes.',
  on: {
    call: (event) => (isRead(event) && !isFiltered(event) ? input(event, readFrom(event)) : undefined),
  },
}

const SELF_READERS = [
  'java.io.ObjectInputStream',
  'java.beans.XMLDecoder',
  'com.caucho.hessian.io.HessianInput',
  'com.caucho.hessian.io.Hessian2Input',
]

function isRead(event: CallEvent): boolean {
  return (
    isMethodOf(event, SELF_READERS, /^(readObject|readUnshared)$/) ||
    isMethodOf(event, ['com.thoughtworks.xstream.XStream'], /^fromXML$/) ||
    isMethodOf(event, ['org.yaml.snakeyaml.Yaml'], /^(load|loadAll)$/) ||
    /\bSerializationUtils\.deserialize$/.test(event.name)
  )
}

const readFrom = (event: CallEvent) =>
  /^(readObject|readUnshared)$/.test(event.method) ? (event.receiver ?? undefined) : event.arg(0)?.value

const isFiltered = (event: EventContext): boolean =>
  /setObjectInputFilter|ObjectInputFilter\.|SafeConstructor|allowTypes|addPermission|resolveClass/.test(
    `${enclosingText(event)}${event.text}`,
  )

function input(event: CallEvent, value: Parameters<typeof flowHit>[1]): Hit | undefined {
  return flowHit(event.expr.at, value, { sinks: [], unknownCallsMax: 1, isDeep: true })
}
