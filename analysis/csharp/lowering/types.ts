// Type names. Namespaces and type arguments are left out, because files name most types by the last part alone.

import type { SyntaxNode } from '../../syntax/tree.ts'
import { childByField, namedChildren } from '../../syntax/tree.ts'
import { type LoweringContext, text } from './context.ts'

/** Null for `var` and for types without a name. */
export function typeName(lowering: LoweringContext, node: SyntaxNode | undefined): string | null {
  if (!node) return null
  switch (node.type) {
    case 'identifier':
    case 'predefined_type':
      return ALIASES.get(text(lowering, node)) ?? text(lowering, node)
    case 'generic_name':
    case 'scoped_type':
    case 'ref_type':
      return typeName(lowering, namedChildren(node)[0])
    case 'qualified_name':
    case 'alias_qualified_name':
      return typeName(lowering, childByField(node, 'name'))
    case 'nullable_type':
      return typeName(lowering, childByField(node, 'type'))
    case 'array_type': {
      const element = typeName(lowering, childByField(node, 'type'))
      return element && `${element}[]`
    }
    default:
      return null
  }
}

/** Values of these types carry no text of the client. The engine knows them by the names of other languages. */
const ALIASES = new Map(
  Object.entries({
    uint: 'int',
    ulong: 'long',
    ushort: 'short',
    sbyte: 'byte',
    nint: 'long',
    Boolean: 'bool',
    Int16: 'short',
    Int32: 'int',
    Int64: 'long',
    UInt32: 'int',
    UInt64: 'long',
    Single: 'float',
    Guid: 'UUID',
    DateTime: 'Instant',
    DateTimeOffset: 'Instant',
    DateOnly: 'LocalDate',
    TimeOnly: 'Instant',
    TimeSpan: 'Instant',
    String: 'string',
    Object: 'object',
  }),
)
