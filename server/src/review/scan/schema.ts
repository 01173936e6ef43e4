// Request and reply schemas of scans.
import { z } from 'zod'
import { ScanFinding, SentFiles } from '../../scan/scan.ts'

export const ScanBody = z
  .object({
    files: SentFiles.optional(),
    diff: z.string().min(1).optional().meta({
      description:
        'A unified diff. Together with `files`, it limits the findings to the lines that it changes.',
    }),
  })
  .refine(({ files, diff }) => files !== undefined || diff !== undefined, {
    error: 'must contain files or a diff',
  })
  .meta({
    examples: [
      { files: [{ path: 'pay.js', content: 'module.exports = (req) => eval(req.query.amount)\n' }] },
    ],
  })

export const ScanReply = z
  .object({
    findings: z.array(ScanFinding),
    suppressed: z
      .array(z.object({ ruleId: z.string(), path: z.string(), line: z.int(), reason: z.string() }))
      .meta({ description: 'Findings that a comment with a reason suppresses.' }),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    partial: z.array(z.string()).meta({
      description: 'Changed files that the diff shows only in part. The scan can miss faults in them.',
    }),
    summary: z.object({
      files: z.int(),
      lines: z.int(),
      findings: z.int(),
      bySeverity: z.object({ error: z.int(), warn: z.int(), note: z.int() }),
      omitted: z
        .int()
        .meta({ description: 'Findings that were left out: more than 50 in a file or 2,000 in total.' }),
    }),
  })
  .meta({ id: 'ScanReport' })
