// The rules for ids and aliases of models: no name leads to two models.
import { ApiError, type Field, invalidFields } from '../../kernel/errors.ts'
import type { StoredModel } from '../sql.ts'

const ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,99}$/
const ALIAS = /^(?:[A-Za-z0-9][A-Za-z0-9._:/@+-]*)?\*?$/
/** The names of the lanes. */
const RESERVED = new Set(['open', 'frontier', 'cowrie/open', 'cowrie/frontier'])

export function requireModelId(id: string): void {
  if (RESERVED.has(id))
    throw invalidFields({ path: 'id', message: `must not be ${id}, which is the name of a lane` })
  if (!ID.test(id))
    throw invalidFields({
      path: 'id',
      message: 'must begin with a letter or digit and have up to 100 letters, digits and . _ : / @ + -',
    })
}

/** Rejects invalid aliases, and names that another model has. */
export function requireFreeNames(models: readonly StoredModel[], { id, aliases }: StoredModel): void {
  const problems = aliases.flatMap((alias, index): Field[] => {
    const message = aliasProblem(id, aliases, alias, index)
    return message ? [{ path: `aliases.${index}`, message }] : []
  })
  if (problems.length > 0) throw invalidFields(...problems)
  const owners = new Map(
    models
      .filter((model) => model.id !== id)
      .flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model.id] as const)),
  )
  for (const name of [id, ...aliases]) {
    const owner = owners.get(name)
    if (owner !== undefined)
      throw new ApiError('name_taken', {
        error: `The name ${name} belongs to the model ${owner}. Choose another name, or change that model first.`,
        model: owner,
      })
  }
}

function aliasProblem(
  id: string,
  aliases: readonly string[],
  alias: string,
  index: number,
): string | undefined {
  if (alias.slice(0, -1).includes('*')) return 'may have * only at its end'
  if (!ALIAS.test(alias))
    return 'must begin with a letter or digit and have only letters, digits and . _ : / @ + -, or end in *'
  if (RESERVED.has(alias)) return `must not be ${alias}, which is the name of a lane`
  if (alias === id) return 'must differ from the id'
  const first = aliases.indexOf(alias)
  return first < index ? `repeats aliases.${first}` : undefined
}
