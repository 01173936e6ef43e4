// Request sources of ASP.NET Core and of the older ASP.NET.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsRequest, returnsType } from '../../engine/model-helpers.ts'
import type { CallModel, SourceModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { withBodyFields } from '../../rule-helpers/body-fields.ts'
import { BOUND } from '../lowering/classes.ts'

const MEMBERS =
  'Query Form Headers Cookies Body BodyReader QueryString Path RouteValues Params InputStream RawUrl Url UrlReferrer UserAgent Files Item Unvalidated'

export const sources: readonly SourceModel[] = [
  ...MEMBERS.split(' ').map((member): SourceModel => ({ name: `HttpRequest#${member}`, origin: 'request' })),
  ...'Query Headers Body Url Params'
    .split(' ')
    .map((member): SourceModel => ({ name: `HttpRequestData#${member}`, origin: 'request' })),
  ...'FileName Headers ContentDisposition'
    .split(' ')
    .map((member): SourceModel => ({ name: `IFormFile#${member}`, origin: 'request' })),
  { name: 'RouteData.Values', origin: 'request' },
]

export const requestCalls: readonly CallModel[] = [
  { name: BOUND, returns: returnsRequest('[BindProperty]') },
  {
    name: [
      'HttpRequest#ReadFormAsync',
      'HttpRequest#ReadAsStringAsync',
      'HttpRequestData#ReadAsStringAsync',
      '*.GetRouteValue',
      '*.GetDisplayUrl',
      '*.GetEncodedUrl',
      '*.GetEncodedPathAndQuery',
    ],
    returns: returnsRequest(),
  },
  { name: ['HttpRequest#ReadFromJsonAsync', 'HttpRequestData#ReadFromJsonAsync'], returns: jsonBody },
  { name: ['HttpRequest#GetTypedHeaders'], returns: returnsRequest() },
  {
    name: ['StreamReader', 'BinaryReader', 'StringReader', 'MemoryStream', 'XmlTextReader', 'BufferedStream'],
    returns: wrapped,
  },
  {
    name: 'ReadToEnd ReadToEndAsync ReadLine ReadLineAsync ReadAllBytes ToArray OpenReadStream GetValues'
      .split(' ')
      .map((name) => `*.${name}`),
    returns: propagates('receiver'),
  },
  {
    name: [
      '*.FirstOrDefault',
      '*.First',
      '*.Single',
      '*.SingleOrDefault',
      '*.Last',
      '*.LastOrDefault',
      '*.ElementAt',
    ],
    returns: item,
  },
  { name: ['*.TryGetValue', '*.ContainsKey'], returns: () => ({ taints: [], type: 'bool' }) },
  {
    name: ['JsonSerializer.Deserialize', 'JsonSerializer.DeserializeAsync', 'JsonConvert.DeserializeObject'],
    returns: parsed,
  },
  {
    name: ['JsonDocument.Parse', 'JObject.Parse', 'JToken.Parse', 'JsonNode.Parse', 'XDocument.Parse'],
    returns: propagates(0),
  },
  {
    name: ['*.GetProperty', '*.GetString', '*.SelectToken', '*.Value', '*.ToObject'],
    returns: propagates('receiver'),
  },
  { name: ['*.CreateCommand'], returns: returnsType('DbCommand') },
  { name: ['Regex'], returns: (event) => event.arg(0)?.value ?? UNTAINTED },
]

function jsonBody(event: CallEvent): AbstractValue | undefined {
  const value = returnsRequest()(event)
  return value && typedBody(event, value)
}

function parsed(event: CallEvent): AbstractValue {
  return typedBody(event, propagates(0)(event) ?? UNTAINTED)
}

/** `Deserialize<Transfer>(…)`. */
function typedBody({ source, expr, lookUp }: CallEvent, value: AbstractValue): AbstractValue {
  const [, type] = /<\s*([\w.]+)\??\s*>\s*$/.exec(source(expr.callee.at)) ?? []
  return type === undefined ? value : withBodyFields(value, lookUp(type)?.classDefinition)
}

function wrapped(event: CallEvent): AbstractValue {
  return { taints: event.arg(0)?.value.taints ?? [], type: event.name }
}

function item({ receiver, args }: CallEvent): AbstractValue | undefined {
  if (!receiver || receiver.classDefinition || args.some(({ value }) => value.callable)) return undefined
  if (receiver.others) return receiver.others
  return receiver.fields?.get('0') ?? { taints: receiver.taints }
}
