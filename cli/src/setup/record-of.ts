// The record of a client that must be set up.
import type { ClientRecipe } from '@cowrie/sdk/clients'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { readRecord, type SetupRecord } from './records.ts'

export function requireRecord({ paths }: Context, { id, title }: ClientRecipe): SetupRecord {
  const record = readRecord(paths, id)
  if (record) return record
  throw new Failure('not_set_up', `${title} was not set up by this command on this computer.`, {
    next: `Set it up with "cowrie setup ${id}".`,
  })
}
