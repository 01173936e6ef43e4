// Prints docs/reference/settings.md from the declarations.
import { createCatalogue } from './catalogue.ts'
import { type Setting, type SettingGroup, variableOf } from './setting.ts'

export function printSettings(parts: readonly SettingGroup[]): string {
  const { groups, settings } = createCatalogue(parts)
  const sections = groups.map(({ id, label, blurb }) => {
    const rows = settings.filter((setting) => setting.group === id).map(printRow)
    return [
      `## ${label}`,
      '',
      blurb,
      '',
      '| Key | Default | Values | What it does |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n')
  })
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`
}

const INTRODUCTION = `# Settings

Printed from the catalogue; do not edit. An operator can change these settings at runtime, under \`/admin/settings\`.
A stored value wins over the default. An environment variable \`SERVICE_<KEY>\` seeds its setting at start until an
operator changes it. † only a super admin may change it. ‡ a secret: stored encrypted, shown by its last four characters.`

function printRow(setting: Setting): string {
  const marks = `${setting.restricted ? '†' : ''}${setting.type.secret ? '‡' : ''}`
  const what = `**${setting.label}.** ${setting.description}`
  return `| \`${setting.key}\`${marks && ` ${marks}`}<br>\`${variableOf(setting)}\` | ${code(String(setting.default))} | ${range(setting)} | ${cell(what)} |`
}

const UNITS = { minor: 'minor units', ms: 'ms', mb: 'MB', pct: '%', count: '' }

function range({ type }: Setting): string {
  if (type.options) return type.options.map(({ value, label }) => `\`${value}\` ${cell(label)}`).join('<br>')
  if (type.kind === 'number') return `${type.min} to ${type.max} ${UNITS[type.unit ?? 'count']}`.trim()
  if (type.kind === 'boolean') return '`true`, `false`'
  const reading = type.read(undefined)
  return reading.ok ? 'any text' : cell(reading.mustBe)
}

const code = (text: string): string => (text === '' ? 'empty' : `\`${text}\``)
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
