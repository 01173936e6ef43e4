// Parses the columns of a result into JavaScript values. Types without a parser arrive as text, for example numeric and uuid.
import pg, { type Field } from 'pg'
import { fromJson } from '../../../../kernel/json.ts'

type ResultColumn = { readonly name: string; readonly parse: Parse | undefined }
/** The columns of a result, and a row without values. To copy it is faster than to add the fields one by one. */
export type ResultColumns = {
  readonly list: readonly ResultColumn[]
  readonly empty: Readonly<Record<string, null>>
}
type Parse = (text: string) => unknown

const toBoolean = (text: string) => text === 't'
const toBytes = (text: string) => Buffer.from(text.slice(2), 'hex')
const toDate = (text: string) => new Date(text)
const toText = (text: string) => text

/** By type name: its OID, the OID of its array type, and the parser of one value. */
const TYPES: Readonly<Record<string, readonly [oid: number, arrayOid: number, parse: Parse]>> = {
  bool: [16, 1000, toBoolean],
  bytea: [17, 1001, toBytes],
  int8: [20, 1016, BigInt],
  int2: [21, 1005, Number],
  int4: [23, 1007, Number],
  oid: [26, 1028, Number],
  float4: [700, 1021, Number],
  float8: [701, 1022, Number],
  json: [114, 199, fromJson],
  jsonb: [3802, 3807, fromJson],
  date: [1082, 1182, toDate],
  timestamp: [1114, 1115, toDate],
  timestamptz: [1184, 1185, toDate],
  text: [25, 1009, toText],
  varchar: [1043, 1015, toText],
  bpchar: [1042, 1014, toText],
  char: [18, 1002, toText],
  name: [19, 1003, toText],
  uuid: [2950, 2951, toText],
  numeric: [1700, 1231, toText],
}

const PARSERS = new Map<number, Parse>()
for (const [oid, arrayOid, parse] of Object.values(TYPES)) {
  if (parse !== toText) PARSERS.set(oid, parse)
  PARSERS.set(arrayOid, (text) => pg.types.arrayParser.create(text, parse).parse())
}

export const NO_COLUMNS: ResultColumns = { list: [], empty: {} }

export const columnsOf = (fields: readonly Field[]): ResultColumns => ({
  list: fields.map(({ name, dataTypeID }) => ({ name, parse: PARSERS.get(dataTypeID) })),
  empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
})

export function rowOf({ list, empty }: ResultColumns, texts: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty }
  for (let n = 0; n < list.length; n++) {
    const { name, parse } = list[n] as ResultColumn
    const text = texts[n] as string | null
    row[name] = text === null || parse === undefined ? text : parse(text)
  }
  return row
}
