// Requests to the fake GitHub, and its replies.

export type FakeReply = {
  readonly status: number
  readonly body: object | string | Buffer
  readonly headers?: Record<string, string>
}
export type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
  readonly bearer: string
  readonly isApp: boolean
  readonly isRaw: boolean
}
