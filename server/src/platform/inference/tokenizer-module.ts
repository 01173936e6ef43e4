/** The only tokenizer encoding that the service counts with. The production image has no other. */
export const ENCODING_MODULE = 'gpt-tokenizer/encoding/o200k_base'
