// The face of the SDK.
export { type Answer, type Client, createClient, type RequestOptions } from './client.ts'
export { type Code, CowrieError, type Field, type LocalCode } from './errors.ts'
export type * from './generated.ts'
export { API_VERSION } from './generated.ts'
export { fromJson, toJson } from './json.ts'
export type { CallOptions } from './operation.ts'
export type { ClientOptions } from './transport.ts'
