const libxml = require('libxmljs')
exports.read = (text) => libxml.parseXml(text, { noent: false })
