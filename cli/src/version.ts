// Which version this is. A package has it built in.
import manifest from '../package.json' with { type: 'json' }

export const VERSION: string = manifest.version
