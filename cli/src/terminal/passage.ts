// Text of several lines from outside: keeps lines and tabs, and removes control characters.
import { plain } from './line.ts'

export const passage = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(plain).join('\t'))
    .join('\n')
