// The route from an annotation: `@app.route('/x')`, `@PostMapping("/x")`.
import type { Argument, FunctionDefinition } from '../../ir.ts'
import type { Machine } from '../machine.ts'
import { lastSegment } from '../name-patterns.ts'

const ROUTE_ANNOTATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    route: 'ANY',
    requestmapping: 'ANY',
    path: 'ANY',
    getmapping: 'GET',
    postmapping: 'POST',
    putmapping: 'PUT',
    patchmapping: 'PATCH',
    deletemapping: 'DELETE',
    get: 'GET',
    post: 'POST',
    put: 'PUT',
    patch: 'PATCH',
    delete: 'DELETE',
    all: 'ANY',
    httpget: 'GET',
    httppost: 'POST',
    httpput: 'PUT',
    httppatch: 'PATCH',
    httpdelete: 'DELETE',
  }),
)

export function routeFromAnnotations(_m: Machine, { annotations }: FunctionDefinition): string | null {
  for (const { name, args } of annotations) {
    const verb = ROUTE_ANNOTATIONS.get(lastSegment(name).toLowerCase())
    if (verb === undefined) continue
    const methods = textsIn(args.filter(({ name: key }) => key === 'methods' || key === 'method'))
    const [path] = textsIn(args.filter(({ name: key }) => key === null || key === 'value' || key === 'path'))
    return `${methods[0] ?? verb} ${path ?? ''}`.trimEnd()
  }
  return null
}

function textsIn(args: readonly Argument[]): string[] {
  return args.flatMap(({ value }) => {
    if (value.kind === 'literal' && typeof value.value === 'string') return [value.value]
    if (value.kind === 'list') return textsIn(value.items)
    if (value.kind === 'member') return [value.property]
    return []
  })
}
