// Request sources of the standard library and common frameworks.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates } from '../../engine/model-helpers.ts'
import { joinTaints } from '../../engine/values/values.ts'
import type { CallModel, LanguageModel } from '../../language-model.ts'
import { entryParameter } from './paths.ts'
import { requestSource, requestValue, resultWithError, withType } from './values.ts'

const of = (types: readonly string[], methods: string): string[] =>
  methods.split(' ').flatMap((method) => types.map((type) => `${type}#${method}`))

const GIN = ['gin.Context']
const ECHO = ['echo.Context', 'v4.Context', 'v5.Context']
const FIBER = ['fiber.Ctx', 'v2.Ctx', 'v3.Ctx']
const BEEGO = ['beego.Controller', 'web.Controller']

export const requestCalls: readonly CallModel[] = [
  {
    name: of(['http.Request'], 'FormValue PostFormValue PathValue UserAgent Referer'),
    returns: requestSource,
  },
  {
    name: of(['http.Request'], 'Cookie BasicAuth'),
    returns: (event) => resultWithError(requestSource(event)),
  },
  {
    name: of(['http.Request'], 'Cookies'),
    returns: (event) => ({ taints: [], others: requestSource(event) }),
  },
  {
    name: of(['http.Request'], 'FormFile'),
    returns: (event) => ({
      taints: [],
      fields: new Map([
        ['0', requestSource(event)],
        ['1', { ...withType('*mime/multipart.FileHeader', requestSource(event)) }],
        ['2', UNTAINTED],
      ]),
    }),
  },
  {
    name: of(['http.Request'], 'MultipartReader'),
    returns: (event) => resultWithError(requestSource(event)),
  },
  {
    name: of(['http.Request'], 'Context ParseForm ParseMultipartForm ProtoAtLeast'),
    returns: () => UNTAINTED,
  },
  { name: of(['http.Request'], 'WithContext Clone'), returns: ({ receiver }) => receiver ?? UNTAINTED },
  { name: 'url.URL#Query', returns: (event) => ({ ...withType('net/url.Values', queryOf(event.receiver)) }) },
  {
    name: ['url.URL#String', 'url.URL#EscapedPath', 'url.URL#RequestURI', 'url.URL#Hostname', 'url.URL#Port'],
    returns: propagates('receiver'),
  },
  { name: ['url.Values#Get', 'http.Header#Get', 'http.Header#Values'], returns: propagates('receiver') },
  { name: 'url.Values#Encode', returns: () => UNTAINTED },
  {
    name: ['*.Vars', '*.URLParam', '*.URLParamFromCtx'],
    returns: (event) => (fromRequest(event.name) ? requestSource(event) : undefined),
  },
  { name: '*.ByName', returns: (event) => (event.imports(/httprouter/) ? requestSource(event) : undefined) },
  {
    name: [
      ...of(
        GIN,
        'Param Query DefaultQuery PostForm DefaultPostForm GetHeader QueryArray PostFormArray QueryMap',
      ),
      ...of(ECHO, 'Param QueryParam FormValue QueryString'),
      ...of(FIBER, 'Params Query FormValue Body Get Cookies BodyRaw OriginalURL Queries'),
      ...of(BEEGO, 'GetString GetStrings Input'),
      ...of(GIN, 'Bind BindJSON BindQuery BindUri ShouldBind ShouldBindJSON ShouldBindQuery ShouldBindUri'),
      ...of(GIN, 'ShouldBindBodyWith ShouldBindWith BindHeader ShouldBindHeader BindXML ShouldBindXML'),
      ...of(ECHO, 'Bind'),
      ...of(FIBER, 'BodyParser QueryParser ParamsParser'),
      ...of(BEEGO, 'BindJSON Bind'),
    ],
    returns: requestSource,
  },
  {
    name: of(GIN, 'GetQuery GetPostForm Cookie FormFile GetRawData MultipartForm'),
    returns: (event) => resultWithError(requestSource(event)),
  },
  {
    name: of([...ECHO, ...FIBER], 'Cookie FormFile FormParams MultipartForm'),
    returns: (event) => resultWithError(requestSource(event)),
  },
  { name: of(ECHO, 'Request'), returns: (event) => requestValue('c.Request()', event.expr.at, event.path) },
  { name: of(ECHO, 'QueryParams'), returns: (event) => withType('net/url.Values', requestSource(event)) },
]

/** The value of a parameter, by its type. */
export const requestParameter: LanguageModel['parameter'] = (
  { target, type },
  _index,
  _definition,
  where,
) => {
  const name = target.kind === 'name' ? target.name : 'request'
  if (type === null) return undefined
  if (/^\*http\.Request$/.test(type)) return requestValue(name, target.at, where.path)
  if (/^\*gin\.Context$/.test(type)) return ginContext(name, target.at, where.path)
  if (TEXTS.test(type)) return undefined
  return entryParameter(type, target.at, where.path) ?? { taints: [], type }
}

/** Types that can carry a string. Other types are untainted. */
const TEXTS = /^(\.\.\.)?(\[\])*(string|byte|any|interface\s*\{\s*\})$/

function ginContext(name: string, at: Parameters<typeof requestValue>[1], path: string): AbstractValue {
  return {
    taints: [],
    type: '*github.com/gin-gonic/gin.Context',
    fields: new Map<string, AbstractValue>([
      ['Request', requestValue(`${name}.Request`, at, path)],
      ['Writer', withType('net/http.ResponseWriter')],
    ]),
  }
}

const fromRequest = (name: string): boolean => /mux\.Vars$|chi(\/v\d+)?\.URLParam/.test(name)

/** The query parameters of a parsed URL have its taint. */
function queryOf(url: AbstractValue | null): AbstractValue {
  const taints = url?.taints ?? []
  return {
    taints: joinTaints(
      [],
      taints.map((taint) => ({
        ...taint,
        sanitizedFor: new Set(taint.sanitizedFor).difference(REDIRECT),
        label: `${taint.label}.Query()`,
      })),
    ),
  }
}

const REDIRECT: ReadonlySet<string> = new Set(['redirect'])
