// Rules about code, methods and objects chosen by input.

import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { requestHit } from '../../rule-helpers/request-flow.ts'
import { words } from '../model/values.ts'

export const codeInjection: Rule = {
  id: 'RB-EVAL-01',
  title: 'Input is run as Ruby code',
  cwe: 95,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message: 'Input is run as Ruby. An attacker can do everything that this process can.',
  fix: 'Avoid it: look choices up in a hash, and use a parser for formulas.',
  on: {
    call: (event) =>
      RUNNING.has(event.method) &&
      (event.receiver === null || EVALUATES.test(event.method) || /^(?:Kernel|binding)/.test(event.name))
        ? requestHit(event, [event.arg(0)?.value], ['code'], 'code that is run')
        : undefined,
  },
}

const RUNNING = new Set(words('eval instance_eval class_eval module_eval class_exec instance_exec'))
const EVALUATES = /^(?:eval|instance_eval|class_eval|module_eval)$/

export const chosenMethod: Rule = {
  id: 'RB-CALL-01',
  title: 'Input decides which class or method is used',
  cwe: 470,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'Input names a class or a method. `system`, `eval` and `destroy_all` are methods, and some classes run code when they are created.',
  fix: 'Look the class or method up in a fixed hash: `TYPES.fetch(params[:type])`.',
  on: { call: findChosen },
}

const BY_RECEIVER = /^(?:constantize|safe_constantize)$/
const BY_ARGUMENT =
  /^(?:send|public_send|__send__|const_get|method|instance_method|instance_variable_get|instance_variable_set|try|define_method|class_variable_get)$/

function findChosen(event: CallEvent): Hit | undefined {
  const { method, receiver } = event
  if (receiver && BY_RECEIVER.test(method))
    return requestHit(event, [receiver], ['code'], 'the name of a class', (_, before) => before === '')
  if (
    !BY_ARGUMENT.test(method) ||
    (method === 'send' && /socket|sock\b|ws\b|conn/i.test(event.source(event.expr.callee.at)))
  )
    return undefined
  return requestHit(
    event,
    [event.arg(0)?.value],
    ['code'],
    'the name of a method',
    (_, before) => before === '',
  )
}

export const unsafeDeserialization: Rule = {
  id: 'RB-DESER-01',
  title: 'Objects are deserialized from input',
  cwe: 502,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message:
    '`Marshal.load` and `YAML.load` create any object that the text names. Classes of common libraries are enough to run commands.',
  fix: 'Use `JSON.parse` or `YAML.safe_load`. Verify a signature before loading data that you wrote yourself.',
  on: {
    call: (event) =>
      LOADING.has(event.name) && !isLimited(event)
        ? requestHit(event, [event.arg(0)?.value], [], 'a text that is deserialized')
        : undefined,
  },
}

const LOADING = new Set(
  words(
    `Marshal.load Marshal.restore YAML.load YAML.unsafe_load YAML.load_stream YAML.unsafe_load_file Psych.load Psych.unsafe_load Oj.load
     Oj.object_load Ox.parse_obj ActiveSupport.MessagePack.load`,
  ),
)

const isLimited = (event: CallEvent): boolean =>
  event.name === 'Oj.load' && !/:?object\b/.test(event.source(event.expr.at))

export const massAssignment: Rule = {
  id: 'RB-MASS-01',
  title: 'A record accepts every field of a request',
  cwe: 915,
  severity: 'warn',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'Every field of the request may be written to a record, including those the form does not have: `admin`, `balance`, `user_id`.',
  fix: 'List the allowed fields: `params.require(:user).permit(:name, :email)`.',
  on: {
    call: (event) => {
      const isOpened =
        /^(?:permit!|to_unsafe_h|to_unsafe_hash)$/.test(event.method) && isParameters(event.receiver)
      if (!isOpened) return undefined
      return event.method === 'permit!' || isStored(event) ? { at: event.expr.at } : undefined
    },
  },
}

const isParameters = (value: AbstractValue | null): boolean =>
  value !== null && (value.type === 'Parameters' || value.taints.some(({ label }) => /^params\b/.test(label)))

/** `User.new(params.to_unsafe_h)` */
const isStored = ({ text, expr }: CallEvent): boolean =>
  /\.(?:new|create!?|update!?|update_attributes!?|assign_attributes|insert|upsert)\(\s*$/.test(
    text.slice(Math.max(0, expr.at.start - 40), expr.at.start),
  )
