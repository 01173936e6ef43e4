// A template, not an escape function.
export const arrow = (template: string) => template.replace('{{arrow}}', '&gt;')
export const first = 'a < b'.replace('<', '&lt;')
