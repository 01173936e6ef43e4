// Rules about unsafe deserialization and XML entities.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isCall } from '../../../engine/name-patterns.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const deserialization: Rule = {
  id: 'PY-DESER-01',
  title: 'Objects are deserialized from input',
  cwe: 502,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message:
    'This format can name any function and call it during loading. The sender runs code before your program sees the result.',
  fix: 'Use data formats: `json.loads`, `yaml.safe_load`, `torch.load(…, weights_only=True)`. If you must use pickle, sign the data and verify it before loading.',
  on: {
    call(event) {
      if (isCall(event, ...ALWAYS) || isUnsafeOption(event)) {
        const taint = findTaint(event.arg(0)?.value ?? event.option('data'), { sinks: [] })
        return taint && flowHit(event, taint)
      }
      return isUnsafeYaml(event) ? yaml(event) : undefined
    },
  },
}

const ALWAYS = [
  'pickle.load',
  'pickle.loads',
  'pickle.Unpickler',
  'cPickle.load',
  'cPickle.loads',
  '_pickle.loads',
  'dill.load',
  'dill.loads',
  'cloudpickle.load',
  'cloudpickle.loads',
  'marshal.load',
  'marshal.loads',
  'jsonpickle.decode',
  'jsonpickle.loads',
  'shelve.open',
  'joblib.load',
  'pandas.read_pickle',
  'six.moves.cPickle.loads',
]

function isUnsafeOption(event: CallEvent): boolean {
  if (isCall(event, 'torch.load')) return event.option('weights_only')?.known !== true
  return isCall(event, 'numpy.load', 'np.load') && event.option('allow_pickle')?.known === true
}

/** Without a loader, or with one that creates objects. */
function isUnsafeYaml(event: CallEvent): boolean {
  if (isCall(event, 'yaml.unsafe_load', 'yaml.unsafe_load_all')) return true
  if (!isCall(event, 'yaml.load', 'yaml.load_all')) return false
  const loader = event.args.find(({ name }) => name === 'Loader') ?? event.arg(1)
  return (
    loader === undefined ||
    /(?:^|\.)(?:Unsafe|Full)?Loader$/.test(loader.value.name ?? event.source(loader.expr.at))
  )
}

/** A file or parameter may have any content. A constant does not. */
function yaml(event: CallEvent) {
  const value = event.arg(0)?.value
  const taint = findTaint(value, { sinks: [], isForParameters: true })
  if (taint) return flowHit(event, taint)
  return value && isFile(value) ? { at: event.expr.at, confidence: 'medium' as const } : undefined
}

const isFile = ({ name, known }: AbstractValue): boolean =>
  known === undefined && /^(?:open|io\.open|codecs\.open)\(\)/.test(name ?? '')

export const entities: Rule = {
  id: 'PY-XXE-01',
  title: 'An XML parser resolves external entities',
  cwe: 611,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message:
    'An entity in the document can name a file of the server or an internal address. This parser inserts its content into the result.',
  fix: 'Parse with `defusedxml`, or with `lxml.etree.XMLParser(resolve_entities=False, no_network=True)`.',
  on: {
    call(event) {
      if (
        !isCall(
          event,
          'lxml.etree.parse',
          'lxml.etree.fromstring',
          'lxml.etree.XML',
          'lxml.etree.iterparse',
          'lxml.objectify.fromstring',
        )
      )
        return undefined
      const parser = event.option('parser') ?? event.arg(1)?.value
      const resolves = parser ? parser.fields?.get('resolve_entities') : event.option('resolve_entities')
      if (resolves?.known === false || (parser && !resolves)) return undefined
      const taint = findTaint(event.arg(0)?.value, { sinks: [] })
      return taint && flowHit(event, taint)
    },
    function({ calls }) {
      const isOpened = calls.some(
        (event) =>
          event.method === 'setFeature' &&
          /external_ges|external_pes|external-(?:general|parameter)-entities/.test(
            event.args[0] ? event.source(event.args[0].expr.at) : '',
          ) &&
          (event.arg(1)?.value.known === true || event.arg(1)?.value.known === 1),
      )
      if (!isOpened) return undefined
      return calls.flatMap((event) => {
        if (!/^(?:parse|parseString|feed)$/.test(event.method)) return []
        const taint = event.args
          .map(({ value }) => findTaint(value, { sinks: [] }))
          .find((each) => each !== undefined)
        return taint ? [flowHit(event, taint)] : []
      })
    },
  },
}
