// A text of several lines by somebody else, as it comes: its lines and tabs stay, everything that could move the cursor does not.
import { plain } from './line.ts'

export const passage = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(plain).join('\t'))
    .join('\n')
