// What a handler may say besides a plain value: another status, a redirect.

export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const answer = (status: number, body: unknown, headers?: Record<string, string>): Answer =>
  new Answer(status, body, headers)

/** Sends a browser to an address of ours. Never pass what a caller sent: see `localPath`. */
export const redirect = (location: string): Answer => new Answer(302, '', { location })

/** The path to go on to, when it stays on this origin; else the app. */
export function localPath(wanted: string | undefined): string {
  return wanted && /^\/(?![/\\])[\w\-./?=&%#]*$/.test(wanted) ? wanted : '/app'
}
