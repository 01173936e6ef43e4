// Lowers JavaScript and TypeScript files, including JSX.

import type { Program } from '../../ir.ts'
import type { SyntaxTree } from '../../syntax/tree.ts'
import { exportedFunctions } from '../exported-functions.ts'
import type { LoweringContext } from './context.ts'
import { lowerExpression } from './expressions.ts'
import { requiredImports } from './modules.ts'
import { withClasses } from './prototype-classes.ts'
import { lowerStatement } from './statements.ts'

export function lower(tree: SyntaxTree): Program {
  const lowering: LoweringContext = {
    tree,
    exported: exportedFunctions(tree),
    required: new Map(),
    modules: new Set(),
    regexes: [],
    expression: (node, name) => lowerExpression(lowering, node, name),
    statements: (nodes) => withClasses(nodes.flatMap((node) => lowerStatement(lowering, node))),
  }
  const body = lowering.statements(tree.root.children)
  const { regexes } = lowering
  return { language: 'javascript', body: [...requiredImports(lowering), ...body], package: null, regexes }
}
