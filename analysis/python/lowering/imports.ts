// Lowers imports. `import a.b` binds `a`; `from a import b` binds `b`.

import { SUBMODULE } from '../../engine/values/import-resolution.ts'
import type { Stmt } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, rangeOf, sourceOf } from './context.ts'

export function importsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const one = (module: string, imported: string | null, local: string): Stmt => ({
    kind: 'import',
    at,
    module,
    imported,
    local,
  })
  const names = childrenByField(node, 'name').map((each) => named(lowering, each))
  if (node.type === 'import_statement')
    return names.map(({ written, alias }) => {
      if (alias !== null) return one(written, null, alias)
      return written.includes('.') ? one(written, SUBMODULE, firstOf(written)) : one(written, null, written)
    })
  const origin = childByField(node, 'module_name')
  const module = origin ? sourceOf(lowering, origin).replaceAll(/\s/g, '') : '__future__'
  if (namedChildren(node).some(({ type }) => type === 'wildcard_import'))
    return importAll(lowering, module, one)
  return names.map(({ written, alias }) => one(module, written, alias ?? written))
}

function named(lowering: LoweringContext, node: SyntaxNode): { written: string; alias: string | null } {
  const [written, alias] = [childByField(node, 'name') ?? node, childByField(node, 'alias')]
  return { written: sourceOf(lowering, written), alias: alias ? sourceOf(lowering, alias) : null }
}

const firstOf = (dotted: string): string => dotted.split('.')[0] ?? dotted

/**
 * `from flask import *`: imports the names of the module that the model knows and the file uses. Other
 * modules are unknown.
 */
function importAll(
  lowering: LoweringContext,
  module: string,
  one: (module: string, imported: string, local: string) => Stmt,
): Stmt[] {
  const known = KNOWN[module] ?? []
  const used = known.filter((each) => new RegExp(`\\b${each}\\b`).test(lowering.tree.text))
  return [one(module, '*', '*'), ...used.map((each) => one(module, each, each))]
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  flask: [
    'request',
    'Flask',
    'Blueprint',
    'redirect',
    'render_template_string',
    'render_template',
    'make_response',
    'session',
    'send_file',
    'send_from_directory',
    'Response',
    'Markup',
    'jsonify',
    'escape',
    'current_app',
    'url_for',
  ],
  bottle: [
    'request',
    'response',
    'route',
    'get',
    'post',
    'redirect',
    'template',
    'static_file',
    'run',
    'Bottle',
  ],
  'django.http': [
    'HttpResponse',
    'HttpResponseRedirect',
    'JsonResponse',
    'FileResponse',
    'StreamingHttpResponse',
  ],
  'django.shortcuts': ['render', 'redirect', 'get_object_or_404'],
  fastapi: [
    'FastAPI',
    'APIRouter',
    'Request',
    'Query',
    'Body',
    'Header',
    'Form',
    'Cookie',
    'Path',
    'Depends',
    'File',
  ],
  os: [
    'system',
    'popen',
    'path',
    'environ',
    'getenv',
    'remove',
    'listdir',
    'execl',
    'execv',
    'unlink',
    'rename',
  ],
  subprocess: ['run', 'call', 'check_call', 'check_output', 'Popen', 'getoutput', 'getstatusoutput'],
  random: ['random', 'randint', 'choice', 'randrange', 'choices', 'sample', 'getrandbits', 'SystemRandom'],
  hashlib: ['md5', 'sha1', 'sha256', 'sha512', 'new'],
}
