// The formats of streams: events, or a JSON array for clients of the Gemini API that do not ask for events.
import type { IncomingHttpHeaders } from 'node:http'
import { toJson } from '../../../kernel/json.ts'
import { type ErrorFormat, errorFormatOf } from './error-format.ts'

export type StreamFormat = {
  readonly contentType: string
  /** Keeps proxies and clients from closing an idle connection. */
  readonly keepAlive: string
  readonly errors: ErrorFormat
  frame(frame: object): string
  /** The JSON of an error as the end of the stream. `isEmpty`: no frame was sent before. */
  errorEnd(json: string, isEmpty: boolean): string
}

/** JSON escapes line breaks, so the text of a model cannot forge a frame. */
export const frameText = (frame: object): string => `data: ${toJson(frame)}\n\n`

/** A comment that keeps proxies from closing an idle connection. */
export const KEEP_ALIVE = ': keep-alive\n\n'

const EVENTS = {
  contentType: 'text/event-stream; charset=utf-8',
  keepAlive: KEEP_ALIVE,
  frame: frameText,
  errorEnd: (json: string) => `data: ${json}\n\n`,
}

const NATIVE: StreamFormat = { ...EVENTS, errors: 'native' }
const OPENAI: StreamFormat = { ...EVENTS, errors: 'openai' }
const GEMINI_EVENTS: StreamFormat = { ...EVENTS, errors: 'gemini' }
const ANTHROPIC: StreamFormat = {
  ...EVENTS,
  errors: 'anthropic',
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  errorEnd: (json) => `event: error\ndata: ${json}\n\n`,
}
const GEMINI_ARRAY: StreamFormat = {
  errors: 'gemini',
  contentType: 'application/json; charset=utf-8',
  // White space between the elements.
  keepAlive: ' ',
  frame: toJson,
  errorEnd: (json, isEmpty) => `${isEmpty ? '[' : ',\r\n'}${json}]`,
}

const FORMATS: Readonly<Record<Exclude<ErrorFormat, 'gemini'>, StreamFormat>> = {
  native: NATIVE,
  // SCIM has no streams.
  scim: NATIVE,
  openai: OPENAI,
  anthropic: ANTHROPIC,
}

export function streamFormatOf(url: string, headers: IncomingHttpHeaders): StreamFormat {
  const errors = errorFormatOf(url, headers)
  if (errors !== 'gemini') return FORMATS[errors]
  return asksForEvents(url) ? GEMINI_EVENTS : GEMINI_ARRAY
}

/** `?alt=sse`, as Google's clients send it. */
export function asksForEvents(url: string): boolean {
  const at = url.indexOf('?')
  return at >= 0 && new URLSearchParams(url.slice(at + 1)).get('alt') === 'sse'
}
