// Parameters that no scanned code passes: request data if an annotation declares it.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { isNumeric } from '../../engine/values/declared-types.ts'
import { tainted } from '../../engine/values/values.ts'
import type { Annotation, FunctionDefinition, Parameter } from '../../ir.ts'
import type { LanguageModel } from '../../language-model.ts'
import type { EventContext } from '../../rule.ts'

/** Annotations of Spring and JAX-RS that bind a parameter to the request. */
const FROM_REQUEST =
  /^(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|MatrixVariable|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|BeanParam|FormDataParam|QueryValue|Header|Payload|DestinationVariable)$/
/** Methods whose parameters are bound without an annotation. */
const ENDPOINTS =
  /^((Request|Get|Post|Put|Delete|Patch|Message)Mapping|KafkaListener|RabbitListener|JmsListener)$/
const RESOURCES = /^(GET|POST|PUT|DELETE|PATCH)$/
/** Objects that the framework passes and the client does not control. */
const HANDED =
  /(Request|Response|Session|Model|ModelMap|ModelAndView|Principal|Authentication|Locale|BindingResult|Errors|Writer|Pageable|RedirectAttributes|UriInfo|HttpHeaders|SecurityContext|ServletContext|UriComponentsBuilder)$/

export const parameter: LanguageModel['parameter'] = (given, _index, definition, where) => {
  const type = given.type ?? undefined
  if (isNumeric(given.type)) return { taints: [], ...(type && { type }) }
  const isAsked = given.annotations.some(({ name }) => FROM_REQUEST.test(name)) || isFilled(given, definition)
  if (isAsked) return isConverted(given) ? { taints: [], ...(type && { type }) } : fromRequest(given, where)
  if (isMain(definition)) return { taints: [], ...(type && { type }) }
  const isText =
    given.type !== null &&
    /^([\w.]+\.)?(String|CharSequence|InputStream|Reader|InputSource)$/.test(given.type)
  return isText && !isMadeForTests(definition.annotations)
    ? undefined
    : { ...UNTAINTED, ...(type && { type }) }
}

/**
 * The framework converts a single value to the type of the parameter: an enum constant, a date, an entity
 * by id.
 */
function isConverted({ type, annotations }: Parameter): boolean {
  const isPart = annotations.some(({ name }) =>
    /^(RequestParam|PathVariable|RequestHeader|CookieValue|(Query|Path|Form|Header|Cookie|Matrix)Param)$/.test(
      name,
    ),
  )
  return (
    isPart &&
    type !== null &&
    !/(String|CharSequence|Object|Map|List|Set|Collection|Optional|File|Part|InputStream|Cookie|byte)(\[\])*$/.test(
      type,
    )
  )
}

function isFilled({ type, annotations }: Parameter, { annotations: of }: FunctionDefinition): boolean {
  if (type === null || HANDED.test(type)) return false
  const isEndpoint =
    of.some(({ name }) => ENDPOINTS.test(name)) &&
    annotations.every(({ name }) => !/^(Value|Autowired)$/.test(name))
  // A parameter without annotations is the request body.
  const isResource = of.some(({ name }) => RESOURCES.test(name)) && annotations.length === 0
  return isEndpoint || isResource
}

function fromRequest(given: Parameter, { path }: EventContext): AbstractValue {
  const { target } = given
  const name = target.kind === 'name' ? target.name : 'parameter'
  const mark = given.annotations.find((each) => FROM_REQUEST.test(each.name))
  const value = tainted('request', mark ? `@${mark.name} ${name}` : name, target.at, path)
  const type = given.type ?? undefined
  // The body is an object, and all of its fields are tainted.
  return { ...value, ...(type && { type }), others: { taints: value.taints } }
}

const isMain = ({ name, isStatic }: FunctionDefinition): boolean => name === 'main' && isStatic

const isMadeForTests = (annotations: readonly Annotation[]): boolean =>
  annotations.some(({ name }) => /^(Test|ParameterizedTest|BeforeEach|Before|AfterEach|After)$/.test(name))
