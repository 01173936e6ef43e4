// Rules about settings for development that are unsafe in production.
import type { AssignEvent, CallEvent, ProgramEvent, Rule } from '../../../rule.ts'

export const debug: Rule = {
  id: 'PY-DEBUG-01',
  title: 'Debug mode is on',
  cwe: 489,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'An error page shows code, settings and secrets. The one of Flask lets visitors run Python.',
  fix: 'Read it from the environment, off by default: `debug=os.environ.get("DEBUG") == "1"`.',
  on: {
    call(event) {
      if (event.method !== 'run' || !/flask|bottle|quart|sanic/i.test(event.receiver?.name ?? event.name))
        return undefined
      return event.args.some(({ name, value }) => name === 'debug' && value.known === true)
        ? { at: event.expr.at }
        : undefined
    },
    assign(event) {
      if ((event.name !== 'DEBUG' && event.name !== 'debug') || event.value.known !== true) return undefined
      const isDjango = event.name === 'DEBUG' && event.target.kind === 'name' && isSettings(event)
      const isFlask = /flask\.Flask\(\)(?:\.config)?$/.test(event.object?.name ?? '')
      return isDjango || isFlask ? { at: event.target.at } : undefined
    },
  },
}

const isSettings = ({ path, text, functions, classes, conditions }: AssignEvent): boolean =>
  /(?:^|\/)settings(?:\.py|\/(?:base|prod|production|common|__init__)\.py)$/.test(path) &&
  /INSTALLED_APPS|ROOT_URLCONF/.test(text) &&
  functions.length + classes.length + conditions.length === 0 &&
  !/^\s*(?:DEBUG\s*=(?!\s*True)|from .*local.* import)/m.test(text)

export const crossSite: Rule = {
  id: 'PY-CSRF-01',
  title: 'CSRF protection is off',
  cwe: 352,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message: 'Without the token another site can send this request with the cookies of its visitor.',
  fix: 'Keep the check on for browser requests. A webhook verifies its signature instead; an API takes a token from a header.',
  on: {
    function({ definition, calls, compares, source, imports }) {
      const mark = definition.annotations.some(({ name }) => /(?:^|\.)csrf_exempt$/.test(name))
      if (!mark || !imports(/^django/)) return undefined
      const body = source(definition.at)
      const isChanging =
        /\.POST\b|\.body\b|\.save\(|\.delete\(|\.create\(|\.update\(|method\s*[=!]=\s*['"](?:POST|PUT|DELETE)/.test(
          body,
        )
      const isChecked =
        calls.some(({ name, method }) =>
          /hmac|signature|verify|token|authenticat|construct_event|api_?key/i.test(`${name}.${method}`),
        ) ||
        compares.some(({ expr }) => /token|signature|api_?key|secret/i.test(source(expr.at))) ||
        definition.annotations.some(({ name }) =>
          /token|auth|permission|api_view|signature|webhook/i.test(name),
        ) ||
        /HTTP_AUTHORIZATION|Authorization|HTTP_X_|webhook/i.test(`${body} ${definition.name}`)
      return isChanging && !isChecked ? { at: definition.at } : undefined
    },
    assign(event) {
      const isOff = event.name === 'WTF_CSRF_ENABLED' && event.value.known === false
      return isOff && event.conditions.length === 0 && /flask/i.test(event.object?.name ?? '')
        ? { at: event.target.at }
        : undefined
    },
  },
}

export const origins: Rule = {
  id: 'PY-CORS-01',
  title: 'Any site may read responses with credentials',
  cwe: 942,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'Any page that a signed-in user opens can call this API as that user and read the response.',
  fix: 'List the allowed origins, or leave credentials off.',
  on: {
    call(event) {
      return isOpenFlask(event) || isOpenMiddleware(event) ? { at: event.expr.at } : undefined
    },
    program: settingsOf,
  },
}

const isOpenFlask = (event: CallEvent): boolean =>
  /flask_cors\.(?:CORS|cross_origin)$/.test(event.name) &&
  event.option('supports_credentials')?.known === true &&
  (event.option('origins') === undefined
    ? event.option('resources') === undefined
    : isAny(event.option('origins')))

const isOpenMiddleware = (event: CallEvent): boolean =>
  /CORSMiddleware$/.test(`${event.name} ${event.arg(0)?.value.name ?? ''}`) &&
  event.option('allow_credentials')?.known === true &&
  isAny(event.option('allow_origins'))

const isAny = (value: ReturnType<CallEvent['option']>): boolean =>
  value?.known === '*' || (value?.fields?.size === 1 && value.fields.get('0')?.known === '*')

function settingsOf({ assigns }: ProgramEvent) {
  const isOn = (...names: readonly string[]) =>
    assigns.find(({ name, value }) => names.includes(name) && value.known === true)
  const open = isOn('CORS_ALLOW_ALL_ORIGINS', 'CORS_ORIGIN_ALLOW_ALL')
  return open && isOn('CORS_ALLOW_CREDENTIALS') ? { at: open.target.at } : undefined
}

export const sessionKey: Rule = {
  id: 'PY-KEY-01',
  title: 'The key that signs sessions is in the code',
  cwe: 798,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'Anyone who can read the code can sign a session or token for any account.',
  fix: 'Read it from the environment, and refuse to start without it: `os.environ["SECRET_KEY"]`.',
  on: {
    assign(event) {
      if (event.name !== 'secret_key' && event.name !== 'SECRET_KEY') return undefined
      const isFlask = /flask\.Flask\(\)(?:\.config)?$/.test(event.object?.name ?? '')
      return isFlask && isText(event.value.known) ? { at: event.target.at } : undefined
    },
    call(event) {
      if (!/(?:^|\.)jwt\.encode$/.test(event.name)) return undefined
      return isText(event.arg(1)?.value.known ?? event.option('key')?.known)
        ? { at: event.expr.at }
        : undefined
    },
  },
}

const isText = (known: unknown): boolean => typeof known === 'string' && known.length >= 3
