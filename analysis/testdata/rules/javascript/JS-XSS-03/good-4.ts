const PROTOCOLS = ['http', 'https', 'ftp', 'file']

export const hasProtocol = (url: string): boolean => PROTOCOLS.includes(url.split(':')[0] ?? '')
