// The client with all operations.
import { type Client, clientWith } from './client.ts'
import { operations } from './generated.ts'
import { operations as staffOperations } from './generated-staff.ts'
import type { ClientOptions } from './transport.ts'

export const createClient = (options: ClientOptions): Client =>
  clientWith<Client>({ ...operations, ...staffOperations }, options)
