// A reply with its own status or headers, such as a redirect. Handlers return a plain value otherwise.

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

/** Redirects to a path of this origin. For a path from the request, use `localPath` first. */
export const redirect = (location: string): Answer => new Answer(302, '', { location })

/** The requested path if it stays on this origin, otherwise the app. */
export function localPath(wanted: string | undefined): string {
  return wanted && /^\/(?![/\\])[\w\-./?=&%#+*]*$/.test(wanted) ? wanted : '/app'
}
