// Parameters that no scanned code passes: those of actions, handlers of minimal APIs, pages and hubs come from the request.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { isNumeric } from '../../engine/values/declared-types.ts'
import { tainted } from '../../engine/values/values.ts'
import type { ClassDefinition, FunctionDefinition, Parameter } from '../../ir.ts'
import type { LanguageModel } from '../../language-model.ts'
import type { EventContext } from '../../rule.ts'
import { withBodyFields } from '../../rule-helpers/body-fields.ts'

const FROM_REQUEST = /^From(?:Query|Body|Form|Route|Header|Uri)$/
const FROM_ELSEWHERE = /^(?:FromServices|FromKeyedServices|BindNever)$/
const CONTROLLER = /(?:^|\.)(?:\w*Controller(?:Base)?|PageModel|Hub|\w+Hub|Endpoint)$/
/** Objects that the framework passes and the client does not control. */
const HANDED =
  /^I[A-Z]|(?:Context|Service|Services|Repository|Manager|Factory|Provider|Logger|Options|Client|Store|Mediator|Sender|Principal|Token|Request|Response|Connection|Accessor|Configuration|Environment|Db|Bus|Cache|Validator|Handler)(?:\[\])?$/
const FILE = /^(?:IFormFile|IFormFileCollection|IFormCollection|Stream)$/

export const parameter: LanguageModel['parameter'] = (given, _index, definition, where, registered) => {
  const { type } = given
  if (isNumeric(type)) return typed(type)
  if (isBound(given, definition, where.classes[0], registered?.by ?? '')) return fromRequest(given, where)
  if (definition.name === 'Main' && definition.isStatic) return typed(type)
  const isText = type !== null && /^(?:string|Stream|TextReader)$/.test(type)
  const isExtension = given.annotations.some(({ name }) => name === 'extension')
  return isText && !isTest(definition) && !isExtension ? undefined : typed(type)
}

const typed = (type: string | null): AbstractValue => ({ ...UNTAINTED, ...(type !== null && { type }) })

function isBound(
  { type, annotations }: Parameter,
  definition: FunctionDefinition,
  owner: ClassDefinition | undefined,
  registeredBy: string,
): boolean {
  if (annotations.some(({ name }) => FROM_REQUEST.test(name))) return true
  if (annotations.some(({ name }) => FROM_ELSEWHERE.test(name)) || type === null) return false
  const isEndpoint =
    /\.Map(?:Get|Post|Put|Delete|Patch|Methods|Fallback)?$/.test(registeredBy) || isAction(definition, owner)
  return isEndpoint && (FILE.test(type) || !HANDED.test(type))
}

function isAction(definition: FunctionDefinition, owner: ClassDefinition | undefined): boolean {
  if (!owner || definition.isStatic || !definition.isExported || definition.name === 'constructor')
    return false
  if (!owner.methods.includes(definition) || definition.annotations.some(({ name }) => name === 'NonAction'))
    return false
  const isController =
    owner.bases.some((base) => CONTROLLER.test(base)) ||
    owner.annotations.some(({ name }) => name === 'ApiController')
  const isRouted = definition.annotations.some(({ name }) =>
    /^(?:Http(?:Get|Post|Put|Delete|Patch)|Route)$/.test(name),
  )
  return isController || isRouted
}

function fromRequest(given: Parameter, { path, lookUp }: EventContext): AbstractValue {
  const { target, type } = given
  const name = target.kind === 'name' ? target.name : 'parameter'
  const mark = given.annotations.find((each) => FROM_REQUEST.test(each.name))
  const value = tainted('request', mark ? `[${mark.name}] ${name}` : name, target.at, path)
  if (type === null || /^(?:string|object)(?:\[\])?$/.test(type)) return { ...value, ...(type && { type }) }
  return withBodyFields({ ...value, type }, FILE.test(type) ? undefined : lookUp(type)?.classDefinition)
}

const isTest = ({ annotations }: FunctionDefinition): boolean =>
  annotations.some(({ name }) => /^(?:Fact|Theory|Test|TestCase|TestMethod|SetUp)$/.test(name))
