// Request sources of servlets, Spring and JAX-RS.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsSource } from '../../engine/model-helpers.ts'
import { sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const STRING = 'java.lang.String'
const REQUESTS = [
  'javax.servlet.http.HttpServletRequest',
  'javax.servlet.http.HttpServletRequestWrapper',
  'javax.servlet.ServletRequest',
  'org.springframework.web.context.request.WebRequest',
  'org.springframework.web.context.request.NativeWebRequest',
  'org.springframework.web.multipart.MultipartHttpServletRequest',
  'org.springframework.http.server.ServerHttpRequest',
]

const of = (...methods: readonly string[]): string[] =>
  REQUESTS.flatMap((type) => methods.map((method) => `${type}#${method}`))

export const requestCalls: readonly CallModel[] = [
  {
    name: of('getParameter', 'getHeader', 'getQueryString', 'getPathInfo', 'getRequestedSessionId'),
    returns: text,
  },
  { name: of('getRequestURI', 'getRequestURL', 'getServletPath'), returns: address },
  {
    name: of('getParameterValues'),
    returns: (event) => many(event, `${STRING}[]`, requestTaint(event, STRING)),
  },
  {
    name: of('getParameterNames', 'getHeaderNames', 'getHeaders', 'getHeaderValues'),
    returns: (event) => many(event, 'java.util.Enumeration', requestTaint(event, STRING)),
  },
  {
    name: of('getParameterMap'),
    returns: (event) => many(event, 'java.util.Map', many(event, `${STRING}[]`, requestTaint(event, STRING))),
  },
  {
    name: of('getCookies'),
    returns: (event) =>
      many(event, 'javax.servlet.http.Cookie[]', requestTaint(event, 'javax.servlet.http.Cookie')),
  },
  { name: of('getInputStream'), returns: (event) => requestTaint(event, 'java.io.InputStream') },
  { name: of('getReader'), returns: (event) => requestTaint(event, 'java.io.BufferedReader') },
  { name: of('getPart', 'getFile'), returns: (event) => requestTaint(event, 'javax.servlet.http.Part') },
  {
    name: of('getParts', 'getFiles'),
    returns: (event) => many(event, 'java.util.Collection', requestTaint(event, 'javax.servlet.http.Part')),
  },
  {
    name: of(
      ...[
        'getContextPath',
        'getMethod',
        'getScheme',
        'getRemoteAddr',
        'getRemotePort',
        'getServerPort',
        'getLocale',
      ],
      ...[
        'getAttribute',
        'getServerName',
        'getRemoteUser',
        'getUserPrincipal',
        'getContentLength',
        'getIntHeader',
      ],
      ...['getContentType', 'getCharacterEncoding', 'getAuthType', 'isUserInRole', 'getDateHeader'],
    ),
    returns: () => UNTAINTED,
  },
  { name: of('getSession'), returns: () => ({ taints: [], type: 'javax.servlet.http.HttpSession' }) },
  {
    name: ['HttpSession#getAttribute', 'HttpSession#getValue', 'HttpSession#getId'],
    returns: () => UNTAINTED,
  },
  {
    name: [
      'Cookie#getValue',
      'Cookie#getName',
      'Part#getSubmittedFileName',
      'MultipartFile#getOriginalFilename',
    ],
    returns: ({ receiver }) => ({ taints: receiver?.taints ?? [], type: STRING }),
  },
  { name: ['*.getRequest', '*.currentRequest'], returns: () => ({ taints: [], type: REQUESTS[0] ?? '' }) },
  {
    name: ['UriInfo#getQueryParameters', 'UriInfo#getPathParameters', 'HttpHeaders#getRequestHeaders'],
    returns: (event) => many(event, 'java.util.Map', requestTaint(event, STRING)),
  },
  { name: 'UriInfo#getPath', returns: text },
  {
    name: ['java.net.Socket#getInputStream'],
    returns: (event) => requestTaint(event, 'java.io.InputStream'),
  },
  {
    name: ['*.readLine', '*.readAllBytes', '*.nextLine', '*.readUTF', '*.readAllLines'],
    returns: propagates('receiver'),
  },
  {
    name: ['InputStreamReader', 'BufferedReader', 'BufferedInputStream', 'DataInputStream'].map(
      (name) => `java.io.${name}`,
    ),
    returns: wrapped,
  },
  { name: ['java.util.Scanner', 'java.io.StringReader', 'java.io.ByteArrayInputStream'], returns: wrapped },
]

/** Getters of a deserialized body. */
export const partCalls: readonly CallModel[] = [
  {
    name: '*.get*',
    returns({ receiver, args, method }) {
      const isPart =
        receiver &&
        args.length === 0 &&
        !receiver.classDefinition &&
        receiver.taints.some(({ origin }) => origin === 'request')
      return isPart && !/^get(Class|Size|Length|ContentType)$/.test(method)
        ? { taints: receiver.taints }
        : undefined
    },
  },
]

/** The value of an endpoint parameter, by its declared type. */
export function requestTaint(event: CallEvent, type: string): AbstractValue {
  const { taints } = returnsSource('request')(event) ?? UNTAINTED
  return { taints, type }
}

function text(event: CallEvent): AbstractValue {
  return requestTaint(event, STRING)
}

/** Browsers send it encoded, and servers do not decode it. */
function address(event: CallEvent): AbstractValue {
  return sanitize(text(event), ['html', 'header', 'sql', 'ldap', 'xpath'])
}

function many(event: CallEvent, type: string, others: AbstractValue): AbstractValue {
  return { ...requestTaint(event, type), others }
}

function wrapped(event: CallEvent): AbstractValue {
  return { taints: event.arg(0)?.value.taints ?? [], type: event.name }
}
