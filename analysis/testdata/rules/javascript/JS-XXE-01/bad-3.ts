const libxml = require('libxmljs')
exports.read = (text) => libxml.parseXmlString(text, { dtdload: true })
