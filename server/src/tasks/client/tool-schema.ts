// Shapes of the tools that a caller brings.
import { z } from 'zod'
import { words } from '../../platform/http/shapes.ts'
import { isToolName, TOOL_NAMES } from '../tools/tool-definitions.ts'
import { findSchemaProblem } from './input-schema.ts'

const TOOLS_MAX = 64
const TOOLS_BYTES_MAX = 128 * 1024
const INPUT_SCHEMA_BYTES_MAX = 16 * 1024

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const ClientTool = z
  .object({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,62}$/, {
        error: 'must be a letter, then letters, digits and "_": lower case, at most 63 characters',
      })
      .refine((name) => !isToolName(name), {
        error: `must not be a tool of the service: ${TOOL_NAMES.join(', ')}`,
      })
      .meta({ examples: ['todo'] }),
    description: words(2_000).meta({ examples: ['Shows or changes the to-do list.'] }),
    inputSchema: z
      .record(z.string(), z.unknown())
      .superRefine((schema, check) => {
        const problem = findSchemaProblem(schema) ?? largeSchema(schema)
        if (problem) check.addIssue({ code: 'custom', input: schema, ...problem, path: [...problem.path] })
      })
      .meta({
        description:
          'A JSON Schema of the arguments: `type` is `object`, at most 10 levels and 16 kB, without `$ref`. The model gets the part of it that all providers accept, and you check the arguments.',
        examples: [{ type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } }],
      }),
    isReadOnly: z.boolean().optional().meta({
      description:
        'True if the tool changes nothing. Only such tools are offered in plan mode. Default: false.',
    }),
  })
  .meta({ id: 'TaskClientTool' })

const largeSchema = (schema: object) =>
  bytesOf(schema) > INPUT_SCHEMA_BYTES_MAX
    ? { path: [], message: `must have at most ${INPUT_SCHEMA_BYTES_MAX} bytes` }
    : undefined

export const clientTools = z
  .array(ClientTool)
  .max(TOOLS_MAX)
  .superRefine((tools, check) => {
    const names = new Set<string>()
    for (const [i, { name }] of tools.entries()) {
      if (names.has(name))
        check.addIssue({
          code: 'custom',
          input: tools,
          path: [i, 'name'],
          message: 'is there twice; send each tool once',
        })
      names.add(name)
    }
    if (bytesOf(tools) > TOOLS_BYTES_MAX)
      check.addIssue({
        code: 'custom',
        input: tools,
        path: [],
        message: `must have at most ${TOOLS_BYTES_MAX} bytes together`,
      })
  })
  .meta({
    description:
      'Tools that you run, beside those of the service: the turn asks with `needs_tool`. At most 64, and 128 kB together.',
  })
