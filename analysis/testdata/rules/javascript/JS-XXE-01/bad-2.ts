import libxmljs from 'libxmljs2'
export const read = (text) => libxmljs.parseXml(text, { noent: true, noblanks: true })
